/** Asks for the last days again, keeps them as rows that SQL reads, and tells what has changed since. */
import { numberFromCents } from "../api/money.js";
import { ComandaError } from "../client/errors.js";
import { plural, t } from "../languages/language.js";
import { shownDate } from "../languages/local-time.js";
import type { KeptDay } from "../state/answers.js";
import { codesOf } from "../cli/output.js";
import type { Machine } from "../toolkit/machine.js";
import { ask, planned } from "./ask.js";
import { daysOf } from "./calendar.js";
import { planOf, type CallPlan, type StorePlan } from "./dry-run.js";
import type { MissingStore } from "./figures.js";
import { resolvePeriod, type Period } from "./period.js";
import { numberFormat } from "./render/numbers.js";
import { orMissing, sayGuessedZones, withStores, type OpenStore } from "./stores.js";

export interface SyncRequest {
  readonly stores: readonly string[];
  readonly allStores: boolean;
  /** So many days, until yesterday. */
  readonly days: number;
  readonly dryRun: boolean;
}

export interface StoreSync {
  readonly store: string;
  readonly days: number;
  readonly changed: readonly ChangedDay[];
  /** Writes orders and revenue by the store's locale. */
  readonly text: (day: KeptDay) => string;
}

interface ChangedDay {
  readonly date: string;
  readonly before: KeptDay;
  readonly now: KeptDay;
}

export interface SyncResult {
  readonly kind: "sync";
  readonly several: boolean;
  readonly stores: readonly (StoreSync | MissingStore)[];
}

/** @throws {ComandaError} where one store was asked for, what went wrong with it */
export async function syncStores(
  machine: Machine,
  { days, dryRun, ...request }: SyncRequest,
): Promise<SyncResult | CallPlan> {
  const asked = { zone: undefined, filters: undefined, dateField: undefined, freshness: "fresh" } as const;
  const open = { ...request, ...asked, label: "sync", mustKeep: true };
  return withStores(machine, open, async (stores, several, progress) => {
    // They are the service's own days, wherever the store's start.
    const periodOf = ({ asking: { begunAt: now }, preferences: { zone } }: OpenStore) =>
      resolvePeriod({ period: `last-${days}-days` }, { now, zone });
    const plans: StorePlan[] = [];
    for (const store of stores)
      if (!("error" in store))
        plans.push({
          store,
          requests: await planned(store.asking, [{ period: periodOf(store), by: "day" }]),
        });
    if (dryRun) return planOf(plans);
    progress.begin(
      (
        await Promise.all(plans.map(({ store, requests }) => progress.expected(store.limit, requests)))
      ).flat(),
    );
    const synced = stores.map(async (store) => {
      if ("error" in store) return store;
      const sync = () => syncStore(machine, store, periodOf(store));
      return several ? orMissing(store.store, machine.context.signal, sync) : sync();
    });
    const result = { kind: "sync", several, stores: await Promise.all(synced) } as const;
    sayGuessedZones(machine, stores);
    return result;
  });
}

/** A store's days are asked for and kept by one process at a time: its rows are in the order in which they were asked. */
async function syncStore(
  { context: { signal } }: Machine,
  store: OpenStore,
  period: Period,
): Promise<StoreSync> {
  const { answers, asking, preferences } = store;
  const { waitMs } = asking;
  if (!answers)
    throw new ComandaError("state_unusable", t`The figures of ${store.store} can't be kept: sign in again.`);
  const work = async () => {
    const { rows, askedAt } = await ask(asking, { period, by: "day" });
    const byDate = new Map(rows.map((row) => [row.key, row]));
    const days = daysOf(period).map((date): KeptDay => {
      const { orders, revenue } = byDate.get(date) ?? { orders: 0, revenue: 0 };
      return { date, orders, revenueCents: revenue };
    });
    const other = rows.find(({ key }) => typeof key !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(key));
    if (other) {
      throw new ComandaError(
        "unexpected_answer",
        t`The service calls a day "${other.key}", which is no date.`,
        {
          hint: t`Without dates its days can't be kept as rows.`,
        },
      );
    }
    const form = { timeZone: period.zone, currency: preferences.currency };
    const before = await answers.keepDays(days, askedAt, form);
    const now = new Map(days.map((day) => [day.date, day]));
    return before.map((day): ChangedDay => ({ date: day.date, before: day, now: now.get(day.date) ?? day }));
  };
  const changed = await answers.share({ by: undefined, text: "sync" }, work, { waitMs, signal });
  const text = ({ orders, revenueCents }: KeptDay) => {
    const format = numberFormat(preferences);
    const amount = format.amount(numberFromCents(revenueCents));
    return plural(orders, {
      one: t`1 order, ${amount}`,
      other: t`${format.count(orders)} orders, ${amount}`,
    });
  };
  return { store: store.store, days: daysOf(period).length, changed, text };
}

/** More lines would tell nobody more. */
const mostLines = 10;

/** Says what has changed, the newest day first. */
export function changedLines({ stores, several }: SyncResult): readonly string[] {
  const lines = stores
    .flatMap((store) => ("error" in store ? [] : store.changed.map((day) => ({ ...store, ...day }))))
    .toSorted((left, other) => other.date.localeCompare(left.date))
    .map(({ store, date, before, now, text }) => {
      const line = t`${shownDate(date)} was ${text(before)}, and is ${text(now)}.`;
      return several ? `${store}: ${line}` : line;
    });
  if (lines.length <= mostLines) return lines;
  const untold = lines.length - mostLines + 1;
  return [
    ...lines.slice(0, mostLines - 1),
    t`… and ${untold} more: --json has them all, and the view restatements.`,
  ];
}

export function syncJson({ stores }: SyncResult): object {
  const figures = ({ orders, revenueCents }: KeptDay) => ({
    total_order_count: orders,
    total_revenue: numberFromCents(revenueCents),
  });
  return {
    stores: stores.map((store) => {
      if ("error" in store) {
        const { error } = store;
        return {
          store: store.store,
          error: { exit_code: error.exitCode, ...codesOf(error), message: error.message },
        };
      }
      const changed = store.changed.map(({ date, before, now }) => ({
        date,
        before: figures(before),
        now: figures(now),
      }));
      return { store: store.store, days: store.days, changed };
    }),
  };
}
