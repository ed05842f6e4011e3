/** Two threads that speak in turn: each waits, standing still, until the other has said something. */

const head = 8;
const mostBytes = 256 * 1024;
/** A thread that says nothing for so long has failed. */
const patienceMs = 60_000;

export type Side = 0 | 1;

export function newChannel(): SharedArrayBuffer {
  return new SharedArrayBuffer(head + mostBytes);
}

/** The turn is first that of side 0, the simulation's. */
export class Channel<Says, Hears> {
  readonly #turn: Int32Array;
  readonly #bytes: Buffer;

  constructor(
    shared: SharedArrayBuffer,
    readonly side: Side,
  ) {
    this.#turn = new Int32Array(shared, 0, 2);
    this.#bytes = Buffer.from(shared, head);
  }

  /** What the other side says next. */
  exchange(message: Says): Hears {
    this.#say(message);
    return this.hear();
  }

  #say(message: Says): void {
    const length = this.#bytes.write(JSON.stringify(message), "utf8");
    if (length === this.#bytes.length) throw new Error("a message is too long for the channel");
    this.#turn[1] = length;
    Atomics.store(this.#turn, 0, 1 - this.side);
    Atomics.notify(this.#turn, 0);
  }

  /** Waits for its own turn. */
  hear(): Hears {
    const theirs = 1 - this.side;
    while (Atomics.load(this.#turn, 0) === theirs)
      if (Atomics.wait(this.#turn, 0, theirs, this.side === 0 ? patienceMs : Infinity) === "timed-out")
        throw new Error("a thread of the simulation says nothing any more");
    return JSON.parse(this.#bytes.toString("utf8", 0, this.#turn[1])) as Hears;
  }
}
