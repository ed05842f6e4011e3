/** An inquiry holds what one store will be asked, and counts the calls that it takes. */
import type { Plan, PlannedCalls } from "../plan/plans.js";
import { requestedPeriods, type PeriodSpan, type Question, type SalesRequest } from "../plan/request.js";
import { createStoreCalls, type StoreCalls } from "../plan/store-calls.js";
import { warnOfUnlisted } from "../plan/unlisted-values.js";
import { openOf, type Compared } from "../results.js";
import type { Machine } from "../../toolkit/machine.js";

import { freshnessAt } from "./freshness-options.js";
import type { SalesOptions } from "./options.js";
import type { ExpectedCalls, SalesProgress } from "./progress.js";
import { linesOf, type Story } from "./say-of-stores.js";
import type { OpenStore } from "./stores.js";

export interface AskingOptions extends Omit<SalesOptions, "csv"> {
  /**
   * Gives the request for one store, where it differs from store to store; `undefined` where there is nothing to ask
   * it.
   *
   * @throws {ComandaError} where the store can't be asked
   */
  readonly requestOf?: (store: OpenStore) => SalesRequest | undefined;
}

export async function openInquiries<Figures>(
  machine: Machine,
  { request, freshness, stores, allStores, presentation, requestOf = () => request }: AskingOptions,
  plan: Plan<Figures>,
  progress: SalesProgress,
) {
  const { context, output } = machine;
  const { openStores } = await import("./stores.js");
  const opened = await openStores(machine, {
    stores,
    allStores,
    presentation,
    isAnnounced: (notice) => progress.isAnnounced(notice),
  });
  const now = context.clock.now();
  const stories = new Map<string, Story>();
  /**
   * Says a warning of one store at once; those of several are said at the end, so that what is true of many is one
   * line.
   */
  const warnOf = (store: string) => (message: string) => {
    const say = (names: string) => `${names}: ${message}`;
    if (opened.areSeveral) stories.set(say(store), { store, say });
    else output.warnOnce(message);
  };
  await warnOfUnlisted(
    request.filters,
    openOf(opened).map(({ source }) => source),
    (message) => {
      output.warnOnce(message);
    },
  );
  const inquire = (store: OpenStore): Inquiry<Figures> | undefined => {
    const storeRequest = requestOf(store);
    if (!storeRequest) return undefined;
    const onWarning = warnOf(store.name);
    const inputs = {
      source: store.source,
      request,
      freshness: freshnessAt(freshness, store.preferences.zone, now),
      doubtedAt: store.doubtedAt,
      storeZone: store.preferences.storeZone,
      onCalled: () => {
        progress.called();
      },
      onWarning,
    };
    const calls = createStoreCalls(inputs);
    return {
      kind: "inquiry",
      store,
      plan,
      spans: requestedPeriods(storeRequest, { now, onWarning, ...store.preferences }),
      calls: {
        ...calls,
        unfiltered: createStoreCalls({ ...inputs, request: { ...request, filters: [] } }),
        hasRoomForGroups: async (count) => {
          const quota = await store.quota("summary_grouped");
          // One place is left to others. Where nothing is counted, nobody knows how many places there are.
          return quota !== undefined && quota.remaining > count;
        },
        warn: onWarning,
        announce: async (questions) => {
          progress.begin(await callsFor(questions, { calls, store }));
        },
      },
    };
  };
  const close = async () => {
    for (const line of linesOf([...stories.values()])) output.warnOnce(line);
    await opened.close();
  };
  return { opened, inquire, close };
}

export interface Inquiry<Figures> {
  readonly kind: "inquiry";
  readonly store: OpenStore;
  readonly plan: Plan<Figures>;
  readonly spans: Compared<PeriodSpan>;
  readonly calls: PlannedCalls;
}

export async function callsFor(
  questions: readonly Question[],
  { calls, store }: { readonly calls: StoreCalls; readonly store: OpenStore },
): Promise<ExpectedCalls[]> {
  const byBucket = [
    ["summary", questions.filter(({ dimension }) => dimension === undefined)],
    ["summary_grouped", questions.filter(({ dimension }) => dimension !== undefined)],
  ] as const;
  return Promise.all(
    byBucket.map(async ([bucket, questions]) => {
      const count = calls.mayAsk ? await calls.count(questions) : 0;
      return { calls: count, quota: count === 0 ? undefined : await store.quota(bucket) };
    }),
  );
}
