/** What the drivers that were assigned from this machine are owed, from the journal. Nothing is sent. */
import type * as z from "zod";

import { centsFromNumber, numberFromCents, type Cents } from "../api/money.js";
import { operations } from "../api/operations.js";
import { periodJson, type Period, type PeriodRequest } from "../sales/period.js";
import {
  hostsInHistory,
  readHistory,
  storesInHistory,
  withSettledOutcome,
  type HistoryRow,
} from "../state/journal.js";
import { chooseStore, type Store, type StoreSelection } from "./connection.js";
import { driverNames } from "./drivers.js";
import { periodAt, storedAlias } from "./history.js";
import { readPreferences } from "./preferences.js";
import type * as results from "./results.js";
import type { Workspace } from "./workspace.js";

type OwedDocument = z.output<typeof results.driversOwedAtStore>;
type Fees = OwedDocument["totals"];

export interface OwedAtStore extends Pick<Store, "store"> {
  readonly document: OwedDocument;
  readonly period: Period;
}

/**
 * Sums the fees of drivers in a period. Each order counts once, at its last assignment. Without an alias, the store is the default one
 * or that of environment variables. All stores are those on this machine, and any other with an assignment in the period, such as a
 * removed one or that of environment variables.
 *
 * @throws {ComandaError} as `storedAlias`, `chooseStore` and `resolvePeriod`
 */
export async function driversOwed(
  workspace: Workspace,
  { stores: named, allStores = false }: Omit<StoreSelection, "several">,
  period: PeriodRequest,
): Promise<readonly OwedAtStore[]> {
  const state = await workspace.state();
  const stores = new Set<string>();
  for (const typed of named) stores.add((await storedAlias(workspace, typed)) ?? typed);
  if (allStores) for (const { store } of await state.sessions.list()) stores.add(store);
  const chosen: Pick<Store, "store" | "label">[] = [...stores].map((store) => ({ store, label: store }));
  if (chosen.length === 0) chosen.push(await chooseStore(workspace, undefined));
  // A date-time without an end isn't a day that is cut at the current time, but it ends now, too.
  const isOpen = period.from !== undefined && period.to === undefined;
  const owed: OwedAtStore[] = [];
  for (const each of chosen) {
    const resolved = await periodAt(workspace, each.store, period);
    owed.push(await owedAt(workspace, each, isOpen ? { ...resolved, endsNow: true } : resolved));
  }
  const [first] = owed;
  if (!allStores || !first) return owed;
  const since = Date.parse(first.period.start);
  const others: Pick<Store, "store" | "label">[] = [];
  for (const store of await storesInHistory(state, since)) others.push({ store, label: store });
  for (const label of await hostsInHistory(state, since)) others.push({ store: undefined, label });
  for (const each of others) {
    if (chosen.some(({ label }) => label === each.label)) continue;
    // It has no time zone, so its days are those of the first one.
    const other = await owedAt(workspace, each, first.period);
    if (other.document.drivers.length > 0 || other.document.unknown > 0) owed.push(other);
  }
  return owed;
}

/** What is known of an order with a driver. */
interface OwedOrder {
  at: number;
  /** When the service made the last assignment that is done; `undefined` if its answer didn't show it. */
  changedAt?: number | undefined;
  driver?: number;
  /** The row of the last assignment that is done. */
  row?: HistoryRow;
  /** `null` if the order has no fee (section 2.1), so the store may still owe one; `undefined` if no answer showed a fee. */
  fee?: Cents | null | undefined;
  /** Whether an assignment with a fee, whose outcome is unknown, may have changed it. */
  feeIsUnknown?: boolean;
  /** Time of an assignment whose outcome is unknown, if no later one is done. */
  unknownAt?: number | undefined;
  canceled?: "done" | "unknown";
}

/** The clocks of machines that share a database may differ by this, in milliseconds. */
const clockSkewMs = 15 * 60_000;

async function owedAt(
  workspace: Workspace,
  { store, label }: Pick<Store, "store" | "label">,
  period: Period,
): Promise<OwedAtStore> {
  const state = await workspace.state();
  const { start, end, endsNow } = period;
  // A period that ends now includes assignments since its last whole second, also if this machine's clock is slow.
  const until = Date.parse(end) + (endsNow ? clockSkewMs : 0);
  const since = Date.parse(start);
  const isCounted = (at: number) => since <= at && at <= until;
  const orders = new Map<string, OwedOrder>();
  // An earlier cancellation or fee of an order still holds.
  const writes = await readHistory(state, { store, ordersSince: since });
  // An order that was assigned again after the period, such as to correct its fee, counts only there.
  for (const row of writes.map(withSettledOutcome).reverse()) {
    const { order_id: id, operation, outcome, fee, changedAt } = row;
    if ((row.store ?? row.environment) !== label) continue;
    if (id === null || (outcome !== "done" && outcome !== "unknown")) continue;
    const { driver_id: driver } = row.arguments;
    const at = Date.parse(row.at);
    const order = orders.get(id) ?? { at };
    orders.set(id, order);
    if (operation === operations.cancelOrder.id && order.canceled !== "done") order.canceled = outcome;
    if (operation !== operations.assignDriver.id || typeof driver !== "number") continue;
    // It arrived before an assignment that was sent earlier, or this machine's clock was set back.
    if (changedAt !== undefined && order.changedAt !== undefined && changedAt < order.changedAt) continue;
    order.unknownAt = outcome === "unknown" ? at : undefined;
    if (fee !== undefined) order.feeIsUnknown = outcome === "unknown";
    if (outcome === "unknown") continue;
    Object.assign(order, { at, changedAt, driver, row });
    // Section 4.1: an assignment without a fee doesn't change the fee; null removes it.
    if (fee !== undefined) order.fee = fee === null ? null : centsFromNumber(fee);
    else if (order.feeIsUnknown) order.fee = undefined;
  }
  const assignments = [...orders.values()];
  const owed = assignments.filter(({ at, driver }) => driver !== undefined && isCounted(at));
  const nameOf = driverNames(state);
  const drivers: OwedDocument["drivers"] = [];
  for (const id of [...new Set(owed.map(({ driver = 0 }) => driver))].sort((one, other) => one - other)) {
    const own = owed.filter(({ driver }) => driver === id);
    let name: string | null = null;
    for (const { row } of own) name ??= row ? await nameOf(row, id) : null;
    drivers.push({ driver_id: id, name, ...feesOf(own) });
  }
  const unknown =
    assignments.filter(({ unknownAt }) => unknownAt !== undefined && isCounted(unknownAt)).length +
    owed.filter(({ canceled }) => canceled === "unknown").length;
  const { currency } = await readPreferences(workspace, store);
  const document = {
    store: label,
    period: periodJson(period),
    currency,
    drivers,
    totals: feesOf(owed),
    unknown,
  };
  return { store, document, period };
}

/** The store decides whether the driver of a canceled order is paid. */
function feesOf(orders: readonly OwedOrder[]): Fees {
  const sumOf = (some: readonly OwedOrder[]) =>
    numberFromCents(some.reduce((sum, { fee }) => sum + (fee ?? 0), 0));
  const zero = orders.filter(({ fee }) => fee === 0).length;
  const notSet = orders.filter(({ fee }) => fee === null).length;
  const notShown = orders.filter(({ fee }) => fee === undefined).length;
  const canceled = orders.filter((order) => order.canceled === "done");
  return {
    orders: orders.length,
    with_fee: orders.length - zero - notSet - notShown,
    zero_fee: zero,
    fee_not_set: notSet,
    fee_not_shown: notShown,
    total_fee: sumOf(orders),
    canceled_orders: canceled.length,
    canceled_fee: sumOf(canceled),
  };
}
