/** Everything that waits or compares times is given a clock, so that tests can give one of their own. */

/** Other runtimes of JavaScript may lack what Node has. The client runs in them too, and imports no module of Node's. */
const host: { readonly hrtime?: { readonly bigint?: () => bigint } } =
  typeof process === "undefined" ? {} : process;

/** Milliseconds that fake timers of a test (vitest, jest, `node:test`) advanced or set back without the machine's clock. */
let shiftMs = 0;
let latest = -Infinity;

/** On Linux this is CLOCK_MONOTONIC; macOS and Windows count from the boot as well. */
function monotonic(): number {
  const counted = Number(host.hrtime?.bigint?.()) / 1e6;
  shiftMs = Math.max(shiftMs, latest - counted);
  return (latest = counted + shiftMs);
}

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
}

export const systemClock: Clock = {
  now: () => Date.now(),
  ...(host.hrtime?.bigint && { monotonic }),
  sleep: async (ms, signal) => {
    const end = monotonic() + ms;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await unlessAborted(signal, rest).finally(() => clearTimeout(timer));
    // A real timer is a millisecond early at most.
    const early = end - monotonic();
    if (early > 100) shiftMs += early;
  },
};

/** Measures how long something takes, whoever sets the clock meanwhile, where that has `monotonic`. */
export function steadyNow(clock: Pick<Clock, "now" | "monotonic">): number {
  return clock.monotonic?.() ?? clock.now();
}

/**
 * Waits for what can't be ended itself: that goes on, unheard.
 *
 * @throws the signal's reason, as soon as it is aborted, and what the work throws
 */
export async function unlessAborted<Value>(
  signal: AbortSignal | undefined,
  work: Promise<Value>,
): Promise<Value> {
  if (!signal) return work;
  let leave: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    leave = whenAborted(signal, () => reject(signal.reason as Error));
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    leave?.();
  }
}

/** Thousands of calls can wait for one signal, which has one listener for all of them: Node 20 warns of more than ten. */
const stopsOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal ends, and at once where it has.
 *
 * @param stop a function of its own; must not throw
 * @returns a function that removes `stop`; it does no harm after the end
 */
export function whenAborted(signal: AbortSignal, stop: () => void): () => void {
  const stops = stopsOf.get(signal) ?? new Set();
  if (signal.aborted) stop();
  else stops.add(stop);
  if (!stopsOf.has(signal)) {
    stopsOf.set(signal, stops);
    const stopAll = () => {
      for (const each of stops) each();
    };
    signal.addEventListener("abort", stopAll, { once: true });
  }
  return () => void stops.delete(stop);
}
