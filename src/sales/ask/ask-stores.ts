/** Asks each chosen store for its sales figures, within its own limits. */
import { describeUnlisted, unlistedValues } from "../../client/unlisted-values.js";
import { dimensions } from "../../contract/enums.js";
import type { Filter } from "../../contract/filters.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { totalsOf } from "../merge/stores.js";
import { describePrevious } from "../period/comparison.js";
import { describeMoment, describePeriod, type Period } from "../period/period.js";
import type { Plan, PlannedCalls } from "../plan/plans.js";
import { requestedPeriods, type Question, type SalesRequest } from "../plan/request.js";
import { createStoreCalls } from "../plan/store-calls.js";
import {
  openOf,
  orMissing,
  type Compared,
  type MissingStore,
  type SalesResult,
  type StoreFigures,
  type StoreResult,
} from "../results.js";
import type { Machine } from "../../toolkit/machine.js";

import { freshnessAt } from "./freshness-options.js";
import type { SalesOptions } from "./options.js";
import { salesProgress, type ExpectedCalls, type SalesProgress } from "./progress.js";
import { linesOf, sayGuessedZones, sayRestated, sayWindows, type Story } from "./say-of-stores.js";
import type { OpenStore } from "./stores.js";

export interface AskingOptions extends SalesOptions {
  /**
   * Gives the request for one store, where it differs from store to store; `undefined` where there is nothing to ask
   * it.
   *
   * @throws {ComandaError} where the store can't be asked
   */
  readonly requestOf?: (store: OpenStore) => SalesRequest | undefined;
}

/** One store will be asked this. */
export interface Inquiry {
  readonly kind: "inquiry";
  readonly store: OpenStore;
  readonly periods: Compared<Period>;
  readonly calls: PlannedCalls;
  /**
   * Counts the calls that these questions take, at either limit.
   *
   * @param unforeseen is the number of further calls for groups, which only an answer tells
   */
  readonly expected: (
    questions: readonly Question[],
    unforeseen?: number,
  ) => Promise<readonly ExpectedCalls[]>;
}

/**
 * Opens the stores, and closes them after the work.
 *
 * @param label names the command in the progress bar
 */
export async function withInquiries<Result>(
  machine: Machine,
  label: string,
  options: AskingOptions,
  work: (
    stores: readonly (Inquiry | MissingStore)[],
    areSeveral: boolean,
    progress: SalesProgress,
  ) => Promise<Result>,
): Promise<Result> {
  const { context, output } = machine;
  const { request, freshness, requestOf } = options;
  const { openStores } = await import("./stores.js");
  const progress = salesProgress(machine, label);
  const opened = await openStores(machine, {
    ...options,
    purpose: "figures",
    isAnnounced: (notice) => progress.isAnnounced(notice),
  });
  const { areSeveral } = opened;
  const now = context.clock.now();
  const stories: Story[] = [];
  /** Says a warning at once; those of several stores at the end, so that what is true of many is one line. */
  const warnOf = (store: string) => (message: string) => {
    if (areSeveral) stories.push({ store, say: (names) => `${names}: ${message}` });
    else output.warnOnce(message);
  };
  const inquire = (store: OpenStore): Inquiry | undefined => {
    const storeRequest = requestOf ? requestOf(store) : request;
    if (!storeRequest) return undefined;
    const onWarning = warnOf(store.name);
    const calls = createStoreCalls({
      source: {
        ...store.source,
        async call(query, signal) {
          const answer = await store.source.call(query, signal);
          progress.called();
          return answer;
        },
      },
      request,
      freshness: freshnessAt(freshness, store.preferences.zone, now),
      onWarning,
    });
    const expected: Inquiry["expected"] = async (questions, unforeseen = 0) => {
      const requests = calls.mayAsk ? await calls.requests(questions) : [];
      const missing = requests.filter(({ kept }) => !kept);
      const groups = missing.filter(({ dimension }) => dimension !== undefined).length;
      const expectedAt = async (bucket: "summary" | "summary_grouped", count: number) => {
        return { calls: count, quota: count === 0 ? undefined : await store.quota(bucket) };
      };
      return [
        await expectedAt("summary", missing.length - groups),
        await expectedAt("summary_grouped", groups + unforeseen),
      ];
    };
    return {
      ...{ kind: "inquiry", store, expected },
      periods: requestedPeriods(storeRequest, { now, onWarning, ...store.preferences }),
      calls: {
        ...calls,
        hasRoomForGroups: async (count) => {
          const quota = await store.quota("summary_grouped");
          // One place is left to others. Where nothing is counted, nobody knows how many places there are.
          return quota !== undefined && quota.remaining > count;
        },
        warn: onWarning,
        announce: async (questions) => {
          progress.begin(await expected(questions));
        },
      },
    };
  };
  try {
    for (const warning of await unlistedWarnings(request.filters, openOf(opened))) output.warnOnce(warning);
    const inquiries = opened.stores.map(async (store) => {
      if (store.kind === "missing") return store;
      // Where one request is wrong for all stores, that is no store's own trouble.
      const ask = () => Promise.resolve(inquire(store));
      return areSeveral && requestOf ? orMissing(store.name, context.signal, ask) : ask();
    });
    const asked = (await Promise.all(inquiries)).filter((store) => store !== undefined);
    return await work(asked, areSeveral, progress);
  } finally {
    progress.end();
    for (const line of linesOf(stories)) output.warnOnce(line);
    await opened.close();
  }
}

/**
 * @param label names the command in the progress bar
 * @throws {ComandaError} what is wrong with the request, before any call; and, where one store was asked for, what
 * went wrong with it
 */
export async function askStores<Figures>(
  machine: Machine,
  label: string,
  options: AskingOptions,
  plan: Plan<Figures>,
  onPartialResult?: OnPartialResult<Figures>,
): Promise<SalesResult<Figures>> {
  const { context, output } = machine;
  const { signal } = context;
  return withInquiries(machine, label, options, async (asked, areSeveral, progress) => {
    const resultOf = (stores: readonly StoreResult<Figures>[]): SalesResult<Figures> => ({
      kind: "result",
      ...{ areSeveral, stores },
      totals: areSeveral ? totalsOf({ stores }, (figures) => plan.add(figures)) : [],
    });
    const inquiries = asked.filter((store) => store.kind === "inquiry");
    const expectedCalls = inquiries.map(async ({ expected, periods, calls }) =>
      expected(await plan.questions(periods, calls)),
    );
    progress.begin((await Promise.all(expectedCalls)).flat());
    const results: (StoreResult<Figures> | undefined)[] = asked.map(() => undefined);
    const stores = await Promise.all(
      asked.map(async (inquiry, place) => {
        if (inquiry.kind === "missing") return (results[place] = inquiry);
        const onPartialFigures = async (figures: StoreFigures<Figures>) => {
          results[place] = figures;
          const ready = results.filter((result) => result !== undefined);
          if (ready.length === asked.length) await onPartialResult?.(resultOf(ready), progress.endsAt());
        };
        const ask = () => figuresOf(inquiry, plan, signal, onPartialResult && onPartialFigures);
        return (results[place] = await (areSeveral ? orMissing(inquiry.store.name, signal, ask) : ask()));
      }),
    );
    const result = resultOf(stores);
    sayGuessedZones(
      output,
      inquiries.map(({ store }) => store),
    );
    sayWindows(output, result);
    sayRestated(output, result, context.clock.now());
    return result;
  });
}

/**
 * Is called before a wait with what there is already, once every store has something.
 *
 * @param endsAt is when the rest will be there, in milliseconds since the epoch
 */
export type OnPartialResult<Figures> = (result: SalesResult<Figures>, endsAt: number) => Promise<void>;

/** Asks for a store's figures. Where one call fails, those beside it are given up rather than waited for. */
async function figuresOf<Figures>(
  { store, periods, calls }: Inquiry,
  plan: Plan<Figures>,
  signal: AbortSignal,
  onPartialFigures?: (figures: StoreFigures<Figures>) => Promise<void>,
): Promise<StoreFigures<Figures>> {
  const storeFigures = (figures: Figures): StoreFigures<Figures> => {
    const { zone, display } = store.preferences;
    const age = plan.age(figures);
    const window = `${windowOf(periods)}${age.kept ? t`, as of ${describeMoment(age.askedAt, zone)}` : ""}`;
    return { kind: "figures", store: store.name, figures, window, age, zone, display };
  };
  const controller = new AbortController();
  try {
    await calls.assertAnswerable(await plan.questions(periods, calls));
    const onPartialFetch =
      onPartialFigures && ((figures: Figures) => onPartialFigures(storeFigures(figures)));
    return storeFigures(
      await plan.fetch(calls, periods, AbortSignal.any([signal, controller.signal]), onPartialFetch),
    );
  } finally {
    controller.abort(new ComandaError("interrupted", t`Another call for the same figures failed.`));
  }
}

function windowOf({ current, previous }: Compared<Period>): string {
  const window = describePeriod(current);
  if (!previous) return window;
  return t`${window}, compared with ${describePrevious(previous, current)}`;
}

/**
 * Tells of filter values that neither the API's list nor any kept answer of the stores has. It is said before anything
 * is asked, since such a value may be a slip: it would select no order.
 */
async function unlistedWarnings(
  filters: readonly Filter[],
  stores: readonly OpenStore[],
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const unlisted of unlistedValues(filters)) {
    const { field, value } = unlisted;
    const dimension = dimensions.find((name) => name === field);
    const knownValues = new Set<string>();
    for (const { source } of stores) {
      if (dimension === undefined) break;
      for await (const { answer } of source.answersBy(dimension))
        for (const { key } of answer.groups) knownValues.add(String(key));
    }
    const advice = t` To see which there are: comanda grouped --by ${field} --period last-month`;
    if (!knownValues.has(value)) warnings.push(`${describeUnlisted(unlisted, knownValues)}${advice}`);
  }
  return warnings;
}
