/** Asks every store that was named for its sales figures, each within its own limits. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { QuotaState } from "../../state/quota/quota.js";
import { totalsOf } from "../../summary/merge/stores.js";
import { describePrevious } from "../../summary/period/comparison.js";
import { describeMoment, describePeriod } from "../../summary/period/period.js";
import type { Plan, PlannedCalls } from "../../summary/plan/plans.js";
import { askedPeriods, type AskedPeriod } from "../../summary/plan/request.js";
import {
  createStoreCalls,
  type PlannedRequest,
  type Question,
  type StoreCalls,
} from "../../summary/plan/store-calls.js";
import { createNumberFormat } from "../../summary/present/number-format.js";
import { restatedLines } from "../../summary/present/restated.js";
import {
  answered,
  storesOf,
  type Compared,
  type MissingStore,
  type SalesResult,
  type StoreFigures,
  type StoreResult,
} from "../../summary/results.js";
import type { Output } from "../../terminal/index.js";
import type { Machine } from "../machine.js";

import { freshnessAt } from "./freshness-options.js";
import type { SalesOptions } from "./options.js";
import { isCounted, longestWait, salesProgress, type ExpectedCalls, type SalesProgress } from "./progress.js";
import type { OpenStore, OpenStores } from "./stores.js";

/**
 * @param label what the progress bar says of the command
 * @throws {ComandaError} what is wrong with the request, before any call; and, where one store was asked for, what
 *   went wrong with it
 */
export async function askStores<Figures>(
  machine: Machine,
  label: string,
  options: Omit<SalesOptions, "csv">,
  plan: Plan<Figures>,
  onSoFar?: OnSoFar<Figures>,
): Promise<SalesResult<Figures>> {
  const { context, output } = machine;
  const progress = salesProgress(machine, label);
  const { opened, inquire } = await openInquiries(machine, options, plan, progress);
  const soFar = onSoFar && (async (result: SalesResult<Figures>) => onSoFar(result, progress.endsAt()));
  try {
    const result =
      opened.kind === "one store"
        ? await askOne(inquire(opened.store), { plan, progress, signal: context.signal, soFar })
        : await askAll(
            opened.stores.map((one) => (one.kind === "missing" ? one : inquire(one))),
            { plan, progress, signal: context.signal, soFar },
          );
    sayGuessedZones(output, opened);
    sayWindows(output, storesOf(result));
    sayRestated(output, storesOf(result), context.clock.now());
    return result;
  } finally {
    progress.end();
    await opened.close();
  }
}

/** What a command would ask, and how long that would take. */
export interface CallPlan {
  readonly calls: number;
  /** Milliseconds; `undefined` where comanda doesn't count calls, so that nobody knows. */
  readonly waitMs: number | undefined;
  /** Those that would go out, and those whose answers are kept. */
  readonly requests: readonly StoreRequest[];
  /** Does an answer that isn't there yet tell how many calls it takes? */
  readonly estimated: boolean;
}

export interface StoreRequest extends PlannedRequest {
  readonly store: string;
}

/**
 * Told before a wait what there is already, once every store has something.
 *
 * @param endsAt when the rest will be there, milliseconds since the epoch
 */
export type OnSoFar<Figures> = (result: SalesResult<Figures>, endsAt: number) => Promise<void>;

/** Asks nothing. */
export async function planCalls<Figures>(
  machine: Machine,
  options: Omit<SalesOptions, "csv">,
  plan: Plan<Figures>,
): Promise<CallPlan> {
  const { opened, inquire } = await openInquiries(machine, options, plan, salesProgress(machine, ""));
  try {
    const open = (opened.kind === "one store" ? [opened.store] : opened.stores).filter(
      (one) => one.kind === "open",
    );
    const planned = await Promise.all(
      open.map((store) => plannedCalls(inquire(store), machine.context.signal)),
    );
    const expected = planned.flatMap((one) => one.expected);
    return {
      calls: expected.reduce((sum, one) => sum + one.calls, 0),
      waitMs: expected.every(isCounted) ? longestWait(expected) : undefined,
      requests: planned.flatMap(({ requests }) => requests),
      estimated: planned.some(({ estimated }) => estimated),
    };
  } finally {
    await opened.close();
  }
}

async function openInquiries<Figures>(
  machine: Machine,
  { request, freshness, stores, allStores, presentation }: Omit<SalesOptions, "csv">,
  plan: Plan<Figures>,
  progress: SalesProgress,
) {
  const { context, output } = machine;
  const opened = await machine.stores({
    stores,
    allStores,
    presentation,
    isAnnounced: (notice) => progress.isAnnounced(notice),
  });
  const now = context.clock.now();
  const onWarning = (message: string) => {
    output.warnOnce(message);
  };
  const inquire = (store: OpenStore): Inquiry<Figures> => {
    const calls = createStoreCalls({
      ...store.endpoints,
      request,
      freshness: freshnessAt(freshness, store.preferences.zone, now),
      doubtedAt: store.doubtedAt,
      storeZone: store.preferences.storeZone,
      halfYears: store.halfYears,
      now: () => context.clock.now(),
      onCalled: () => {
        progress.called();
      },
      onWarning,
    });
    return {
      kind: "inquiry",
      store,
      plan,
      asked: askedPeriods(request, { now, onWarning, ...store.preferences }),
      calls: {
        ...calls,
        hasRoomForGroups: async (count) => hasRoom(await store.quota("summary_grouped"), count),
        warn: onWarning,
        announce: async (questions) => {
          progress.begin(await callsFor(questions, calls, store));
        },
      },
    };
  };
  return { opened, inquire };
}

/** What one store will be asked. */
interface Inquiry<Figures> {
  readonly kind: "inquiry";
  readonly store: OpenStore;
  readonly plan: Plan<Figures>;
  readonly asked: Compared<AskedPeriod>;
  readonly calls: PlannedCalls;
}

/** Where comanda doesn't count, nobody knows. One place is left to whoever else asks. */
function hasRoom(quota: QuotaState | undefined, calls: number): boolean {
  return quota !== undefined && quota.remaining > calls;
}

interface Asking<Figures> {
  readonly plan: Plan<Figures>;
  readonly progress: SalesProgress;
  readonly signal: AbortSignal;
  readonly soFar: ((result: SalesResult<Figures>) => Promise<void>) | undefined;
}

async function askOne<Figures>(
  inquiry: Inquiry<Figures>,
  { progress, signal, soFar }: Asking<Figures>,
): Promise<SalesResult<Figures>> {
  progress.begin(await expectedCalls(inquiry));
  const tell = soFar && ((store: StoreFigures<Figures>) => soFar({ kind: "one store", store }));
  return { kind: "one store", store: await figuresOf(inquiry, signal, tell) };
}

async function askAll<Figures>(
  all: readonly (Inquiry<Figures> | MissingStore)[],
  { plan, progress, signal, soFar }: Asking<Figures>,
): Promise<SalesResult<Figures>> {
  const inquiries = all.filter((one) => one.kind === "inquiry");
  progress.begin((await Promise.all(inquiries.map(expectedCalls))).flat());
  const together = (stores: readonly StoreResult<Figures>[]): SalesResult<Figures> => ({
    kind: "several stores",
    stores,
    totals: totalsOf(stores, (figures) => plan.add(figures)),
  });
  const known = new Map<number, StoreResult<Figures>>();
  const learn = async (place: number, result: StoreResult<Figures>, isAll: boolean) => {
    known.set(place, result);
    if (!isAll && known.size === all.length) await soFar?.(together(inOrder(known)));
    return result;
  };
  const stores = await Promise.all(
    all.map(async (one, place) => {
      if (one.kind === "missing") return learn(place, one, true);
      const tell = async (figures: StoreFigures<Figures>) => {
        await learn(place, figures, false);
      };
      return learn(place, await figuresOrReason(one, signal, soFar && tell), true);
    }),
  );
  return together(stores);
}

function inOrder<One>(places: ReadonlyMap<number, One>): readonly One[] {
  return [...places].toSorted(([a], [b]) => a - b).map(([, one]) => one);
}

function expectedCalls({ store, plan, asked, calls }: Inquiry<unknown>): Promise<ExpectedCalls[]> {
  return callsFor(plan.questions(asked, calls), calls, store);
}

/**
 * With those that only answers tell, as far as that is possible.
 *
 * @throws {ComandaError} `not_found` where something isn't kept and nothing may be asked
 */
async function plannedCalls({ plan, asked, calls, store }: Inquiry<unknown>, signal: AbortSignal) {
  calls.assertAnswerable(plan.questions(asked, calls));
  const outlook = await plan.outlook?.(calls, asked, signal);
  const questions = [...plan.questions(asked, calls), ...(outlook?.questions ?? [])];
  const requests = calls.requests(questions).map((one): StoreRequest => ({ ...one, store: store.name }));
  const expected = await callsFor(questions, calls, store);
  return {
    expected: await withUnknown(expected, outlook?.unknownCalls ?? 0, store),
    requests,
    estimated: outlook?.estimated ?? false,
  };
}

/** Those of which isn't known what they ask are for groups. */
async function withUnknown(
  expected: readonly ExpectedCalls[],
  unknown: number,
  store: OpenStore,
): Promise<readonly ExpectedCalls[]> {
  if (unknown === 0) return expected;
  const [summaries, groups] = expected;
  const quota = await store.quota("summary_grouped");
  return [...(summaries ? [summaries] : []), { calls: (groups?.calls ?? 0) + unknown, quota }];
}

async function callsFor(
  questions: readonly Question[],
  calls: StoreCalls,
  store: OpenStore,
): Promise<ExpectedCalls[]> {
  const byBucket = [
    ["summary", questions.filter(({ dimension }) => dimension === undefined)],
    ["summary_grouped", questions.filter(({ dimension }) => dimension !== undefined)],
  ] as const;
  return Promise.all(
    byBucket.map(async ([bucket, own]) => {
      const count = calls.mayAsk ? calls.count(own) : 0;
      return { calls: count, quota: count === 0 ? undefined : await store.quota(bucket) };
    }),
  );
}

/** Where one of a store's calls fails, those beside it are given up too, rather than waited for. */
async function figuresOf<Figures>(
  { store, plan, asked, calls }: Inquiry<Figures>,
  signal: AbortSignal,
  soFar?: (figures: StoreFigures<Figures>) => Promise<void>,
): Promise<StoreFigures<Figures>> {
  const storeFigures = (figures: Figures): StoreFigures<Figures> => {
    const { zone, display } = store.preferences;
    const age = plan.age(figures);
    const window = `${windowOf(asked)}${age.kept ? t`, as of ${describeMoment(age.askedAt, zone)}` : ""}`;
    return { kind: "figures", store: store.name, figures, window, age, zone, display };
  };
  const own = new AbortController();
  try {
    calls.assertAnswerable(plan.questions(asked, calls));
    const tell = soFar && ((figures: Figures) => soFar(storeFigures(figures)));
    return storeFigures(await plan.fetch(calls, asked, AbortSignal.any([signal, own.signal]), tell));
  } finally {
    own.abort(new ComandaError("interrupted", t`Another call for the same figures failed.`));
  }
}

/** Of several stores one that fails doesn't take the others' figures away. */
async function figuresOrReason<Figures>(
  inquiry: Inquiry<Figures>,
  signal: AbortSignal,
  soFar?: (figures: StoreFigures<Figures>) => Promise<void>,
): Promise<StoreResult<Figures>> {
  try {
    return await figuresOf(inquiry, signal, soFar);
  } catch (error) {
    if (signal.aborted || !(error instanceof ComandaError)) throw error;
    return { kind: "missing", store: inquiry.store.name, error };
  }
}

function windowOf(asked: Compared<AskedPeriod>): string {
  const current = describePeriod(asked.current.period);
  if (asked.kind === "plain") return current;
  return t`${current}, compared with ${describePrevious(asked.previous.period, asked.current.period)}`;
}

/** Another machine would count other days: each run says so, until somebody says which zone it is. */
export function sayGuessedZones(output: Output, opened: OpenStores): void {
  const stores = opened.kind === "one store" ? [opened.store] : opened.stores;
  for (const store of stores) {
    if (store.kind === "missing" || !store.preferences.zoneIsGuessed) continue;
    const { zone } = store.preferences;
    output.warn(
      t`The days of ${store.name} are counted in this machine's time zone, ${zone}, which may not be the store's. Say which is: comanda stores set ${store.name} --tz <zone>`,
    );
  }
}

/** Which window the figures are of, for whoever looks on; said once for all stores that share it. */
function sayWindows(output: Output, results: readonly StoreResult<unknown>[]): void {
  const stores = new Map<string, string[]>();
  for (const { store, window } of answered(results)) {
    stores.set(window, [...(stores.get(window) ?? []), store]);
  }
  for (const [window, names] of stores) {
    output.heading(stores.size === 1 ? window : `${names.join(", ")}: ${window}`);
  }
}

/** What has changed since it was told before. JSON has it beside the figures. */
function sayRestated(output: Output, results: readonly StoreResult<unknown>[], now: number): void {
  if (output.json) return;
  const stores = answered(results);
  for (const { store, age, zone, display } of stores) {
    if (!age.restated) continue;
    const lines = restatedLines(age.restated, { format: createNumberFormat(display), zone, now });
    for (const line of lines) output.notice(stores.length === 1 ? line : `${store}: ${line}`);
  }
}

/** What ends a command of several stores with exit code 10: it says of each store that failed why. */
export function missingStores(result: SalesResult<unknown>): ComandaError | undefined {
  return missingAmong(storesOf(result));
}

export function missingAmong(
  stores: readonly (MissingStore | { readonly kind: "figures" })[],
): ComandaError | undefined {
  const missing = stores.filter((one) => one.kind === "missing");
  if (missing.length === 0) return undefined;
  const names = missing.map(({ store }) => store).join(", ");
  return new ComandaError(
    "some_failed",
    t`${missing.length} of ${stores.length} stores gave no figures: ${names}.`,
    {
      hint: missing
        .map(({ store, error }) => [`${store}: ${error.message}`, error.hint].filter(Boolean).join(" "))
        .join("\n"),
    },
  );
}
