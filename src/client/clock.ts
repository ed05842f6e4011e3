/** Everything that waits or compares times is given a clock, so that tests can give one of their own. */
import { monotonicMs } from "./runtime.js";
import { whenAborted } from "./when-aborted.js";

export interface Clock {
  /** Gives the milliseconds since the epoch. */
  now(): number;
  /**
   * Counts milliseconds at one pace, whatever becomes of `now`: nobody can set it. All processes of one boot count
   * from the same moment. A clock that lacks it counts by `now`.
   */
  monotonic?(): number;
  /**
   * Resolves after `ms` milliseconds.
   *
   * @throws the signal's reason, as soon as it is aborted
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Does the work every so many milliseconds, and never keeps the program running for it. Where a clock lacks it, the
   * system's clock does that.
   *
   * @returns a function that ends it
   */
  every?(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // On Linux this is CLOCK_MONOTONIC; macOS and Windows count from the boot as well.
  ...(monotonicMs && { monotonic: monotonicMs }),
  every: everyInterval,
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    await new Promise<void>((resolve) => {
      const stopListening = signal && whenAborted(signal, resolveNow);
      const timer = setTimeout(() => {
        stopListening?.();
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

/** Does what {@link Clock.every} does, by the system's clock. */
export function everyInterval(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Measures how long something takes. A clock that is set meanwhile doesn't change it, where the clock has
 * `monotonic`.
 */
export function steadyNow(clock: Pick<Clock, "now" | "monotonic">): number {
  return clock.monotonic?.() ?? clock.now();
}
