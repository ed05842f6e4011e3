/**
 * Very many calls can wait for one signal's end, one after the other and several at once. The signal has one listener for
 * all of them: Node warns of more than ten.
 */
const stopsOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` once when the signal ends. The caller has to check for a signal that has ended already.
 *
 * @param stop must not throw
 * @returns a function that removes `stop`; it does no harm after the end
 */
export function whenAborted(signal: AbortSignal, stop: () => void): () => void {
  const stops = stopsOf.get(signal) ?? new Set();
  stopsOf.set(signal, stops);
  const run = () => {
    stop();
  };
  if (stops.size === 0) signal.addEventListener("abort", runAll);
  stops.add(run);
  return () => {
    if (stops.delete(run) && stops.size === 0) signal.removeEventListener("abort", runAll);
  };
}

function runAll(this: AbortSignal): void {
  this.removeEventListener("abort", runAll);
  const stops = stopsOf.get(this) ?? [];
  stopsOf.delete(this);
  for (const stop of stops) stop();
}
