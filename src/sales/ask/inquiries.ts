/** An inquiry holds what one store will be asked, and counts the calls that it takes. */
import type { Period } from "../period/period.js";
import type { PlannedCalls } from "../plan/plans.js";
import { requestedPeriods, type Question, type SalesRequest } from "../plan/request.js";
import { createStoreCalls, type StoreCalls } from "../plan/store-calls.js";
import { warnOfUnlisted } from "../plan/unlisted-values.js";
import { openOf, orMissing, type Compared, type MissingStore } from "../results.js";
import type { Machine } from "../../toolkit/machine.js";

import { freshnessAt } from "./freshness-options.js";
import type { SalesOptions } from "./options.js";
import { salesProgress, type ExpectedCalls, type SalesProgress } from "./progress.js";
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

export interface Inquiry {
  readonly kind: "inquiry";
  readonly store: OpenStore;
  readonly periods: Compared<Period>;
  readonly calls: PlannedCalls;
}

export interface Inquiries {
  /** Several stores were asked for, even if this machine knows but one. */
  readonly areSeveral: boolean;
  readonly stores: readonly (Inquiry | MissingStore)[];
  readonly progress: SalesProgress;
}

/**
 * Opens the stores, and closes them after the work.
 *
 * @param label names the command in the progress bar
 */
export async function withInquiries<Result>(
  machine: Machine,
  label: string,
  { request, freshness, stores, allStores, presentation, requestOf }: AskingOptions,
  work: (inquiries: Inquiries) => Promise<Result>,
): Promise<Result> {
  const { context, output } = machine;
  const { openStores } = await import("./stores.js");
  const progress = salesProgress(machine, label);
  const opened = await openStores(machine, {
    stores,
    allStores,
    presentation,
    purpose: "figures",
    isAnnounced: (notice) => progress.isAnnounced(notice),
  });
  const { areSeveral } = opened;
  const now = context.clock.now();
  const stories = new Map<string, Story>();
  /**
   * Says a warning of one store at once; those of several are said at the end, so that what is true of many is one
   * line.
   */
  const warnOf = (store: string) => (message: string) => {
    const say = (names: string) => `${names}: ${message}`;
    if (areSeveral) stories.set(say(store), { store, say });
    else output.warnOnce(message);
  };
  const inquire = async (store: OpenStore): Promise<Inquiry | undefined> => {
    const storeRequest = requestOf ? requestOf(store) : request;
    if (!storeRequest) return undefined;
    const onWarning = warnOf(store.name);
    const inputs = {
      source: store.source,
      request,
      freshness: freshnessAt(freshness, store.preferences.zone, now),
      doubtedAt: await store.doubtedAt(),
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
      periods: requestedPeriods(storeRequest, { now, onWarning, ...store.preferences }),
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
  try {
    await warnOfUnlisted(
      request.filters,
      openOf(opened).map(({ source }) => source),
      (message) => {
        output.warnOnce(message);
      },
    );
    const inquiries = opened.stores.map(async (store) => {
      if (store.kind === "missing") return store;
      // Where one request is wrong for all stores, that is no store's own trouble.
      const ask = () => inquire(store);
      return areSeveral && requestOf ? orMissing(store.name, context.signal, ask) : ask();
    });
    const asked = (await Promise.all(inquiries)).filter((store) => store !== undefined);
    return await work({ areSeveral, stores: asked, progress });
  } finally {
    progress.end();
    for (const line of linesOf([...stories.values()])) output.warnOnce(line);
    await opened.close();
  }
}

/** @param unforeseen is the number of further calls for groups, which only an answer tells */
export async function callsFor(
  questions: readonly Question[],
  { calls, store }: { readonly calls: StoreCalls; readonly store: OpenStore },
  unforeseen = 0,
): Promise<ExpectedCalls[]> {
  const byBucket = [
    ["summary", questions.filter(({ dimension }) => dimension === undefined), 0],
    ["summary_grouped", questions.filter(({ dimension }) => dimension !== undefined), unforeseen],
  ] as const;
  return Promise.all(
    byBucket.map(async ([bucket, questions, more]) => {
      const count = (calls.mayAsk ? await calls.count(questions) : 0) + more;
      return { calls: count, quota: count === 0 ? undefined : await store.quota(bucket) };
    }),
  );
}
