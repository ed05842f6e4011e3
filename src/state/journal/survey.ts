/**
 * What a reader who begins at the end of a file has to know of its beginning: its runs, and how late the moments are that
 * are still to come. Lines of writes, which are nearly all, are not parsed for that.
 */
import type { OpenLines, LogLine } from "../files/log-lines.js";
import type { Author, JournalEntry, RunEntry } from "./entries.js";
import { LostLines, type MachineStart } from "./lost-lines.js";

/** A run of many orders. */
export interface SurveyedRun {
  entry?: RunEntry;
  /** Who resumed it, in turn. */
  readonly resumed: Author[];
  /** How often it was ended with nothing left to resume. */
  ends: number;
  /** May orders have been sent without a line that is left? */
  isInDoubt: boolean;
}

/** Orders that may have been sent without a line that is left. */
export interface Loss {
  readonly run: string;
  readonly orders: readonly string[];
  /** When who had the run began with it (ISO 8601). */
  readonly since: string;
  /** Of the line that brings it to light; {@link OpenLines.end} for the machine as it is now. */
  readonly position: number;
}

/** A line at which it is known how late the moments are of all lines before it (milliseconds since the epoch). */
export interface Mark {
  readonly position: number;
  readonly latestBefore: number;
}

export interface Survey {
  readonly runs: ReadonlyMap<string, SurveyedRun>;
  readonly losses: readonly Loss[];
  readonly marks: readonly Mark[];
  /** Of all lines. */
  readonly latest: number;
}

/** Lines from one mark to the next. */
const usualLines = 256;

const head = /^\{"v":1,"at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","run":"[^"\\]{1,40}","type":"(\w+)"/;
const headBytes = 120;
const writes: ReadonlySet<string> = new Set(["sent", "outcome", "orders_sent", "orders_outcome"]);

/** When the line of a write was written (ISO 8601); `undefined` for other lines, and those that another program wrote. */
export function momentOfWrite({ bytes }: LogLine): string | undefined {
  const [, at, type = ""] = head.exec(bytes.toString("latin1", 0, headBytes)) ?? [];
  return writes.has(type) ? at : undefined;
}

export function surveyOf(
  lines: OpenLines<JournalEntry>,
  start: MachineStart,
  markEvery = usualLines,
): Survey {
  const runs = new Runs(start);
  const marks: Mark[] = [];
  let [count, latest] = [0, -Infinity];
  let last = { at: "", moment: -Infinity };
  for (const line of lines.forwards()) {
    let at = momentOfWrite(line);
    const entry = at === undefined ? lines.entryOf(line) : undefined;
    at ??= entry?.at;
    if (count % markEvery === 0) marks.push({ position: line.position, latestBefore: latest });
    count += 1;
    if (at === undefined) continue;
    if (at !== last.at) last = { at, moment: Date.parse(at) };
    if (last.moment > latest) latest = last.moment;
    if (entry) runs.add(entry, line.position);
  }
  runs.end(lines.end);
  return { runs: runs.runs, losses: runs.losses, marks, latest };
}

class Runs {
  readonly runs = new Map<string, SurveyedRun>();
  readonly losses: Loss[] = [];
  /** Of each run that has something left to resume. */
  readonly #lost = new Map<string, LostLines>();
  readonly #start: MachineStart;

  constructor(start: MachineStart) {
    this.#start = start;
  }

  add(entry: JournalEntry, position: number): void {
    this.#addLost(entry, position);
    switch (entry.type) {
      case "run":
        this.#of(entry.run).entry = entry;
        this.#lost.set(entry.run, new LostLines(entry, this.#start));
        break;
      case "resumed":
        this.#of(entry.run).resumed.push(entry);
        break;
      case "end":
        if (!entry.settled) break;
        this.#of(entry.run).ends += 1;
        this.#lost.delete(entry.run);
        break;
      default:
    }
  }

  end(position: number): void {
    for (const [run, lost] of this.#lost) this.#lose(run, lost.since, lost.end(), position);
  }

  #of(run: string): SurveyedRun {
    const known = this.runs.get(run) ?? { resumed: [], ends: 0, isInDoubt: false };
    this.runs.set(run, known);
    return known;
  }

  #addLost(entry: JournalEntry, position: number): void {
    const lost = this.#lost.get(entry.run);
    if (!lost) return;
    const { since } = lost;
    this.#lose(entry.run, since, lost.add(entry), position);
  }

  #lose(run: string, since: string | undefined, orders: readonly string[], position: number): void {
    if (orders.length === 0 || since === undefined) return;
    this.#of(run).isInDoubt = true;
    this.losses.push({ run, orders, since, position });
  }
}
