/**
 * The signals that a call waits for. A signal of the program's may end thousands of calls, each of which waits for it in
 * several places, one after the other; Node warns of more than ten listeners. So calls listen to a signal of ours that ends
 * with the program's, where one listener stands for all of them, as long as any of them is running.
 */
import { allowManyListeners } from "../../shared/runtime.js";
import { whenAborted } from "../../shared/when-aborted.js";
import type { HttpRequest } from "../http/transport.js";

type Signals = Pick<HttpRequest, "signal" | "grace">;

/** @returns the signals of one call, and what has to be called when it is over: nothing of it stays on the program's */
export function callSignals({ signal, grace }: Signals): { signals: Signals; release: () => void } {
  if (!signal) return noSignals;
  const follower = follow(signal);
  const graceFollower = grace && follow(grace);
  return {
    signals: { signal: follower.signal, ...(graceFollower && { grace: graceFollower.signal }) },
    release: () => {
      follower.release();
      graceFollower?.release();
    },
  };
}

const noSignals = { signals: {}, release: () => undefined };

/** They belong to no client, since one signal may end the calls of many clients. */
const followers = new WeakMap<AbortSignal, Follower>();

/** Each signal of the program's has one, since to make one is dear beside all else that a call does. */
function follow(source: AbortSignal): Follower {
  const follower = followers.get(source) ?? new Follower(source);
  followers.set(source, follower);
  follower.join();
  return follower;
}

class Follower {
  readonly #source: AbortSignal;
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  readonly #end = () => {
    this.#controller.abort(this.#source.reason);
  };
  #calls = 0;

  constructor(source: AbortSignal) {
    this.#source = source;
    allowManyListeners(this.signal);
    // So that there is always one: Node does more for the first listener of a signal, and for the last.
    whenAborted(this.signal, () => undefined);
  }

  join(): void {
    if (this.#source.aborted) this.#end();
    else if (this.#calls === 0) this.#source.addEventListener("abort", this.#end, { once: true });
    this.#calls += 1;
  }

  release(): void {
    this.#calls -= 1;
    if (this.#calls === 0) this.#source.removeEventListener("abort", this.#end);
  }
}
