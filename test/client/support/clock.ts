import type { Clock } from "../../../src/clock/index.js";

/** A clock on which a sleep is over at once, and time has gone on by it. */
export function jumpingClock(start = Date.UTC(2026, 9, 5)): Clock & { readonly sleeps: number[] } {
  let now = start;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    sleep: (ms, signal) => {
      if (signal?.aborted) return Promise.reject(new Error("aborted"));
      sleeps.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}
