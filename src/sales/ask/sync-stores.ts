/** Asks each chosen store what may have changed since it was kept, one call after another. */
import { t } from "../../shared/language.js";
import { askChangedDays } from "../ledger/changed-days.js";
import { membersOf } from "../ledger/figures.js";
import type { Restatement } from "../ledger/restatements.js";
import type { MemberSum } from "../merge/members.js";
import type { GroupsQuestion } from "../plan/request.js";
import { questionOfDays } from "../plan/sync.js";
import {
  openOf,
  orMissing,
  type MissingStore,
  type SalesResult,
  type StoreFigures,
  type StoreResult,
} from "../results.js";
import type { KeptDays } from "../../state/answers.js";
import { joinRound, type OtherTurn } from "../../state/store-turns.js";
import type { Machine } from "../../toolkit/machine.js";
import { startProgress } from "../../terminal/index.js";
import { sayGuessedZones } from "./say-of-stores.js";
import { duration } from "./progress.js";
import { shareStores } from "./share-stores.js";
import type { OpenStore, OpenStores } from "./stores.js";
import { keptBeside, notLookedAt, rowsOf, type NotLookedAt, type SyncRow } from "./sync-rows.js";
import {
  callsOf,
  historiesOf,
  longestWaitOf,
  pace,
  workOf,
  type SyncRequest,
  type Work,
} from "./sync-work.js";

export interface StoreSync {
  /** This many questions were answered; one that fails ends the run. */
  readonly calls: number;
  readonly restated: readonly Restatement[];
  readonly notLookedAt: readonly NotLookedAt[];
  readonly beside: readonly KeptDays[];
  /** The rows hold all that is kept of what was asked about, where it is exported. */
  readonly rows: readonly SyncRow[];
  /** Another run did the store at the same time; absent where this run did. */
  readonly by?: OtherTurn;
}

/** A night's run of one or two dimensions takes less, and is not worth cron's mail. */
const announcedFromMs = 30 * 60_000;

/** @throws {ComandaError} where one store was asked for, what went wrong with it */
export async function syncStores(
  machine: Machine,
  { areSeveral, stores }: OpenStores,
  request: SyncRequest,
): Promise<SalesResult<StoreSync>> {
  const open = openOf({ stores });
  sayGuessedZones(machine.output, open);
  const works: (Work | MissingStore)[] = [];
  for (const store of stores)
    works.push(store.kind === "missing" ? store : await workOf(machine, store, request));
  const calls = works.flatMap((work) => (work.kind === "work" ? callsOf(work) : []));
  const progress = sayHowLong(machine, calls, await longestWaitOf(open, calls));
  const run: Run = { machine, request, areSeveral, onAnswer: progress.answered };
  try {
    const isShared = areSeveral && request.allStores && request.freshness.kind !== "offline";
    const results = isShared
      ? await syncShared(run, works)
      : await Promise.all(works.map(async (work) => (work.kind === "missing" ? work : resultOf(run, work))));
    return { kind: "result", areSeveral, stores: results, totals: [] };
  } finally {
    progress.end();
  }
}

interface Run {
  readonly machine: Machine;
  readonly request: SyncRequest;
  readonly areSeveral: boolean;
  readonly onAnswer: () => void;
}

/** Shares the stores with runs that do the same at the same time: each store is one run's alone. */
async function syncShared(
  run: Run,
  works: readonly (Work | MissingStore)[],
): Promise<readonly StoreResult<StoreSync>[]> {
  const { machine, request } = run;
  const stores = new Map(
    works.flatMap((work) => (work.kind === "work" ? [[work.store.name, work.store]] : [])),
  );
  const { days, timeZone } = request;
  const round = { sync: { days, dimensions: [...request.dimensions].sort(), timeZone } };
  const turns = await joinRound(await machine.state(), JSON.stringify(round), [...stores.keys()]);
  const resultsHere = await shareStores(turns, machine.context, async (turn) => {
    const store = stores.get(turn.store);
    if (!store) throw new RangeError(`${turn.store} was not offered`);
    // The store may be taken over from a run that has asked a part of it.
    const work = await workOf(machine, store, request, () => turn.hold());
    return resultOf(run, work);
  });
  const turnsElsewhere = new Map((await turns.others()).map((turn) => [turn.store, turn]));
  return Promise.all(
    works.map(async (work) => {
      if (work.kind === "missing") return work;
      const { name } = work.store;
      const by = turnsElsewhere.get(name);
      return resultsHere.get(name) ?? figuresOf(run, work, { calls: 0, restated: [], ...(by && { by }) });
    }),
  );
}

function resultOf(run: Run, work: Work): Promise<StoreResult<StoreSync>> {
  const sync = () => syncStore(run, work);
  return run.areSeveral ? orMissing(work.store.name, run.machine.context.signal, sync) : sync();
}

async function syncStore(run: Run, work: Work): Promise<StoreFigures<StoreSync>> {
  const { context } = run.machine;
  const { store, calls, due, checked } = work;
  const restated: Restatement[] = [];
  const ask: Ask = async (question) => {
    if ((await calls.count([question])) > 0) await leaveOneFree(work, context);
    const { figures, age } = await calls.grouped(question, context.signal);
    run.onAnswer();
    return { members: membersOf(figures.grouped), restated: age.restated ?? [] };
  };
  for (const question of due) restated.push(...(await ask(question)).restated);
  for (const days of checked) restated.push(...(await checkDays(store, days, ask)));
  return figuresOf(run, work, { calls: work.answered(), restated });
}

type Ask = (question: GroupsQuestion) => Promise<{
  readonly members: readonly MemberSum[];
  readonly restated: readonly Restatement[];
}>;

/**
 * Asks for those days that have changed.
 *
 * @returns what was restated of them; the days tell it of longer windows
 */
async function checkDays(
  store: OpenStore,
  days: readonly GroupsQuestion[],
  ask: Ask,
): Promise<readonly Restatement[]> {
  const historyOf = await historiesOf(store, days.toReversed());
  const restated = new Map<GroupsQuestion, readonly Restatement[]>();
  await askChangedDays(days, {
    known(day) {
      const last = historyOf(day).at(-1);
      return last ? membersOf(last.answer) : [];
    },
    async ask(span) {
      const question = questionOfDays(span);
      const { members, restated: changed } = await ask(question);
      // Only the first answer about a day tells of the change: a second one equals it.
      if (span.length === 1 && !restated.has(question)) restated.set(question, changed);
      return members;
    },
  });
  return [...restated.values()].flat();
}

/** Makes the result of a store, with all that is kept of it. */
async function figuresOf(
  { machine, request }: Run,
  work: Work,
  counts: Pick<StoreSync, "calls" | "restated" | "by">,
): Promise<StoreFigures<StoreSync>> {
  const { store } = work;
  const { zone, display } = store.preferences;
  const kept = await store.keptDays();
  return {
    kind: "figures",
    store: store.name,
    figures: {
      ...counts,
      notLookedAt: notLookedAt(kept, work),
      beside: keptBeside(kept, work),
      rows: request.export === undefined ? [] : await rowsOf(work),
    },
    window: "",
    age: { askedAt: machine.context.clock.now(), kept: false },
    zone,
    display,
  };
}

/** Waits until two places are free: one for us, and one for whoever has to know something now. */
async function leaveOneFree({ store, hold }: Work, { clock, signal }: Machine["context"]): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const quota = await store.quota("summary_grouped");
    if (!quota || quota.remaining > 1) return;
    await hold();
    await clock.sleep(Math.max(quota.waitMs, lookAgainMs), signal);
  }
}

const lookAgainMs = 1_000;

/**
 * Shows a bar on a terminal; elsewhere it prints one line for a long run, since nobody watches a night's run. Where
 * calls aren't counted nothing is waited for.
 */
function sayHowLong({ context: { clock }, output }: Machine, due: readonly number[], waitMs = 0) {
  const total = due.reduce((sum, calls) => sum + calls, 0);
  const text = t`${total} calls, ${pace.limit} a minute so that other commands have room: about ${duration(waitMs)}.`;
  if (waitMs >= announcedFromMs) output.notice(text);
  else if (waitMs > 0) output.heading(text);
  const bar = startProgress(output.status, { total, label: "sync", now: () => clock.now() });
  let done = 0;
  return {
    answered: () => {
      done += 1;
      if (total > 1) bar.update(done);
    },
    end: () => bar.end(),
  };
}
