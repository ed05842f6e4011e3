/**
 * Rows of history that nothing changes any more, as bytes outside of JavaScript's heap: a month may have a hundred
 * thousand. Pure.
 */
/** Rows that are told at once. */
const pieceRows = 1000;
const firstBytes = 64 * 1024;

/** What JSON can hold, with the moment that it was (ISO 8601). */
interface Row {
  readonly at: string;
}

export class PackedRows<Kept extends Row> {
  #bytes = Buffer.allocUnsafe(firstBytes);
  /** Of each row: where it ends in `bytes`, when it was (milliseconds since the epoch), and its place. */
  readonly #ends: number[] = [];
  readonly #times: number[] = [];
  readonly #places: number[] = [];

  /** @param place of two rows of one moment, the one with the lower place is told first */
  add(row: Kept, place: number): void {
    const text = JSON.stringify(row);
    const start = this.#ends.at(-1) ?? 0;
    const end = start + Buffer.byteLength(text);
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.write(text, start);
    this.#ends.push(end);
    this.#times.push(Date.parse(row.at));
    this.#places.push(place);
  }

  #grow(least: number): void {
    const larger = Buffer.allocUnsafe(Math.max(least, this.#bytes.length * 2));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }

  *newestFirst(): Generator<readonly Kept[]> {
    const [times, places] = [this.#times, this.#places];
    const order = Uint32Array.from(this.#ends.keys()).sort(
      (a, b) => (times[b] ?? 0) - (times[a] ?? 0) || (places[a] ?? 0) - (places[b] ?? 0) || a - b,
    );
    for (let from = 0; from < order.length; from += pieceRows)
      yield Array.from(order.subarray(from, from + pieceRows), (index) => this.#row(index));
  }

  #row(index: number): Kept {
    const text = this.#bytes.toString("utf8", this.#ends[index - 1] ?? 0, this.#ends[index]);
    return JSON.parse(text) as Kept;
  }
}
