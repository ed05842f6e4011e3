/** Time that stands still until a test moves it. */
import type { Clock } from "../../../src/client/clock.js";

export interface ManualClock extends Clock {
  /** Moves the time; everything that sleeps until then wakes. */
  advance(ms: number): void;
}

export function manualClock(start = Date.parse("2026-03-01T12:00:00Z")): ManualClock {
  let now = start;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
        });
      }),
    advance(ms) {
      now += ms;
      for (const sleeper of sleepers) {
        if (sleeper.until > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
