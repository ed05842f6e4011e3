/**
 * The rows of one file, newest first. The file is read from its end, where the newest lines are, so that the first rows are
 * known before most of it was read, and those that were told need no memory.
 *
 * Lines don't always stand in the order of their moments: processes write at the same time, and clocks are set back. So a
 * survey of the file comes first, which says how late the moments are that are still to come: a row is told once all of
 * them are earlier. Rows of one moment are told in the order of their first lines.
 */
import type { LogLine, OpenLines } from "../files/log-lines.js";
import type { StoreNow } from "../settings/store-settings.js";
import { writeKey, type WriteResult } from "./attempts.js";
import type { Author, JournalEntry, Place as StorePlace, RunEntry, Write } from "./entries.js";
import { momentOfWrite, surveyOf, type Survey, type SurveyedRun } from "./survey.js";
import {
  isOutcome,
  partsOfWrite,
  type AttemptEntry,
  type Place,
  type WriteLine,
  type WritePart,
} from "./write-parts.js";

/** One write, or what one process made of it. */
export interface HistoryRow extends StorePlace, Author, Write, WriteResult {
  /** When its last request was sent (ISO 8601, UTC). */
  readonly at: string;
  readonly run: string;
}

export interface HistoryFilter {
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly order?: string | undefined;
  /** As it is called now. */
  readonly store?: string | undefined;
  /** How a store is called now; without it, as it was then. */
  readonly storeNow?: StoreNow | undefined;
  readonly outcome?: string | undefined;
  readonly operation?: string | undefined;
}

/** Rows that are told at once. */
const pieceRows = 1000;

export function* rowsOfFile(
  lines: OpenLines<JournalEntry>,
  filter: HistoryFilter,
  markEvery?: number,
): Generator<readonly HistoryRow[]> {
  const { since = -Infinity } = filter;
  const survey = surveyOf(lines, markEvery);
  if (survey.latest < since) return;
  const writes = new Writes(filter, survey, lines);
  const marks = [...survey.marks];
  let mark = marks.pop();
  for (const line of lines.backwards()) {
    writes.add(line);
    if (line.position !== mark?.position) continue;
    const bound = Math.max(mark.latestBefore, writes.latestOpen);
    yield* writes.take(bound);
    if (bound < since) return;
    mark = marks.pop();
  }
  writes.end();
  yield* writes.take(-Infinity);
}

/** A row that is whole. */
interface Ready extends Place {
  readonly at: number;
  readonly row: HistoryRow;
  /** Of one write, the later ones are told first. */
  readonly part: number;
}

/** A write of which earlier lines may come. */
interface OpenWrite {
  /** The later ones first. */
  readonly lines: WriteLine[];
  /** Of its requests: the latest moment that is known so far. */
  latest: number;
}

/** How often a run had been resumed, and ended, where the reader is. */
interface Passed {
  resumed: number;
  ends: number;
}

class Writes {
  readonly #filter: HistoryFilter;
  readonly #survey: Survey;
  readonly #lines: OpenLines<JournalEntry>;
  /** The order's id as it stands in a line. */
  readonly #order: string | undefined;
  /** By run and key. */
  readonly #open = new Map<string, Map<string, OpenWrite>>();
  /** Of those, the ones that are known to have been sent. */
  readonly #sent = new Set<OpenWrite>();
  readonly #passed = new Map<string, Passed>();
  #ready: Ready[] = [];

  constructor(filter: HistoryFilter, survey: Survey, lines: OpenLines<JournalEntry>) {
    this.#filter = filter;
    this.#survey = survey;
    this.#lines = lines;
    this.#order = filter.order === undefined ? undefined : JSON.stringify(filter.order);
    for (const [run, { resumed, ends }] of survey.runs)
      this.#passed.set(run, { resumed: resumed.length, ends });
  }

  /** The latest moment of those writes that aren't whole yet. */
  get latestOpen(): number {
    let latest = -Infinity;
    for (const write of this.#sent) if (write.latest > latest) latest = write.latest;
    return latest;
  }

  /** To be called with each line, from the last one on. */
  add(line: LogLine): void {
    const { order } = this.#filter;
    // Most lines are of other orders.
    if (this.#order !== undefined && !line.bytes.includes(this.#order) && momentOfWrite(line) !== undefined)
      return;
    const entry = this.#lines.entryOf(line);
    if (!entry) return;
    const { position } = line;
    switch (entry.type) {
      case "sent":
      case "outcome":
        if (order === undefined || entry.order_id === order)
          this.#addLine(writeKey(entry), entry, { position, index: 0 });
        break;
      case "orders_sent":
      case "orders_outcome":
        for (const [index, each] of entry.orders.entries())
          if (order === undefined || each === order) this.#addLine(each, entry, { position, index });
        break;
      case "run":
        this.#endRun(entry.run);
        break;
      case "resumed":
        this.#passedBy(entry.run).resumed -= 1;
        break;
      case "end":
        if (entry.settled) this.#passedBy(entry.run).ends -= 1;
        break;
      default:
    }
  }

  /** To be called after the first line. */
  end(): void {
    for (const run of [...this.#open.keys()]) this.#endRun(run);
  }

  /** @returns the rows that are later than the moment, in pieces */
  *take(moment: number): Generator<readonly HistoryRow[]> {
    const taken = this.#ready.filter(({ at }) => at > moment);
    if (taken.length === 0) return;
    this.#ready = this.#ready.filter(({ at }) => at <= moment);
    taken.sort((a, b) => b.at - a.at || a.position - b.position || a.index - b.index || a.part - b.part);
    for (let from = 0; from < taken.length; from += pieceRows)
      yield taken.slice(from, from + pieceRows).map(({ row }) => row);
  }

  #passedBy(run: string): Passed {
    return this.#passed.get(run) ?? { resumed: 0, ends: 0 };
  }

  #addLine(key: string, entry: AttemptEntry, place: Place): void {
    const { run, at } = entry;
    const write = this.#of(run, key);
    write.lines.push({ entry, ...place, ...this.#passedBy(run) });
    if (isOutcome(entry)) return;
    this.#isSent(write, at);
    if (entry.attempt === 1 && !this.#mayHaveMore) this.#complete(run, key, write);
  }

  #isSent(write: OpenWrite, at: string): void {
    write.latest = Math.max(write.latest, Date.parse(at));
    this.#sent.add(write);
  }

  /** May a write have lines before that of its first request? What is in two files may stand in both. */
  get #mayHaveMore(): boolean {
    return this.#lines.pieces > 1;
  }

  #of(run: string, key: string): OpenWrite {
    let writes = this.#open.get(run);
    if (!writes) this.#open.set(run, (writes = new Map<string, OpenWrite>()));
    let write = writes.get(key);
    if (!write) writes.set(key, (write = { lines: [], latest: -Infinity }));
    return write;
  }

  /** Nothing more of the run comes. */
  #endRun(run: string): void {
    for (const [key, write] of this.#open.get(run) ?? []) this.#complete(run, key, write);
  }

  #complete(run: string, key: string, write: OpenWrite): void {
    const writes = this.#open.get(run);
    writes?.delete(key);
    if (writes?.size === 0) this.#open.delete(run);
    this.#sent.delete(write);
    const surveyed = this.#survey.runs.get(run);
    const parts = partsOfWrite(write.lines.toReversed(), surveyed?.entry !== undefined);
    for (const [part, each] of parts.entries()) {
      const row = rowOf(run, key, each, surveyed);
      if (!row || !isWanted(row, this.#filter)) continue;
      this.#ready.push({ row, at: Date.parse(row.at), part, ...each.place });
    }
  }
}

/** `undefined` where the line that says what was sent is lost. */
function rowOf(
  run: string,
  key: string,
  { lines, last, resumed }: WritePart,
  surveyed: SurveyedRun | undefined,
): HistoryRow | undefined {
  const { at, own } = last;
  const result = lines.result();
  if (own) {
    const { store, environment, user, actor, operation, order_id } = own;
    const who = { user, ...(actor !== undefined && { actor }) };
    const what = { operation, order_id, arguments: own.arguments };
    return { at, run, store, environment, ...what, ...result, ...who };
  }
  const entry = surveyed?.entry;
  if (!entry) return undefined;
  const { store, environment, operation, reason } = entry;
  const what = { operation, order_id: key, arguments: reason === undefined ? {} : { reason } };
  return { at, run, store, environment, ...what, ...result, ...authorOf(entry, surveyed.resumed, resumed) };
}

/** Who had the run then. */
function authorOf(entry: RunEntry, authors: readonly Author[], resumed: number): Author {
  const { user, actor } = authors[resumed - 1] ?? entry;
  return { user, ...(actor !== undefined && { actor }) };
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
