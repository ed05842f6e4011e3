/** Hears of a signal's end on behalf of very many, one after the other and several at once. */

/**
 * Calls `stop` once when the signal ends. A signal that has ended already is the caller's to ask for.
 *
 * Node keeps the listeners of a signal in a linked list, and one that was taken away still points at its neighbours. So
 * of calls that overlap, each that is over holds on to the one after it, for as long as V8 leaves its old generation
 * alone: all that a run of 100,000 calls had made was moved there. Here one listener of the signal stands for all, and
 * what is taken away points at nothing.
 *
 * @param stop must not throw
 * @returns takes it away; harmless afterwards
 */
export function whenAborted(signal: AbortSignal, stop: () => void): () => void {
  let stops = stopsOf.get(signal);
  if (!stops) stopsOf.set(signal, (stops = new Stops(signal)));
  return stops.add(stop);
}

const stopsOf = new WeakMap<AbortSignal, Stops>();

interface Link {
  run: (() => void) | undefined;
  before: Link | undefined;
  after: Link | undefined;
}

/** Those of one signal, in the order in which they came. */
class Stops {
  readonly #signal: AbortSignal;
  #first: Link | undefined;
  #last: Link | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(run: () => void): () => void {
    const link: Link = { run, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = link;
    else {
      this.#first = link;
      this.#signal.addEventListener("abort", this.#runAll);
    }
    this.#last = link;
    return () => this.#remove(link);
  }

  readonly #runAll = () => {
    for (let first = this.#first; first; first = this.#first) {
      const { run } = first;
      this.#remove(first);
      run?.();
    }
  };

  #remove(link: Link): void {
    if (!link.run) return;
    const { before, after } = link;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    link.run = link.before = link.after = undefined;
    if (!this.#first) this.#signal.removeEventListener("abort", this.#runAll);
  }
}
