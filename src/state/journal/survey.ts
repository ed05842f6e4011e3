/**
 * What a reader who begins at the end of a file has to know of its beginning: its runs, and how late the moments are that
 * are still to come. Lines of writes, which are nearly all, are not parsed for that.
 */
import type { OpenLines, LogLine } from "../files/log-lines.js";
import type { Author, JournalEntry, RunEntry } from "./entries.js";

/** A run of many orders. */
export interface SurveyedRun {
  entry?: RunEntry;
  /** Who resumed it, in turn. */
  readonly resumed: Author[];
  /** How often it was ended with nothing left to resume. */
  ends: number;
}

/** A line at which it is known how late the moments are of all lines before it (milliseconds since the epoch). */
export interface Mark {
  readonly position: number;
  readonly latestBefore: number;
}

export interface Survey {
  readonly runs: ReadonlyMap<string, SurveyedRun>;
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

export function surveyOf(lines: OpenLines<JournalEntry>, markEvery = usualLines): Survey {
  const runs = new Runs();
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
    if (entry) runs.add(entry);
  }
  return { runs: runs.runs, marks, latest };
}

class Runs {
  readonly runs = new Map<string, SurveyedRun>();

  add(entry: JournalEntry): void {
    switch (entry.type) {
      case "run":
        this.#of(entry.run).entry = entry;
        break;
      case "resumed":
        this.#of(entry.run).resumed.push(entry);
        break;
      case "end":
        if (entry.settled) this.#of(entry.run).ends += 1;
        break;
      default:
    }
  }

  #of(run: string): SurveyedRun {
    const known = this.runs.get(run) ?? { resumed: [], ends: 0 };
    this.runs.set(run, known);
    return known;
  }
}
