/** Time as it is handed to everything that waits or compares: tests give their own. */
import { setTimeout as delay } from "node:timers/promises";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds that run at one pace and are never set, whatever becomes of `now`. All processes of one boot count from
   * the same moment. A clock that lacks it counts by `now`.
   */
  monotonic?(): number;
  /**
   * Resolves after `ms` milliseconds.
   *
   * @throws the signal's reason, as soon as it is aborted
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // Linux: CLOCK_MONOTONIC; macOS and Windows count from the boot as well. The global, since an ES module that imports
  // node:process opens the streams of the program and loads the network stack for them.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** For measuring how long something takes: a clock that is set meanwhile doesn't change it, where there is such a clock. */
export function steadyNow(clock: Pick<Clock, "now" | "monotonic">): number {
  return clock.monotonic?.() ?? clock.now();
}
