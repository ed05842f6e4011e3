import { setImmediate } from "node:timers/promises";

import type { Clock } from "../../../src/client/clock.js";

export interface SimulatedClock extends Clock {
  advance(ms: number): void;
}

/** Time that passes when someone sleeps, and not otherwise. */
export function simulatedClock(start = Date.UTC(2026, 9, 5, 12)): SimulatedClock {
  let now = start;
  return {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      now += ms;
      await setImmediate();
    },
    advance: (ms) => (now += ms),
  };
}
