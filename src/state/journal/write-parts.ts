/**
 * What the lines say of one write, which may be several things: what was unknown when another process resumed it stays so,
 * whatever comes of the order later. Pure.
 */
import { WriteLines } from "./attempts.js";
import type { JournalEntry, SentEntry } from "./entries.js";
import { isSettled } from "./resume.js";

export type AttemptEntry = Extract<JournalEntry, { readonly attempt: number }>;

/** Where a line stands, and where its order stands in it. */
export interface Place {
  readonly position: number;
  readonly index: number;
}

/** A line of a write. */
export interface WriteLine extends Place {
  readonly entry: AttemptEntry;
  /** How often its run had been resumed by then. */
  readonly resumed: number;
  /** How often its run had been ended with nothing left to resume. */
  readonly ends: number;
}

/** What one process made of a write. */
export interface WritePart {
  readonly lines: WriteLines;
  /** How often its run had been resumed when its last request was sent. */
  readonly resumed: number;
  /** The last request: when it was sent, and what is known of it beyond its run. */
  readonly last: Last;
  /** Of the first line of the write. */
  readonly place: Place;
}

interface Last {
  readonly at: string;
  readonly attempt: number;
  readonly own?: SentEntry;
}

type OpenPart = Pick<WritePart, "lines"> & { resumed: number; last?: Last };

export function isOutcome(
  entry: AttemptEntry,
): entry is Extract<AttemptEntry, { readonly outcome: unknown }> {
  return entry.type === "outcome" || entry.type === "orders_outcome";
}

/**
 * @param lines in their order: only that tells which process sent what, however close they were
 * @param ofMany are they of a run of many orders?
 * @returns the later ones first, and none of which the line is lost that says what was sent
 */
export function partsOfWrite(lines: readonly WriteLine[], ofMany: boolean): readonly WritePart[] {
  const whole: WritePart[][] = [];
  let write = new Write();
  // A line that comes before the next end says nothing more of an order of many that is done, or refused for what it is.
  let settledAt: number | undefined;
  const next = () => {
    whole.push(write.parts());
    write = new Write();
  };
  let ends = lines[0]?.ends ?? 0;
  for (const line of lines) {
    if (line.ends !== ends) {
      next();
      ends = line.ends;
    }
    if (settledAt === ends) continue;
    if (write.isOver(line)) next();
    write.add(line);
    if (!isOutcome(line.entry) || !write.isSettled) continue;
    next();
    if (ofMany && ends === 0) settledAt = ends;
  }
  next();
  return whole.toReversed().flat();
}

class Write {
  readonly #parts: OpenPart[] = [];
  #place: Place | undefined;
  #begun: string | undefined;
  /** It is done, or refused for what it is: it is not sent again. */
  get isSettled(): boolean {
    const [part, ...others] = this.#parts;
    return part?.last !== undefined && others.length === 0 && isSettled(part.lines.result());
  }

  /** Does the line begin with the same once more, as a program may with one that was not done? */
  isOver({ entry }: WriteLine): boolean {
    if (isOutcome(entry) || entry.attempt !== 1) return false;
    return this.#begun !== entry.at && this.#parts.some(({ lines }) => lines.result().attempts > 0);
  }

  add({ entry, resumed, position, index }: WriteLine): void {
    this.#place ??= { position, index };
    const { at, attempt } = entry;
    if (isOutcome(entry)) {
      const part = this.#parts.findLast(({ lines }) => lines.has(attempt)) ?? this.#partOfNow(resumed);
      part.lines.outcome(attempt, entry);
      return;
    }
    if (attempt === 1) this.#begun ??= at;
    const part = this.#partOfNow(resumed);
    part.lines.sent(attempt);
    if (attempt >= (part.last?.attempt ?? 0))
      part.last = { at, attempt, ...(entry.type === "sent" && { own: entry }) };
  }

  parts(): WritePart[] {
    return this.#parts.toReversed().flatMap(({ lines, resumed, last }) => {
      const place = this.#place;
      return last && place ? [{ lines, resumed, last, place }] : [];
    });
  }

  /** What another process left unknown stays so, whatever comes of the order later. */
  #partOfNow(resumed: number): OpenPart {
    const last = this.#parts.at(-1);
    if (last && (last.resumed === resumed || last.lines.result().outcome !== "unknown")) {
      last.resumed = resumed;
      return last;
    }
    const part = { lines: new WriteLines(last?.lines), resumed };
    this.#parts.push(part);
    return part;
  }
}
