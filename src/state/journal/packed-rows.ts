/**
 * Rows of history that nothing changes any more, as bytes outside of JavaScript's heap: a month may have a hundred
 * thousand. What one has in common with the one before, as all orders of a run nearly have, is there once. Pure.
 */
/** Rows that are told at once. */
const pieceRows = 1000;
const firstBytes = 64 * 1024;

/** What JSON can hold, with the moment that it was (ISO 8601), and what differs most from row to row. */
interface Row {
  readonly at: string;
  readonly order_id: string | null;
}

/** Of a row: where its common part is and how long that is, how long its own part is. The own part follows. */
const headBytes = 12;

export class PackedRows<Kept extends Row> {
  #bytes = Buffer.allocUnsafe(firstBytes);
  #end = 0;
  /** Of each row: where it is in `bytes`, when it was (milliseconds since the epoch), and its place. */
  readonly #starts: number[] = [];
  readonly #times: number[] = [];
  readonly #places: number[] = [];
  /** Of the row before. */
  #common = { text: "", start: 0, length: 0 };

  /** @param place of two rows of one moment, the one with the lower place is told first */
  add({ at, order_id, ...common }: Kept, place: number): void {
    const text = JSON.stringify(common);
    if (text !== this.#common.text) {
      const start = this.#end;
      this.#common = { text, start, length: this.#append(text) };
    }
    const own = JSON.stringify([at, order_id]);
    const start = this.#end;
    this.#reserve(headBytes);
    this.#end += headBytes;
    const length = this.#append(own);
    this.#bytes.writeUInt32LE(this.#common.start, start);
    this.#bytes.writeUInt32LE(this.#common.length, start + 4);
    this.#bytes.writeUInt32LE(length, start + 8);
    this.#starts.push(start);
    this.#times.push(Date.parse(at));
    this.#places.push(place);
  }

  /** @returns how many bytes it has */
  #append(text: string): number {
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#bytes.write(text, this.#end);
    this.#end += length;
    return length;
  }

  #reserve(bytes: number): void {
    const least = this.#end + bytes;
    if (least <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(least, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }

  *newestFirst(): Generator<readonly Kept[]> {
    const [times, places] = [this.#times, this.#places];
    const order = Uint32Array.from(this.#starts.keys()).sort(
      (a, b) => (times[b] ?? 0) - (times[a] ?? 0) || (places[a] ?? 0) - (places[b] ?? 0) || a - b,
    );
    for (let from = 0; from < order.length; from += pieceRows)
      yield Array.from(order.subarray(from, from + pieceRows), (index) =>
        this.#row(this.#starts[index] ?? 0),
      );
  }

  #row(start: number): Kept {
    const number = (offset: number) => this.#bytes.readUInt32LE(start + offset);
    const parse = (from: number, length: number): unknown =>
      JSON.parse(this.#bytes.toString("utf8", from, from + length));
    const [at, order_id] = parse(start + headBytes, number(8)) as [string, string | null];
    return { at, order_id, ...(parse(number(0), number(4)) as object) } as Kept;
  }
}
