import type { Clock } from "../../../src/base/clock.js";

/** A clock on which a sleep ends at once and advances the time. */
export function jumpingClock(start = Date.UTC(2026, 9, 5)) {
  let now = start;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) => {
      if (signal?.aborted) return Promise.reject(new Error("aborted"));
      sleeps.push(ms);
      now += ms;
      return Promise.resolve();
    },
    advance: (ms: number) => (now += ms),
  };
}

/** A clock that advances only when it is run, from one wake-up to the next. */
export function steppedClock(): Clock & { runAll(): Promise<void> } {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms) => new Promise((resolve) => sleepers.push({ at: now + ms, wake: resolve })),
    runAll: async () => {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        sleepers.sort((a, b) => a.at - b.at);
        const next = sleepers.shift();
        if (!next) return;
        now = Math.max(now, next.at);
        next.wake();
      }
    },
  };
}
