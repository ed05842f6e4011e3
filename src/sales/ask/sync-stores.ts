/** Asks every store that was named what may have changed since it was kept, one call after another. */
import { t } from "../../shared/language.js";
import { askChangedDays } from "../ledger/changed-days.js";
import type { Restatement } from "../ledger/restatements.js";
import type { SyncQuestion } from "../plan/sync.js";
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
import { duration, waitForCalls } from "./progress.js";
import { shareStores } from "./share-stores.js";
import type { OpenStore, OpenStores } from "./stores.js";
import { callsOf, pace, spanOf } from "./sync-plan.js";
import { beside, notLookedAt, rowsOf, type NotLookedAt, type SyncRow } from "./sync-rows.js";
import { newestAnswers, sumsByKey, workOf, type SyncRequest, type Work } from "./sync-work.js";

export interface StoreSync {
  /** Questions that were answered: one that fails ends the run. */
  readonly calls: number;
  readonly restated: readonly Restatement[];
  readonly notLookedAt: readonly NotLookedAt[];
  /** What is kept beside the rows. */
  readonly beside: readonly KeptDays[];
  /** All that is kept of what was asked about, where it is exported. */
  readonly rows: readonly SyncRow[];
  /** Who did it, where that was another run at the same time; absent where this one did. */
  readonly by?: OtherTurn;
}

/** What a night's run of one or two dimensions takes is not worth cron's mail. */
const worthSayingMs = 30 * 60_000;

/** @throws {ComandaError} where one store was asked for, what went wrong with it */
export async function syncStores(
  machine: Machine,
  opened: OpenStores,
  wanted: SyncRequest,
): Promise<SalesResult<StoreSync>> {
  const open = openOf(opened);
  const { signal } = machine.context;
  const isExported = wanted.export !== undefined;
  sayGuessedZones(machine.output, open);
  const works = new Map<OpenStore, Work>();
  for (const store of open) works.set(store, await workOf(machine, store, wanted));
  const all = [...works.values()];
  const isCounted = (await open[0]?.quota("summary_grouped")) !== undefined;
  const progress = sayHowLong(machine, all.map(callsOf), isCounted);
  try {
    const sync = async (store: OpenStore) =>
      syncStore(machine, store, {
        work: works.get(store) ?? (await workOf(machine, store, wanted)),
        ...{ isExported, progress },
      });
    const { areSeveral } = opened;
    const stores =
      areSeveral && wanted.allStores && wanted.freshness.kind !== "offline"
        ? await syncShared(machine, opened.stores, wanted, { works, progress })
        : await Promise.all(
            opened.stores.map(async (store) => {
              if (store.kind === "missing") return store;
              return areSeveral ? orMissing(store.name, signal, () => sync(store)) : sync(store);
            }),
          );
    return { kind: "result", areSeveral, stores, totals: [] };
  } finally {
    progress.end();
  }
}

interface Works {
  readonly works: ReadonlyMap<OpenStore, Work>;
  readonly progress: SyncProgress;
}

/** Each store is one run's alone, of those that do the same at the same time. */
async function syncShared(
  machine: Machine,
  stores: readonly (OpenStore | MissingStore)[],
  wanted: SyncRequest,
  { works, progress }: Works,
): Promise<readonly StoreResult<StoreSync>[]> {
  const open = new Map(stores.flatMap((store) => (store.kind === "open" ? [[store.name, store]] : [])));
  const { days, timeZone } = wanted;
  const isExported = wanted.export !== undefined;
  const dimensions = [...wanted.dimensions].sort();
  const { folder } = await machine.state();
  const turns = await joinRound(folder, JSON.stringify({ sync: { days, dimensions, timeZone } }), [
    ...open.keys(),
  ]);
  const ours = await shareStores(turns, machine.context, async (turn, begun) => {
    const store = open.get(turn.store);
    if (!store) throw new RangeError(`${turn.store} was not offered`);
    // Of a store that is taken over, the run before has asked a part.
    const known = turn.isFirst ? works.get(store) : undefined;
    const work = known ?? (await workOf(machine, store, wanted));
    work.guard.hold = () => turn.hold();
    const result = await orMissing(store.name, machine.context.signal, () =>
      syncStore(machine, store, { work, isExported, progress, begun }),
    );
    return { outcome: result.kind === "figures" ? "done" : "failed", result };
  });
  const others = new Map((await turns.others()).map((turn) => [turn.store, turn]));
  return Promise.all(
    stores.map(async (store) => {
      if (store.kind === "missing") return store;
      const by = others.get(store.name);
      const work = works.get(store) ?? (await workOf(machine, store, wanted));
      const nothing = { calls: 0, restated: [], ...(by && { by }) };
      return ours.get(store.name) ?? figuresOf(machine, store, { work, isExported }, nothing);
    }),
  );
}

interface Syncing {
  readonly work: Work;
  readonly isExported: boolean;
  readonly progress: SyncProgress;
  /** Called when it has had an answer, or waits for its limit. */
  readonly begun?: () => void;
}

async function syncStore(
  machine: Machine,
  store: OpenStore,
  { work, isExported, progress, begun = () => undefined }: Syncing,
): Promise<StoreFigures<StoreSync>> {
  const { calls, due, checked, guard } = work;
  const restated: Restatement[] = [];
  const ask = async (question: SyncQuestion) => {
    if ((await calls.count([question])) > 0) {
      await leaveOneFree(store, machine.context, async () => {
        begun();
        await guard.hold();
      });
    }
    const { figures, age } = await calls.grouped(question.span, question.dimension, machine.context.signal);
    begun();
    progress.answered(work.answered());
    return { answer: figures.grouped, restated: age.restated ?? [] };
  };
  for (const question of due) restated.push(...(await ask(question)).restated);
  for (const days of checked) restated.push(...(await checkDays(store, days, ask)));
  return figuresOf(machine, store, { work, isExported }, { calls: work.answered(), restated });
}

type Ask = (
  question: SyncQuestion,
) => Promise<{ readonly answer: Parameters<typeof sumsByKey>[0]; readonly restated: readonly Restatement[] }>;

/** Asks for those days that have changed. @returns what was restated of them: of longer windows it is told by their days */
async function checkDays(
  store: OpenStore,
  days: readonly SyncQuestion[],
  ask: Ask,
): Promise<readonly Restatement[]> {
  const newest = await newestAnswers(store, days.toReversed());
  const restated = new Map<SyncQuestion, readonly Restatement[]>();
  await askChangedDays(days, {
    known: (day) => newest(day).map(({ answer }) => sumsByKey(answer))[0] ?? new Map(),
    async ask(some) {
      const [day] = some;
      if (!day) throw new RangeError("no day is asked for");
      const isAlone = some.length === 1;
      const asked = await ask(isAlone ? day : { dimension: day.dimension, span: spanOf(some) });
      const sums = sumsByKey(asked.answer);
      // Once it is known what it is now, the same answer tells of no change.
      if (isAlone && !restated.has(day)) restated.set(day, asked.restated);
      return sums;
    },
  });
  return [...restated.values()].flat();
}

/** With all that is kept of it. */
async function figuresOf(
  { context }: Machine,
  store: OpenStore,
  { work, isExported }: Pick<Syncing, "work" | "isExported">,
  counts: Omit<StoreSync, "rows" | "beside" | "notLookedAt">,
): Promise<StoreFigures<StoreSync>> {
  const { zone, display } = store.preferences;
  const kept = await store.keptDays();
  return {
    kind: "figures",
    store: store.name,
    figures: {
      ...counts,
      notLookedAt: notLookedAt(kept, work),
      beside: beside(kept, work),
      rows: isExported ? await rowsOf(store, work) : [],
    },
    window: "",
    age: { askedAt: context.clock.now(), kept: false },
    zone,
    display,
  };
}

/**
 * Waits until two places are free: one for us, and one for whoever has to know something now.
 *
 * @param onWait called before each part of the wait
 */
async function leaveOneFree(
  store: OpenStore,
  { clock, signal }: Machine["context"],
  onWait: () => Promise<void>,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const quota = await store.quota("summary_grouped");
    if (!quota || quota.remaining > 1) return;
    await onWait();
    await clock.sleep(Math.max(quota.waitMs, lookAgainMs), signal);
  }
}

const lookAgainMs = 1_000;

interface SyncProgress {
  /** @param calls of one store, so far */
  answered(calls: number): void;
  end(): void;
}

/**
 * On a terminal a bar; elsewhere one line where it lasts, since nobody looks at what a night's run takes. Where calls
 * aren't counted nothing is waited for.
 */
function sayHowLong({ context, output }: Machine, due: readonly number[], isCounted: boolean): SyncProgress {
  const total = due.reduce((sum, calls) => sum + calls, 0);
  const longest = isCounted ? waitForCalls(Math.max(0, ...due), pace) : 0;
  const text = t`${total} calls, ${pace.limit} a minute so that other commands have room: about ${duration(longest)}.`;
  if (longest >= worthSayingMs) output.notice(text);
  else if (longest > 0) output.heading(text);
  const { clock } = context;
  const bar = startProgress(output.status, {
    total,
    label: "sync",
    now: () => clock.now(),
  });
  let done = 0;
  return {
    answered() {
      done += 1;
      if (total > 1) bar.update(done);
    },
    end: () => bar.end(),
  };
}
