/**
 * What this machine did, from the journal: a row for each write, newest first. A write that was unknown when another
 * process went on with it has a row for what it was until then, and one for what came later.
 */
import { t } from "../../shared/language.js";
import type { StateFolder } from "../state-folder.js";
import { WriteLines, writeKey, type WriteResult } from "./attempts.js";
import type { Author, JournalEntry, Place, RunEntry, SentEntry, Write } from "./entries.js";
import { journalFiles, machineStart, openJournalFile, type JournalFile } from "./journal-files.js";
import { LostLines, type MachineStart } from "./lost-lines.js";

/** One write, or what one process made of it. */
export interface HistoryRow extends Place, Author, Write, WriteResult {
  /** When its last request was sent (ISO 8601, UTC). */
  readonly at: string;
  readonly run: string;
}

export interface HistoryFilter {
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly order?: string | undefined;
  readonly store?: string | undefined;
  readonly outcome?: string | undefined;
  readonly operation?: string | undefined;
}

/**
 * File by file, from the newest on: no more than one file's writes are held.
 *
 * @throws {ComandaError} `state_unusable`
 */
export function* readHistory(state: StateFolder, filter: HistoryFilter): Generator<readonly HistoryRow[]> {
  const lacks = { newer: false };
  for (const file of journalFiles(state)) {
    const log = openJournalFile(state, file, () => (lacks.newer = true));
    const rows = rowsOf(log.read(), filter, machineStart(state));
    if (rows.length > 0) yield rows;
  }
  if (lacks.newer)
    state.warn(t`The journal has lines that a newer comanda wrote: what they say is not shown.`);
}

/** The rows of one file's lines, newest first. */
function rowsOf(
  entries: Iterable<JournalEntry>,
  filter: HistoryFilter,
  start: MachineStart,
): readonly HistoryRow[] {
  const writes = new WritesOfFile(filter, start);
  for (const entry of entries) writes.add(entry);
  writes.end();
  return writes
    .rows()
    .filter((row) => isWanted(row, filter))
    .sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1));
}

function isWanted(
  row: HistoryRow,
  { since = -Infinity, until = Infinity, ...filter }: HistoryFilter,
): boolean {
  const at = Date.parse(row.at);
  return (
    at >= since &&
    at <= until &&
    (filter.store === undefined || row.store === filter.store) &&
    (filter.outcome === undefined || row.outcome === filter.outcome) &&
    (filter.operation === undefined || row.operation === filter.operation)
  );
}

/** What the lines say of one write: of all of it, or of what came after it was left unknown. */
interface Collected {
  readonly lines: WriteLines;
  /** How often its run had been gone on with when its last request was sent. */
  resumed: number;
  /** The last request: when, and what is known of it beyond its run. */
  last?: { readonly at: string; readonly attempt: number; readonly own?: SentEntry };
}

type AttemptEntry = Extract<JournalEntry, { readonly attempt: number }>;

class WritesOfFile {
  /** By run, then by write; the parts of a write in turn. */
  readonly #writes = new Map<string, Map<string, Collected[]>>();
  readonly #runs = new Map<string, RunEntry>();
  /** Who went on with a run, in turn. */
  readonly #resumed = new Map<string, Author[]>();
  /** Of each run that isn't settled. */
  readonly #lost = new Map<string, LostLines>();
  readonly #order: string | undefined;
  readonly #start: MachineStart;

  constructor({ order }: HistoryFilter, start: MachineStart) {
    this.#order = order;
    this.#start = start;
  }

  /** To be called in the order of the lines: only that tells which process sent what, however close they were. */
  add(entry: JournalEntry): void {
    const order = this.#order;
    this.#addLost(entry);
    switch (entry.type) {
      case "run":
        this.#runs.set(entry.run, entry);
        this.#lost.set(entry.run, new LostLines(entry, this.#start));
        break;
      case "resumed":
        this.#resumed.set(entry.run, [...(this.#resumed.get(entry.run) ?? []), entry]);
        break;
      case "sent":
      case "outcome":
        if (order !== undefined && entry.order_id !== order) break;
        this.#addTo(this.#of(entry.run, writeKey(entry)), entry);
        break;
      case "orders_sent":
      case "orders_outcome":
        for (const each of order === undefined ? entry.orders : entry.orders.filter((id) => id === order))
          this.#addTo(this.#of(entry.run, each), entry);
        break;
      case "end":
        if (entry.settled) this.#lost.delete(entry.run);
        break;
      case "orders":
      case "released":
    }
  }

  /** To be called when all lines have been added. */
  end(): void {
    for (const [run, lost] of this.#lost) this.#markLost(run, lost, lost.end());
  }

  #addLost(entry: JournalEntry): void {
    const lost = this.#lost.get(entry.run);
    if (!lost) return;
    const { since } = lost;
    this.#markLost(entry.run, { since }, lost.add(entry));
  }

  /** They may have been sent without a line: who sent them had the run until then. */
  #markLost(run: string, { since: at = "" }: Pick<LostLines, "since">, orders: readonly string[]): void {
    for (const order of orders) {
      if (this.#order !== undefined && order !== this.#order) continue;
      const parts = this.#of(run, order);
      const part = this.#partOfNow(parts, run);
      part.lines.mayLackOne();
      part.last ??= { at, attempt: 0 };
    }
  }

  #of(run: string, key: string): Collected[] {
    const ofRun = this.#writes.get(run) ?? new Map<string, Collected[]>();
    this.#writes.set(run, ofRun);
    const known = ofRun.get(key) ?? [];
    ofRun.set(key, known);
    return known;
  }

  #addTo(parts: Collected[], entry: AttemptEntry): void {
    const { at, attempt } = entry;
    if (entry.type === "outcome" || entry.type === "orders_outcome") {
      const part = parts.findLast(({ lines }) => lines.has(attempt)) ?? this.#partOfNow(parts, entry.run);
      part.lines.outcome(attempt, entry);
      return;
    }
    const part = this.#partOfNow(parts, entry.run);
    part.lines.sent(attempt);
    if (attempt >= (part.last?.attempt ?? 0))
      part.last = { at, attempt, ...(entry.type === "sent" && { own: entry }) };
  }

  /** What another process left unknown stays so, whatever comes of the order later. */
  #partOfNow(parts: Collected[], run: string): Collected {
    const resumed = this.#resumed.get(run)?.length ?? 0;
    const last = parts.at(-1);
    if (last && (last.resumed === resumed || last.lines.result().outcome !== "unknown")) {
      last.resumed = resumed;
      return last;
    }
    const part = { lines: new WriteLines(), resumed };
    parts.push(part);
    return part;
  }

  rows(): HistoryRow[] {
    return [...this.#writes].flatMap(([run, writes]) =>
      [...writes].flatMap(([key, parts]) =>
        [...parts].reverse().flatMap((part) => this.#row(run, key, part) ?? []),
      ),
    );
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

/**
 * Removes what was written before a moment: the files whose last line is older. One with a run that a process has now
 * stays: it could not be gone on with any more.
 *
 * @param before milliseconds since the epoch
 * @param isRunning does a process have this run now?
 * @throws {ComandaError} `state_unusable`
 */
export async function clearHistory(
  state: StateFolder,
  before: number,
  isRunning: (run: RunEntry) => Promise<boolean>,
): Promise<{ readonly removed: number; readonly kept: number }> {
  let [removed, kept] = [0, 0];
  for (const file of journalFiles(state)) {
    const { lastLineAt, open } = summaryOf(state, file);
    if (lastLineAt >= before) continue;
    const running = await Promise.all(open.map(isRunning));
    if (running.includes(true)) kept += 1;
    else {
      state.files.remove(file.path);
      removed += 1;
    }
  }
  return { removed, kept };
}

/** When a file was written to, and its runs that have no end. */
function summaryOf(state: StateFolder, file: JournalFile) {
  let lastLineAt = -Infinity;
  const runs = new Map<string, RunEntry>();
  const ended = new Set<string>();
  for (const entry of openJournalFile(state, file).read()) {
    lastLineAt = Math.max(lastLineAt, Date.parse(entry.at));
    if (entry.type === "run") runs.set(entry.run, entry);
    if (entry.type === "resumed") ended.delete(entry.run);
    if (entry.type === "end") ended.add(entry.run);
  }
  return { lastLineAt, open: [...runs.values()].filter(({ run }) => !ended.has(run)) };
}
