/** Asks every store that was named what may have changed since it was kept, one call after another. */
import { rateLimits } from "../../contract/limits.js";
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { sumsOf } from "../ledger/figures.js";
import type { Freshness } from "../ledger/freshness.js";
import type { Restatement } from "../ledger/restatements.js";
import { isDate, zonedNow } from "../period/calendar.js";
import { groupedQuery } from "../plan/queries.js";
import { createStoreCalls, type StoreCalls } from "../plan/store-calls.js";
import { syncQuestions, type SyncQuestion } from "../plan/sync.js";
import type { MissingStore, SalesResult, StoreFigures, StoreResult } from "../results.js";
import { joinRound, type OtherTurn } from "../../state/store-turns.js";
import type { Machine } from "../../toolkit/machine.js";
import { startProgress } from "../../terminal/index.js";
import type { CallPlan, StoreRequest } from "./call-plan.js";
import { sayGuessedZones } from "./say-of-stores.js";
import { duration, waitForCalls } from "./progress.js";
import { shareStores } from "./share-stores.js";
import type { OpenStore, OpenStores } from "./stores.js";

export interface SyncRequest {
  /** The stores that `--store` names. */
  readonly stores: readonly string[];
  readonly allStores: boolean;
  /** How many days back it asks. */
  readonly days: number;
  readonly dimensions: readonly Dimension[];
  readonly timeZone: string | undefined;
  /** Is nothing asked? Only what is kept is written. */
  readonly offline: boolean;
}

export interface StoreSync {
  /** Questions that were asked, and those that were answered: one that fails ends the run. */
  readonly calls: number;
  readonly answers: number;
  readonly restated: readonly Restatement[];
  /** All that is kept of what was asked about, for `--export`. */
  readonly rows: readonly SyncRow[];
  /** Who did it, where that was another run at the same time; absent where this one did. */
  readonly by?: OtherTurn;
}

/** One line of the table. */
export interface SyncRow {
  readonly store: string;
  readonly day: string;
  readonly dimension: Dimension;
  readonly key: Group["key"];
  readonly orders: number;
  readonly cents: number;
  readonly currency: string | null;
  readonly asked_at: string;
}

const request = { dateField: undefined, filters: [] };
/** What was asked in the last hours is asked no more: a run that was stopped goes on, and cron's time may vary. */
const freshness: Freshness = { kind: "usual", maxAgeMs: 12 * 60 * 60_000 };
/** One call a minute is left to other commands. */
const pace = { ...rateLimits.summary_grouped, limit: rateLimits.summary_grouped.limit - 1 };
/** What a night's run of one or two dimensions takes is not worth cron's mail. */
const worthSayingMs = 30 * 60_000;

/** @throws {ComandaError} as `chooseStores`; where one store was asked for, what went wrong with it */
export async function syncStores(machine: Machine, wanted: SyncRequest): Promise<SalesResult<StoreSync>> {
  const opened = await openFor(machine, wanted);
  try {
    return await syncOpened(machine, opened, wanted);
  } finally {
    await opened.close();
  }
}

async function syncOpened(
  machine: Machine,
  opened: OpenStores,
  wanted: SyncRequest,
): Promise<SalesResult<StoreSync>> {
  const open =
    opened.kind === "one store" ? [opened.store] : opened.stores.filter((store) => store.kind === "open");
  sayGuessedZones(machine.output, opened);
  const works = new Map<OpenStore, Work>();
  for (const store of open) works.set(store, await workOf(machine, store, wanted));
  const all = [...works.values()];
  const isCounted = (await open[0]?.quota("summary_grouped")) !== undefined;
  const progress = sayHowLong(
    machine,
    all.map(({ due }) => due.length),
    isCounted,
  );
  try {
    const sync = async (store: OpenStore) =>
      syncStore(machine, store, works.get(store) ?? (await workOf(machine, store, wanted)), progress);
    if (opened.kind === "one store") return { kind: "one store", store: await sync(opened.store) };
    const stores =
      wanted.allStores && !wanted.offline
        ? await syncShared(machine, opened.stores, wanted, { works, progress })
        : await Promise.all(
            opened.stores.map(async (store) =>
              store.kind === "missing" ? store : orReason(machine, store, sync),
            ),
          );
    return { kind: "several stores", stores, totals: [] };
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
    const result = await orReason(machine, store, () => syncStore(machine, store, work, progress, begun));
    return { outcome: result.kind === "figures" ? "done" : "failed", result };
  });
  const others = new Map((await turns.others()).map((turn) => [turn.store, turn]));
  return Promise.all(
    stores.map(async (store) => {
      if (store.kind === "missing") return store;
      const by = others.get(store.name);
      const { since, questions } = works.get(store) ?? (await workOf(machine, store, wanted));
      return (
        ours.get(store.name) ??
        figuresOf(machine, store, { since, questions }, { ...nothing, ...(by && { by }) })
      );
    }),
  );
}

const nothing = { calls: 0, answers: 0, restated: [] };

/** What a sync takes at the most: where nothing of it is kept yet. */
export interface SyncOutline {
  readonly stores: number;
  readonly dimensions: number;
  readonly calls: number;
  /**
   * The wait of the store that takes longest, since each has a limit of its own. `undefined` where calls aren't
   * counted.
   */
  readonly waitMs: number | undefined;
}

/** Asks nothing, and looks nothing up: of thousands of stores it is told at once. @throws {ComandaError} as `chooseStores` */
export async function outlineSync(machine: Machine, wanted: SyncRequest): Promise<SyncOutline> {
  const opened = await openFor(machine, wanted);
  try {
    const now = machine.context.clock.now();
    const open = (opened.kind === "one store" ? [opened.store] : opened.stores).filter(
      (store) => store.kind === "open",
    );
    const calls = open.map(({ preferences: { zone } }) => {
      const since = sinceOf(wanted, now, zone);
      return syncQuestions({ ...wanted, since }, { now, zone }).length;
    });
    const isCounted = (await open[0]?.quota("summary_grouped")) !== undefined;
    return {
      stores: open.length,
      dimensions: wanted.dimensions.length,
      calls: calls.reduce((sum, each) => sum + each, 0),
      waitMs: isCounted ? waitForCalls(Math.max(0, ...calls), pace) : undefined,
    };
  } finally {
    await opened.close();
  }
}

/** Asks nothing. @throws {ComandaError} as `chooseStores` */
export async function planSync(machine: Machine, wanted: SyncRequest): Promise<CallPlan> {
  const opened = await openFor(machine, wanted);
  try {
    const open = (opened.kind === "one store" ? [opened.store] : opened.stores).filter(
      (store) => store.kind === "open",
    );
    const works: (Work & { readonly store: OpenStore })[] = [];
    for (const store of open) works.push({ store, ...(await workOf(machine, store, wanted)) });
    const requests: StoreRequest[] = [];
    for (const { store, calls, due, questions } of works) {
      for (const question of [...due, ...questions.filter((each) => !due.includes(each))])
        requests.push(...(await calls.requests([question])).map((each) => ({ ...each, store: store.name })));
    }
    return {
      calls: works.reduce((sum, { due }) => sum + due.length, 0),
      waitMs: await waitFor(works),
      estimated: false,
      requests,
    };
  } finally {
    await opened.close();
  }
}

/** Milliseconds, for the store that takes longest; `undefined` where comanda doesn't count calls. */
async function waitFor(
  works: readonly { readonly store: OpenStore; readonly due: readonly unknown[] }[],
): Promise<number | undefined> {
  const longest = works.toSorted((a, b) => b.due.length - a.due.length)[0];
  if (!longest || longest.due.length === 0) return 0;
  const isCounted = (await longest.store.quota("summary_grouped")) !== undefined;
  return isCounted ? waitForCalls(longest.due.length, pace) : undefined;
}

async function openFor(machine: Machine, { stores, allStores, timeZone }: SyncRequest): Promise<OpenStores> {
  const { openStores } = await import("./stores.js");
  return openStores(machine, {
    stores,
    allStores,
    presentation: { time_zone: timeZone },
    mustKeep: true,
    background: true,
    // The time that everything takes is said before.
    isAnnounced: () => true,
  });
}

/** What there is to do at one store. */
interface Work {
  readonly calls: StoreCalls;
  /** The first day, YYYY-MM-DD. */
  readonly since: string;
  readonly questions: readonly SyncQuestion[];
  /** Those that have to be asked: first what was never asked. */
  readonly due: readonly SyncQuestion[];
  /** Called before each request, and before its answer is kept: it ends the work of whoever has lost the store. */
  readonly guard: { hold(): Promise<void> };
}

async function workOf(
  { context: { clock }, output }: Machine,
  store: OpenStore,
  wanted: SyncRequest,
): Promise<Work> {
  const { zone } = store.preferences;
  const { endpoints, doubtedAt, ahead } = store;
  const guard: Work["guard"] = { hold: () => Promise.resolve() };
  const calls = createStoreCalls({
    summary: endpoints.summary,
    grouped: {
      ...endpoints.grouped,
      async call(query, signal) {
        await guard.hold();
        return endpoints.grouped.call(query, signal);
      },
      async keep(...answer) {
        await guard.hold();
        await endpoints.grouped.keep(...answer);
      },
    },
    request,
    freshness: wanted.offline ? { kind: "offline" } : freshness,
    doubtedAt,
    // What a question's answer is compared with is an answer to the same one.
    exactOnly: true,
    now: () => clock.now(),
    ahead,
    onCalled: () => undefined,
    onWarning: (message) => {
      output.warnOnce(message);
    },
  });
  const since = sinceOf(wanted, clock.now(), zone);
  const questions = syncQuestions({ ...wanted, since }, { now: clock.now(), zone });
  const [neverAsked, others]: [SyncQuestion[], SyncQuestion[]] = [[], []];
  for (const question of wanted.offline ? [] : questions) {
    if ((await calls.count([question])) === 0) continue;
    const isNew = (await historyOf(store, question)).length === 0;
    (isNew ? neverAsked : others).push(question);
  }
  return { calls, since, questions, due: [...neverAsked, ...others], guard };
}

function sinceOf({ days }: SyncRequest, now: number, zone: string): string {
  return zonedNow(now, zone).toPlainDate().subtract({ days }).toString();
}

/** @param begun it had an answer, or waits for its limit */
async function syncStore(
  machine: Machine,
  store: OpenStore,
  { calls, since, questions, due, guard }: Work,
  progress: SyncProgress,
  begun: () => void = () => undefined,
): Promise<StoreFigures<StoreSync>> {
  const restated: Restatement[] = [];
  for (const { span, dimension } of due) {
    await leaveOneFree(store, machine.context, async () => {
      begun();
      await guard.hold();
    });
    const { age } = await calls.grouped(span, dimension, machine.context.signal);
    begun();
    restated.push(...(age.restated ?? []));
    progress.answered();
  }
  return figuresOf(
    machine,
    store,
    { since, questions },
    { calls: due.length, answers: due.length, restated },
  );
}

/** With all that is kept of it. */
async function figuresOf(
  { context }: Machine,
  store: OpenStore,
  { since, questions }: Pick<Work, "since" | "questions">,
  counts: Omit<StoreSync, "rows">,
): Promise<StoreFigures<StoreSync>> {
  const { zone, display } = store.preferences;
  const rows: SyncRow[] = [];
  for (const question of questions) rows.push(...(await rowsOf(store, question)));
  return {
    kind: "figures",
    store: store.name,
    figures: { ...counts, rows: rows.filter(({ day }) => day >= since) },
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

/** Gives a store's result, or why it failed: the other stores' run goes on. */
async function orReason(
  { context: { signal } }: Machine,
  store: OpenStore,
  sync: (store: OpenStore) => Promise<StoreFigures<StoreSync>>,
): Promise<StoreResult<StoreSync>> {
  try {
    return await sync(store);
  } catch (error) {
    if (signal.aborted || !(error instanceof ComandaError)) throw error;
    return { kind: "missing", store: store.name, error };
  }
}

/** The newest answer to each window of a question. */
async function historyOf(store: OpenStore, { span, dimension }: SyncQuestion) {
  const { grouped } = store.endpoints;
  const histories = await Promise.all(
    span.windows.map((window) => grouped.history(groupedQuery(window, dimension, request))),
  );
  return histories.flatMap((history) => history.slice(-1));
}

/** The newest answer to a question, line by line. */
async function rowsOf(store: OpenStore, question: SyncQuestion): Promise<readonly SyncRow[]> {
  const { dimension, span } = question;
  return (await historyOf(store, question)).flatMap(({ askedAt, answer }) =>
    [...sumsOf(answer).values()].map(({ key, sum }) => ({
      store: store.name,
      day: dimension === "day" && typeof key === "string" && isDate(key) ? key : span.period.from.date,
      dimension,
      key,
      orders: sum.orders,
      cents: sum.revenue,
      currency: store.preferences.display.currency ?? null,
      asked_at: new Date(askedAt).toISOString(),
    })),
  );
}

interface SyncProgress {
  answered(): void;
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
