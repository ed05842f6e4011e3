/** Time as it is handed to everything that waits or compares: tests give their own. */
import { monotonicMs } from "./runtime.js";
import { whenAborted } from "./when-aborted.js";

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
  /**
   * Does the work every so many milliseconds, and never keeps the program running for it. A clock that lacks it lets the
   * system's do that.
   *
   * @returns what ends it
   */
  every?(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // Linux: CLOCK_MONOTONIC; macOS and Windows count from the boot as well.
  ...(monotonicMs && { monotonic: monotonicMs }),
  every: everyInterval,
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    await new Promise<void>((resolve) => {
      const forget = signal && whenAborted(signal, resolveNow);
      const timer = setTimeout(() => {
        forget?.();
        resolve();
      }, ms);
      function resolveNow() {
        clearTimeout(timer);
        resolve();
      }
    });
    signal?.throwIfAborted();
  },
};

/** {@link Clock.every}, by the system's clock. */
export function everyInterval(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/** For measuring how long something takes: a clock that is set meanwhile doesn't change it, where there is such a clock. */
export function steadyNow(clock: Pick<Clock, "now" | "monotonic">): number {
  return clock.monotonic?.() ?? clock.now();
}
