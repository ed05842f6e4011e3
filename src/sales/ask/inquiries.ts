/** An inquiry holds what one store will be asked, and counts the calls that it takes. */
import type { Period } from "../period/period.js";
import type { PlannedCalls } from "../plan/plans.js";
import { requestedPeriods, type Question, type SalesRequest } from "../plan/request.js";
import type { SalesSource } from "../plan/source.js";
import { createStoreCalls } from "../plan/store-calls.js";
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
  /**
   * Counts the calls that these questions take, at either limit.
   *
   * @param unforeseen is the number of further calls for groups, which only an answer tells
   */
  expected(questions: readonly Question[], unforeseen?: number): Promise<readonly ExpectedCalls[]>;
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
  options: AskingOptions,
  work: (inquiries: Inquiries) => Promise<Result>,
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
  /**
   * Says a warning of one store at once; those of several are said at the end, so that what is true of many is one
   * line.
   */
  const warnOf = (store: string) => (message: string) => {
    if (areSeveral) stories.push({ store, say: (names) => `${names}: ${message}` });
    else output.warnOnce(message);
  };
  const inquire = (store: OpenStore): Inquiry | undefined => {
    const storeRequest = requestOf ? requestOf(store) : request;
    if (!storeRequest) return undefined;
    const onWarning = warnOf(store.name);
    const inputs = {
      source: {
        ...store.source,
        async call(...question: Parameters<SalesSource["call"]>) {
          const answer = await store.source.call(...question);
          progress.called();
          return answer;
        },
      },
      request,
      freshness: freshnessAt(freshness, store.preferences.zone, now),
      onWarning,
    };
    const calls = createStoreCalls(inputs);
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
        unfiltered: createStoreCalls({ ...inputs, request: { ...request, filters: [] } }),
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
      const ask = () => Promise.resolve(inquire(store));
      return areSeveral && requestOf ? orMissing(store.name, context.signal, ask) : ask();
    });
    const asked = (await Promise.all(inquiries)).filter((store) => store !== undefined);
    return await work({ areSeveral, stores: asked, progress });
  } finally {
    progress.end();
    for (const line of linesOf(stories)) output.warnOnce(line);
    await opened.close();
  }
}
