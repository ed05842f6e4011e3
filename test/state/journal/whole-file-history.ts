/**
 * The rows of a file, made the plain way: of all of its lines in their order, held until the last one. What `history` tells
 * is held against it.
 */
import { WriteLines, writeKey } from "../../../src/state/journal/attempts.js";
import type { Author, JournalEntry, RunEntry, SentEntry } from "../../../src/state/journal/entries.js";
import type { HistoryFilter, HistoryRow } from "../../../src/state/journal/history-rows.js";
import { isSettled } from "../../../src/state/journal/resume.js";

export function rowsOfWholeFile(
  entries: Iterable<JournalEntry>,
  filter: HistoryFilter,
): readonly HistoryRow[] {
  const writes = new WritesOfFile(filter);
  for (const entry of entries) writes.add(entry);
  return writes.end();
}

function isWanted(row: HistoryRow, { since = -Infinity, ...filter }: HistoryFilter): boolean {
  const at = Date.parse(row.at);
  return (
    at >= since &&
    (filter.store === undefined || (filter.storeNow?.(row) ?? row.store) === filter.store) &&
    (filter.outcome === undefined || row.outcome === filter.outcome) &&
    (filter.operation === undefined || row.operation === filter.operation)
  );
}

/** What the lines say of one write: of all of it, or of what came after it was left unknown. */
interface Collected {
  readonly lines: WriteLines;
  /** How often its run had been resumed when its last request was sent. */
  resumed: number;
  /** The last request: when, and what is known of it beyond its run. */
  last?: Last;
}

interface Last {
  readonly at: string;
  readonly attempt: number;
  readonly own?: SentEntry;
}

type AttemptEntry = Extract<JournalEntry, { readonly attempt: number }>;

function lastOf(entry: AttemptEntry): Last {
  const { at, attempt } = entry;
  return { at, attempt, ...(entry.type === "sent" && { own: entry }) };
}

/** The writes of a run. */
interface WritesOfRun {
  /** By their key; the parts of a write in turn. */
  readonly open: Map<string, { readonly number: number; readonly parts: Collected[] }>;
  /** Those that are settled, while the run isn't ended. */
  readonly settled: Set<string>;
}

class WritesOfFile {
  readonly #rows: { readonly row: HistoryRow; readonly place: number }[] = [];
  readonly #writes = new Map<string, WritesOfRun>();
  /** How many writes the file has named so far. */
  #places = 0;
  readonly #runs = new Map<string, RunEntry>();
  /** Who resumed a run, in turn. */
  readonly #resumed = new Map<string, Author[]>();
  /** Runs that aren't settled. */
  readonly #unsettled = new Set<string>();
  readonly #filter: HistoryFilter;
  readonly #order: string | undefined;

  constructor(filter: HistoryFilter) {
    this.#filter = filter;
    this.#order = filter.order;
  }

  /** To be called in the order of the lines: only that tells which process sent what, however close they were. */
  add(entry: JournalEntry): void {
    const order = this.#order;
    switch (entry.type) {
      case "run":
        this.#runs.set(entry.run, entry);
        this.#unsettled.add(entry.run);
        break;
      case "resumed":
        this.#resumed.set(entry.run, [...(this.#resumed.get(entry.run) ?? []), entry]);
        break;
      case "sent":
      case "outcome":
        if (order !== undefined && entry.order_id !== order) break;
        this.#addLine(writeKey(entry), entry, lastOf(entry));
        break;
      case "orders_sent":
      case "orders_outcome": {
        const last = lastOf(entry);
        for (const each of order === undefined ? entry.orders : entry.orders.filter((id) => id === order))
          this.#addLine(each, entry, last);
        break;
      }
      case "end":
        if (entry.settled) this.#endRun(entry.run);
        break;
      case "orders":
    }
  }

  /** To be called when all lines have been added. */
  end(): readonly HistoryRow[] {
    for (const run of [...this.#writes.keys()]) this.#endRun(run);
    const moment = ({ row }: { readonly row: HistoryRow }) => Date.parse(row.at);
    return this.#rows.sort((a, b) => moment(b) - moment(a) || a.place - b.place).map(({ row }) => row);
  }

  /** One that is done, or refused for what it is, is not sent again, so that nothing more is said of it. */
  #settle(run: string, key: string): void {
    const ofRun = this.#writes.get(run);
    const [part, ...others] = ofRun?.open.get(key)?.parts ?? [];
    if (!ofRun || !part?.last || others.length > 0 || !isSettled(part.lines.result())) return;
    this.#pack(run, ofRun, key);
    if (this.#unsettled.has(run)) ofRun.settled.add(key);
    else if (ofRun.open.size === 0) this.#writes.delete(run);
  }

  #endRun(run: string): void {
    const ofRun = this.#writes.get(run);
    this.#unsettled.delete(run);
    if (ofRun) for (const key of [...ofRun.open.keys()]) this.#pack(run, ofRun, key);
    this.#writes.delete(run);
  }

  #pack(run: string, ofRun: WritesOfRun, key: string): void {
    const write = ofRun.open.get(key);
    ofRun.open.delete(key);
    for (const part of write?.parts.toReversed() ?? []) {
      const row = this.#row(run, key, part);
      if (row && isWanted(row, this.#filter)) this.#rows.push({ row, place: write?.number ?? 0 });
    }
  }

  #of(run: string, key: string): Collected[] {
    const ofRun: WritesOfRun = this.#writes.get(run) ?? { open: new Map(), settled: new Set() };
    this.#writes.set(run, ofRun);
    const known = ofRun.open.get(key) ?? { number: (this.#places += 1), parts: [] };
    ofRun.open.set(key, known);
    return known.parts;
  }

  /** @param last of this entry: one for all of its orders */
  #addLine(key: string, entry: AttemptEntry, last: Last): void {
    const { run, type } = entry;
    const ofRun = this.#writes.get(run);
    if (ofRun?.settled.has(key)) return;
    const begins = (type === "sent" || type === "orders_sent") && entry.attempt === 1;
    // The same call was made once more.
    if (begins && ofRun?.open.get(key)?.parts.some(({ lines }) => lines.result().attempts > 0))
      this.#pack(run, ofRun, key);
    this.#addTo(this.#of(run, key), entry, last);
    if (type === "outcome" || type === "orders_outcome") this.#settle(run, key);
  }

  #addTo(parts: Collected[], entry: AttemptEntry, last: Last): void {
    const { attempt } = entry;
    if (entry.type === "outcome" || entry.type === "orders_outcome") {
      const part = parts.findLast(({ lines }) => lines.has(attempt)) ?? this.#partOfNow(parts, entry.run);
      part.lines.outcome(attempt, entry);
      return;
    }
    const part = this.#partOfNow(parts, entry.run);
    part.lines.sent(attempt);
    if (attempt >= (part.last?.attempt ?? 0)) part.last = last;
  }

  /** What another process left unknown stays so, whatever comes of the order later. */
  #partOfNow(parts: Collected[], run: string): Collected {
    const resumed = this.#resumed.get(run)?.length ?? 0;
    const last = parts.at(-1);
    if (last && (last.resumed === resumed || last.lines.result().outcome !== "unknown")) {
      last.resumed = resumed;
      return last;
    }
    const part = { lines: new WriteLines(last?.lines), resumed };
    parts.push(part);
    return part;
  }

  /** `undefined` where the line that says what was sent is lost. */
  #row(run: string, key: string, { lines, last, resumed }: Collected): HistoryRow | undefined {
    if (!last) return undefined;
    const { at, own } = last;
    const result = lines.result();
    if (own) {
      const { store, environment, user, actor, operation, order_id } = own;
      const who = { user, ...(actor !== undefined && { actor }) };
      const what = { operation, order_id, arguments: own.arguments };
      return { at, run, store, environment, ...what, ...result, ...who };
    }
    const entry = this.#runs.get(run);
    if (!entry) return undefined;
    const { store, environment, operation, reason } = entry;
    const what = { operation, order_id: key, arguments: reason === undefined ? {} : { reason } };
    return { at, run, store, environment, ...what, ...result, ...this.#author(entry, resumed) };
  }

  /** Who had the run then. */
  #author(entry: RunEntry, resumed: number): Author {
    const { user, actor } = this.#resumed.get(entry.run)?.[resumed - 1] ?? entry;
    return { user, ...(actor !== undefined && { actor }) };
  }
}
