/** The clock that everything uses that waits or compares times. Tests pass their own. */

/** A runtime with only some of the web's globals may lack it. */
const host: { readonly performance?: { now(): number } } = globalThis;

export interface Clock {
  /** Returns the milliseconds since the epoch. */
  now(): number;
  /** Returns milliseconds since some time, which setting the clock doesn't change. A clock without it counts by `now`. */
  readonly monotonic?: (() => number) | undefined;
  /** Resolves after `ms` milliseconds, or throws the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => host.performance?.now() ?? Date.now(),
  sleep: async (ms, signal) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await unlessAborted(signal, rest).finally(() => clearTimeout(timer));
  },
};

/** Returns the time for measuring durations, which setting the clock doesn't change if that has `monotonic`. */
export function steadyNow(clock: Pick<Clock, "now" | "monotonic">): number {
  return clock.monotonic?.() ?? clock.now();
}

/** Waits for work that can't be aborted itself, or throws the signal's reason as soon as it is aborted. */
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

/** All listeners of a signal share one, because Node 20 warns of more than ten, and thousands of calls may wait for it. */
const stopsOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal is aborted, or at once if it already is. `stop` differs for each caller and must not throw.
 *
 * @returns a function that removes `stop`
 */
export function whenAborted(signal: AbortSignal, stop: () => void): () => void {
  const stops = stopsOf.get(signal) ?? new Set();
  if (signal.aborted) stop();
  else stops.add(stop);
  if (!stopsOf.has(signal)) {
    stopsOf.set(signal, stops);
    signal.addEventListener("abort", () => stops.forEach((each) => each()), { once: true });
  }
  return () => void stops.delete(stop);
}
