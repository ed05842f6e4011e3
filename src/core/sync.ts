/** Requests a store's recent days again, and stores them as rows for SQL. */
import type * as z from "zod";

import { numberFromCents } from "../api/money.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import { fetchFigures } from "../sales/fetch.js";
import { isDate, noOrders, type Key, type Row } from "../sales/figures.js";
import { daysOf } from "../sales/period.js";
import type { Answers, StoredDay } from "../state/answer-cache.js";
import { missingDocument, type MissingStore, type StoreSelection } from "./connection.js";
import { forEachStore, missingStores, planFigures, type FiguresPlan, type PlannedStore } from "./figures.js";
import type * as results from "./results.js";
import type { Workspace } from "./workspace.js";

type SyncDocument = z.output<typeof results.synced>;

/** The days of a store that were requested and stored, and what has changed since they were stored before. */
export interface SyncedStore extends Awaited<ReturnType<Answers["storeDays"]>> {
  readonly store: string;
  readonly preferences: PlannedStore["preferences"];
  /** `YYYY-MM-DD`, without a gap. */
  readonly dates: readonly string[];
}

export interface SyncResult {
  readonly stores: readonly (SyncedStore | MissingStore)[];
  /** Sets the exit code if stores are missing. */
  readonly failure?: ComandaError;
}

/**
 * Plans the requests for the days before today, from midnight to midnight as the service counts them. Sends nothing.
 *
 * @throws {ComandaError} as {@link planFigures}
 */
export async function planSync(
  workspace: Workspace,
  stores: StoreSelection,
  days: number,
): Promise<FiguresPlan> {
  const request = { period: `last-${days}-days`, fresh: true, fromMidnight: true };
  return planFigures(workspace, stores, request, [{ by: "day" }]);
}

/**
 * Requests and stores the days of each store.
 *
 * @throws {ComandaError} as {@link forEachStore}
 */
export async function sync(plan: FiguresPlan): Promise<SyncResult> {
  const stores = await forEachStore(plan, syncStore);
  const failure = missingStores(stores);
  return { stores, ...(failure && { failure }) };
}

/**
 * Only one process at a time fetches and stores a store's days, so that its rows are in the order of their requests.
 *
 * @throws {ComandaError} `state_unusable`; `unexpected_answer` for a day that isn't a date; the client's errors
 */
async function syncStore({
  connection,
  answers,
  fetchOptions,
  plans,
  preferences,
}: PlannedStore): Promise<SyncedStore> {
  const store = connection.label;
  const plan = plans[0]?.[0];
  if (!plan) throw new RangeError("a sync has a plan");
  if (!answers)
    throw new ComandaError("state_unusable", t`The figures of ${store} can't be stored: sign in again.`);
  const dates = daysOf(plan.period);
  const work = async () => {
    const { rows, askedAt } = await fetchFigures(fetchOptions, plan);
    const sold = new Map<Key, Row>();
    for (const row of rows) {
      if (!isDate(row.key))
        throw new ComandaError(
          "unexpected_answer",
          t`The service returned the day "${row.key}", which isn't a date.`,
        );
      sold.set(row.key, row);
    }
    const days = dates.map((date) => {
      const { orders, revenue } = sold.get(date) ?? noOrders;
      return { date, orders, revenueCents: revenue };
    });
    return answers.storeDays(days, askedAt, { timeZone: plan.period.zone, currency: preferences.currency });
  };
  const { waitMs } = fetchOptions;
  const stored = await answers.share({ by: undefined, text: "sync" }, work, { waitMs });
  return { store, preferences, dates, ...stored };
}

/** Returns the result as `--json` prints it. */
export function syncDocument({ stores }: SyncResult): SyncDocument {
  return {
    stores: stores.map((result) => {
      if ("error" in result) return missingDocument(result);
      const { store, preferences, dates, changed, joined, hidden } = result;
      return {
        store,
        currency: preferences.currency,
        days: dates.length,
        changed: changed.map(({ before, now }) => ({
          date: now.date,
          before: soldOn(before),
          now: soldOn(now),
        })),
        joined: joined && { ...joined, sign_ins: [...joined.sign_ins] },
        hidden: hidden && { ...hidden, sign_ins: [...hidden.sign_ins] },
      };
    }),
  };
}

function soldOn({ orders, revenueCents }: StoredDay) {
  return { total_order_count: orders, total_revenue: numberFromCents(revenueCents) };
}
