import { setImmediate } from "node:timers/promises";

import type { Clock } from "../../../src/client/clock.js";

export interface SimulatedClock extends Clock {
  set(ms: number): void;
  advance(ms: number): void;
  /** Called after each sleep. */
  onSleep: () => void;
}

/** Time that passes when someone sleeps, and not otherwise. */
export function simulatedClock(start = Date.UTC(2026, 9, 5, 12)): SimulatedClock {
  let now = start;
  const clock: SimulatedClock = {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      now += ms;
      clock.onSleep();
      await setImmediate();
    },
    set: (ms) => (now = ms),
    advance: (ms) => (now += ms),
    onSleep: () => undefined,
  };
  return clock;
}
