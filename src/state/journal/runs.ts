/** Runs of many orders: one begins, or an earlier one is found again and resumed. */

import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Lease } from "../locks/locks.js";
import type { StoreNow } from "../settings/store-settings.js";
import type { StateFolder } from "../state-folder.js";
import { WriteLines } from "./attempts.js";
import { entryVersion, type Fingerprint, type JournalEntry, type Place, type RunEntry } from "./entries.js";
import { differenceOf, type Difference, type OwnedCredential } from "./fingerprint.js";
import { isoNow, type Journal } from "./journal.js";
import { journalFiles, newRun, openJournalFile, type JournalFile, type RunFile } from "./journal-files.js";
import { digestOf, runPattern, type Earlier } from "./resume.js";
import { createRunLog, type RunLog } from "./run-log.js";

/** Ids on one line. */
const ordersOnALine = 1000;

export interface Run {
  readonly id: string;
  readonly log: RunLog;
  /** What earlier processes left of each order that they sent; nothing in a run that begins. */
  readonly earlier: ReadonlyMap<string, Earlier>;
}

/**
 * Where a run that begins now will be.
 *
 * @throws {ComandaError} `state_unusable`
 */
export function openRun({ state }: Pick<Journal, "state">): RunFile {
  return newRun(state, isoNow(state));
}

/**
 * Writes down what is going to be sent, and gives the journal its run. To be called with the run's lock held.
 *
 * @throws {ComandaError} `state_unusable`: nothing may be sent
 */
export async function beginRun(
  journal: Journal,
  { id, file }: RunFile,
  {
    verb,
    operation,
    reason,
    digest,
    fingerprint,
  }: Pick<RunEntry, "verb" | "operation" | "digest" | "fingerprint"> & {
    readonly reason?: string | undefined;
  },
  orders: readonly string[],
): Promise<Run> {
  const { state, place, author } = journal;
  const subject = { verb, operation, ...(reason !== undefined && { reason }) };
  const at = isoNow(state);
  const stamp = { v: entryVersion, at, run: id } as const;
  const log = openJournalFile(state, file);
  const lines: JournalEntry[] = [
    {
      ...stamp,
      type: "run",
      ...place,
      ...author(),
      ...subject,
      ...(fingerprint && { fingerprint }),
      count: orders.length,
      digest,
    },
  ];
  for (let from = 0; from < orders.length; from += ordersOnALine)
    lines.push({ ...stamp, type: "orders", orders: orders.slice(from, from + ordersOnALine) });
  await Promise.all(lines.map((line) => log.append(line)));
  const run = createRunLog({ state, id, log, attempts: new Map() });
  journal.join(run);
  return { id, log: run, earlier: new Map() };
}

export interface FoundRun {
  readonly entry: RunEntry;
  readonly file: JournalFile;
}

/** A run as it was left, and how whoever wants it differs from who began it. */
export interface WhoseRun extends FoundRun {
  readonly difference: Difference | undefined;
}

/** What a run has to be about to be resumed. */
export interface WantedRun {
  /** With the store as it is called now. */
  readonly place: Place;
  readonly fingerprint: Fingerprint;
  /** What calls are signed with. */
  readonly credential: OwnedCredential;
  readonly storeNow: StoreNow;
  readonly verb: string;
  /** The run's id; without it, the last one that isn't finished. */
  readonly id: string | undefined;
  /** Absent where the run's own list is meant. */
  readonly orders: readonly string[] | undefined;
}

/**
 * @throws {ComandaError} `invalid_input` where there is none, or it is about something else
 */
export function findRun(state: StateFolder, wanted: WantedRun): WhoseRun {
  const digest = wanted.orders && digestOf(wanted.orders);
  if (wanted.id !== undefined) return checkedRun(namedRun(state, wanted.id), wanted, digest);
  let [finished, others, newer] = [false, false, false];
  for (const file of journalFiles(state)) {
    const unfinished = new Map<string, RunEntry>();
    for (const entry of openJournalFile(state, file, () => (newer = true)).read()) {
      if (entry.type === "run" && isAbout(entry, wanted)) {
        if (entry.digest === digest) unfinished.set(entry.run, entry);
        else others = true;
      }
      if (entry.type === "end" && entry.settled) finished = unfinished.delete(entry.run) || finished;
    }
    const runs = [...unfinished.values()].map((entry) => ({
      entry,
      file,
      difference: differenceFrom(entry, wanted),
    }));
    const last = runs.findLast(({ difference }) => difference === undefined) ?? runs.at(-1);
    if (last) return last;
  }
  throw newer ? newerJournal() : noRun(wanted, finished, others);
}

/** What `--resume` can name: the runs since a moment that were cut short, the newest first. */
export function unfinishedRuns(state: StateFolder, since: number): readonly RunEntry[] {
  return journalFiles(state).flatMap((file) => {
    const unfinished = new Map<string, RunEntry>();
    for (const entry of openJournalFile(state, file).read()) {
      if (entry.type === "run" && Date.parse(entry.at) >= since) unfinished.set(entry.run, entry);
      if (entry.type === "end" && entry.settled) unfinished.delete(entry.run);
    }
    return [...unfinished.values()].reverse();
  });
}

function isAbout(entry: RunEntry, { verb, place, storeNow }: WantedRun): boolean {
  return entry.verb === verb && storeNow(entry) === place.store && entry.environment === place.environment;
}

function differenceFrom(
  { fingerprint }: RunEntry,
  { fingerprint: now, credential }: WantedRun,
): Difference | undefined {
  return differenceOf(fingerprint, now, credential);
}

function noRun({ verb }: WantedRun, finished: boolean, others: boolean): ComandaError {
  const why = finished
    ? t`Nothing is left to go on with: the last run of this list has come to its end.`
    : t`There is no unfinished run of "orders ${verb}" at this store with this list${others ? t`, only with others` : ""}.`;
  return new ComandaError("invalid_input", why, {
    hint: t`Nothing was sent. Leave --resume out to begin a run; \`comanda history\` shows what was sent.`,
  });
}

/** What a newer comanda sent for a run isn't known here: nothing may be sent on top of it. */
function newerJournal(): ComandaError {
  return new ComandaError("state_unusable", t`The journal has a run that a newer comanda wrote.`, {
    hint: t`Nothing was sent. Go on with the run by that version.`,
  });
}

function namedRun(state: StateFolder, id: string): FoundRun {
  const [, year, month] = runPattern.exec(id) ?? [];
  for (const file of journalFiles(state)) {
    if (file.month !== `${year}-${month}`) continue;
    const assertKnown = (run: string) => {
      if (run === id) throw newerJournal();
    };
    for (const entry of openJournalFile(state, file, assertKnown).read())
      if (entry.type === "run" && entry.run === id) return { entry, file };
  }
  throw new ComandaError("invalid_input", t`There is no run ${id} of several orders on this machine.`, {
    hint: t`\`comanda history\` shows the runs.`,
  });
}

function checkedRun(found: FoundRun, wanted: WantedRun, digest: string | undefined): WhoseRun {
  const { place, storeNow, verb } = wanted;
  const { entry } = found;
  const store = storeNow(entry);
  const refuse = (why: string, hint: string) =>
    new ComandaError("invalid_input", t`The run ${entry.run} ${why}.`, { hint });
  if (entry.verb !== verb)
    throw refuse(
      t`is one of "orders ${entry.verb}"`,
      t`To go on: comanda orders ${entry.verb} --resume ${entry.run}`,
    );
  if (store !== place.store || entry.environment !== place.environment) {
    const where = store ?? entry.environment;
    throw refuse(t`is one of ${where} (${entry.environment})`, t`Choose that store: --store ${where}`);
  }
  if (digest !== undefined && digest !== entry.digest)
    throw refuse(
      t`has another list of orders`,
      t`Leave the list out: comanda orders ${verb} --resume ${entry.run}`,
    );
  return { ...found, difference: differenceFrom(entry, wanted) };
}

export interface ReadRun {
  /** As they were given. */
  readonly orders: readonly string[];
  readonly earlier: ReadonlyMap<string, Earlier>;
}

/** @throws {ComandaError} `state_unusable` for a run whose list is damaged, or that a newer comanda has resumed */
export function readRun(state: StateFolder, { entry: run, file }: FoundRun): ReadRun {
  const lines = new Map<string, WriteLines>();
  const linesOf = (order: string) => {
    const known = lines.get(order) ?? new WriteLines();
    lines.set(order, known);
    return known;
  };
  const assertKnown = (id: string) => {
    if (id === run.run) throw newerJournal();
  };
  let orders: string[] = [];
  for (const entry of openJournalFile(state, file, assertKnown).read()) {
    if (entry.run !== run.run) continue;
    switch (entry.type) {
      case "run":
        // Its lines were written again, from the first one on: see `append-log.ts`.
        orders = [];
        break;
      case "orders":
        // Not by `push(...)`: a list may be longer than an argument list.
        for (const order of entry.orders) orders.push(order);
        break;
      case "orders_sent":
        for (const order of entry.orders) linesOf(order).sent(entry.attempt);
        break;
      case "orders_outcome":
        for (const order of entry.orders) linesOf(order).outcome(entry.attempt, entry);
        break;
      default:
    }
  }
  if (digestOf(orders) !== run.digest) {
    throw new ComandaError("state_unusable", t`The list of the run ${run.run} in ${file.path} is damaged.`, {
      hint: t`Give the list again as a new run; \`comanda history\` shows what was sent.`,
    });
  }
  const earlier = new Map(
    [...lines].map(([order, each]) => [order, each.result()] satisfies [string, Earlier]),
  );
  return { orders, earlier };
}

/**
 * Goes on with a run. To be called with its lock held: what {@link readRun} has read would be out of date.
 *
 * @throws {ComandaError} `state_unusable`: nothing may be sent
 */
export async function resumeRun(
  journal: Journal,
  { entry, file }: FoundRun,
  { earlier }: ReadRun,
): Promise<Run> {
  const { state, author } = journal;
  const log = openJournalFile(state, file);
  const stamp = { v: entryVersion, at: isoNow(state), run: entry.run } as const;
  await log.append({ ...stamp, type: "resumed", ...author() });
  const attempts = new Map([...earlier].map(([order, each]) => [order, each.attempts]));
  const run = createRunLog({ state, id: entry.run, log, attempts });
  journal.join(run);
  return { id: entry.run, log: run, earlier };
}

/** What tells runs apart that may not go on at the same time: the same orders, changed in the same way. */
export type SentList = Pick<RunEntry, "verb" | "store" | "environment" | "digest">;

function lockName({ verb, store, environment, digest }: SentList): string {
  return `run-${digestOf([verb, store ?? "", environment, digest]).slice(0, 16)}`;
}

/**
 * Does the work while no other process sends the same list, in this run or in another. An interrupt doesn't wait for it:
 * the journal is right at every moment.
 *
 * @throws {ComandaError} `lock_timeout` where another process does
 */
export async function withListLock<Result>(
  { locks }: Pick<StateFolder, "locks">,
  list: SentList,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const begun = { work: false };
  try {
    return await locks.run(
      lockName(list),
      (lease) => {
        begun.work = true;
        return work(lease);
      },
      { waitMs: 0, isInterruptible: true, isPassing: true },
    );
  } catch (error) {
    if (begun.work || !(error instanceof ComandaError) || error.code !== "lock_timeout") throw error;
    throw new ComandaError("lock_timeout", t`Another process is sending this list of orders now.`, {
      hint: error.message,
    });
  }
}

/**
 * Does the work while no process sends one of these lists, or begins to.
 *
 * @returns what the work says; `false` where a process sends one now
 */
export async function unlessSent(
  state: StateFolder,
  lists: readonly SentList[],
  work: () => boolean,
): Promise<boolean> {
  const [list, ...others] = [...new Map(lists.map((each) => [lockName(each), each])).values()];
  if (!list) return work();
  try {
    return await withListLock(state, list, () => unlessSent(state, others, work));
  } catch (error) {
    if (error instanceof ComandaError && error.code === "lock_timeout") return false;
    throw error;
  }
}
