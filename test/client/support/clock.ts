import { setImmediate } from "node:timers/promises";

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

/** A clock that advances only when it is run, from one wake-up to the next. At the same time, the newest sleeper wakes up first. */
export function steppedClock() {
  let now = 0;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => sleepers.unshift({ at: now + ms, wake }));
  /** Wakes up the sleepers in turn until this work is over and all have woken up. */
  async function runAll(work: Promise<unknown> = Promise.resolve()): Promise<void> {
    let isOver = false;
    void work.finally(() => (isOver = true));
    for (;;) {
      for (let turn = 0; turn < 8; turn += 1) await setImmediate();
      sleepers.sort((a, b) => a.at - b.at);
      const next = sleepers.shift();
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it is set while this waits
      if (isOver && !next) return;
      if (next) now = Math.max(now, next.at);
      next?.wake();
    }
  }
  return { now: () => now, sleep, runAll };
}
