/**
 * The answers to questions about sales that this machine has kept: in the data folder one folder for each store, in it
 * one file for each month in which a window begins. Files are only appended to.
 */
import { createHash } from "node:crypto";
import path from "node:path";

import type { GroupedSummaryQuery, SummaryQuery } from "../../client/index.js";
import { summaryPeriodMonths } from "../../contract/limits.js";
import type { Dimension } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { openAppendLog, type AppendLog } from "../files/append-log.js";
import type { StateFolder } from "../state-folder.js";
import { parseEntry, questionOf, questionText, subjectText, type Entry } from "./entry.js";
import { keptMonths, ledgerFolder } from "./ledger-files.js";

/** Whose answers. Those of one sign-in never pass for another's. */
export interface LedgerStore {
  /** The folder's name; see `storeFileName`. */
  readonly folder: string;
  /** What the store is called. */
  readonly store: string;
  /** The environment's address. */
  readonly environment: string;
  readonly signIn: string;
}

type Query = SummaryQuery | GroupedSummaryQuery;
type Answer = Entry["answer"];

export interface Ledger {
  /** Every answer to this question, in the order in which they were kept. */
  history(query: Query): readonly Entry[];
  /** Every answer to the same question about a window that has a part of this one; by month, then as they were kept. */
  overlapping(query: Query): readonly Entry[];
  /** Every answer by a dimension, the newest windows first. */
  answersBy(dimension: Dimension): Iterable<Entry>;
  /**
   * Resolves when the answer is on the disk.
   *
   * @throws {ComandaError} `state_unusable`
   */
  keep(query: Query, askedAt: number, answer: Answer): Promise<void>;
  /** Of all that ask this question at the same time, in whatever process, one does its work at a time. */
  share<Result>(query: Query, work: () => Promise<Result>, options: ShareOptions): Promise<Result>;
}

export interface ShareOptions {
  /** How long another process may take, in milliseconds; who waited for longer doesn't wait any more. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** @param data the folder that `dataFolder` names */
export function openLedger(data: StateFolder, own: LedgerStore): Ledger {
  const folder = path.join(ledgerFolder(data), own.folder);
  const months = new Map<string, Month>();

  function monthOf({ start_date: from }: Query): Month {
    return monthNamed(from.slice(0, 7));
  }

  function monthNamed(name: string): Month {
    const month = months.get(name) ?? openMonth(data, path.join(folder, `${name}.jsonl`), own);
    months.set(name, month);
    return month;
  }

  return {
    history: (query) => monthOf(query).answersTo(questionText(questionOf(query))),
    overlapping(query) {
      const asked = questionOf(query);
      return monthsThatReach(asked)
        .flatMap((name) => monthNamed(name).answersAbout(subjectText(asked)))
        .filter(({ from, to }) => !isLater(from, asked.to) && !isLater(asked.from, to));
    },
    *answersBy(dimension) {
      for (const month of monthsOf(data, own.folder)) yield* monthNamed(month).answersBy(dimension);
    },
    keep: (query, askedAt, answer) =>
      monthOf(query).add({
        version: 1,
        asked_at: new Date(askedAt).toISOString(),
        store: own.store,
        environment: own.environment,
        sign_in: own.signIn,
        endpoint: "group_by" in query ? "grouped" : "summary",
        ...questionOf(query),
        filters: [...questionOf(query).filters],
        answer,
      }),
    async share(query, work, { waitMs, signal }) {
      const lock = lockName(own, questionText(questionOf(query)));
      const begun = { work: false };
      try {
        return await data.locks.run(
          lock,
          async () => {
            begun.work = true;
            monthOf(query).forget();
            return await work();
          },
          { waitMs, signal },
        );
      } catch (error) {
        // To ask twice is better than not to ask.
        if (begun.work || !(error instanceof ComandaError) || !lockFailures.has(error.code)) throw error;
        return await work();
      }
    },
  };
}

/** A folder that can't be used holds no answers: keeping them says why. */
function monthsOf(data: StateFolder, folder: string): readonly string[] {
  try {
    return keptMonths(data, folder);
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return [];
  }
}

/** The months in which a window may begin that has a part of this one: windows are 6 months long at most. */
function monthsThatReach({ from, to }: Pick<Entry, "from" | "to">): readonly string[] {
  const [year = 0, month = 0] = from.split("-").map(Number);
  const names: string[] = [];
  for (let back = summaryPeriodMonths + 1; ; back -= 1) {
    const name = new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7);
    if (name > to.slice(0, 7)) return names;
    names.push(name);
  }
}

function isLater(one: string, other: string): boolean {
  return Date.parse(one) > Date.parse(other);
}

const lockFailures: ReadonlySet<string> = new Set(["lock_timeout", "state_unusable"]);

function lockName({ environment, signIn, folder }: LedgerStore, question: string): string {
  const digest = createHash("sha256").update(JSON.stringify([environment, signIn, folder, question]));
  return `figures-${digest.digest("hex").slice(0, 32)}`;
}

/** One file, read when it is asked about for the first time. */
interface Month {
  answersTo(question: string): readonly Entry[];
  /** @param subject as `subjectText` */
  answersAbout(subject: string): readonly Entry[];
  /** The newest first. */
  answersBy(dimension: Dimension): readonly Entry[];
  add(entry: Entry): Promise<void>;
  /** Another process may have written. */
  forget(): void;
}

function openMonth(data: StateFolder, file: string, own: LedgerStore): Month {
  const log = openAppendLog<Line>(data.files, file, { parse: (line) => line });
  let lines: readonly OwnLine[] | undefined;
  let [byQuestion, bySubject] = [new Map<string, OwnLine[]>(), new Map<string, OwnLine[]>()];
  const read = () => {
    if (lines) return;
    lines = ownLines(linesOf(log), own);
    byQuestion = grouped(lines, ({ question }) => question);
    bySubject = grouped(lines, ({ subject }) => subject);
  };
  const entries = (found: readonly OwnLine[] = []) => found.flatMap((one) => one.entry() ?? []);
  return {
    answersTo(question) {
      read();
      return entries(byQuestion.get(question));
    },
    answersAbout(subject) {
      read();
      return entries(bySubject.get(subject));
    },
    answersBy(dimension) {
      read();
      return entries(lines?.filter((one) => one.dimension === dimension)).toReversed();
    },
    async add(entry) {
      await log.append({ ...entry });
      lines = undefined;
    },
    forget() {
      lines = undefined;
    },
  };
}

type Line = Readonly<Record<string, unknown>>;

/** A file that others could have written holds no answers: they are asked for again, and keeping them says why. */
function linesOf(log: AppendLog<Line>): readonly Line[] {
  try {
    return [...log.read()];
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return [];
  }
}

interface OwnLine {
  /** As the line has it. */
  readonly dimension: unknown;
  readonly question: string;
  readonly subject: string;
  /** What a line holds beside its question is read when that is asked, and once: a month may have thousands. */
  entry(): Entry | undefined;
}

function ownLines(lines: readonly Line[], own: LedgerStore): readonly OwnLine[] {
  return lines
    .filter((line) => line["environment"] === own.environment && line["sign_in"] === own.signIn)
    .map((line) => {
      let read: { readonly entry: Entry | undefined } | undefined;
      return {
        dimension: line["dimension"],
        question: questionText(line),
        subject: subjectText(line),
        entry: () => (read ??= { entry: parseEntry(line) }).entry,
      };
    });
}

function grouped(lines: readonly OwnLine[], by: (line: OwnLine) => string): Map<string, OwnLine[]> {
  const found = new Map<string, OwnLine[]>();
  for (const line of lines) {
    const same = found.get(by(line));
    if (same) same.push(line);
    else found.set(by(line), [line]);
  }
  return found;
}
