/** `comanda tie` compares a store's kept figures with each other, and its drivers with the journal. */
import { numberFromCents } from "../../contract/money.js";
import { driverFees, lastAssignedUntil } from "../../state/journal/driver-fees.js";
import { lookedUp, readHistory, type HistoryRow } from "../../state/journal/history.js";
import { keptDriverOrders, keptPairs, type DriverOrders } from "../../state/kept-totals.js";
import type { Machine } from "../../toolkit/machine.js";
import { tie, type Tie } from "../ledger/tie.js";
import type { Period } from "../period/period.js";
import { amountFormat } from "./store-preferences.js";

/** The service has a driver's orders, of which this many were assigned on this machine. */
export interface DriverCoverage extends DriverOrders {
  readonly assigned: number;
  /** These fees are owed for the assigned orders, in the store's currency. */
  readonly fees: number;
}

export interface StoreTie extends Tie {
  readonly store: string;
  /** The list is empty unless the period was asked for by driver. */
  readonly drivers: readonly DriverCoverage[];
  /** Writes an amount by the store's locale and currency. */
  readonly amount: (value: number) => string;
}

/**
 * @param period is absent for all that is kept
 * @throws {ComandaError} `state_unusable`
 */
export async function tieStore(
  machine: Machine,
  store: string,
  period: Period | undefined,
): Promise<StoreTie> {
  const state = await machine.state();
  const span = period
    ? { from: period.start.epochMilliseconds, to: period.end.epochMilliseconds }
    : { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
  return {
    store,
    ...tie(await keptPairs(state, store, span)),
    drivers: period?.kind === "days" ? await coverage(machine, store, period) : [],
    amount: await amountFormat(machine, store),
  };
}

async function coverage(
  machine: Machine,
  store: string,
  { from, to, start, end }: Period,
): Promise<readonly DriverCoverage[]> {
  const state = await machine.state();
  const orders = await keptDriverOrders(state, store, { first: from.date, last: to.date });
  if (orders.length === 0) return [];
  const filter = { store, since: start.epochMilliseconds, operation: "assignDriver" };
  const rows: HistoryRow[] = [];
  for await (const page of readHistory(state, filter)) rows.push(...page);
  const settled = rows.map((row) => lookedUp(row, row.settled?.outcome));
  const assigned = driverFees(lastAssignedUntil(settled, end.epochMilliseconds), new Set());
  return orders.map((driverOrders) => {
    const driverFee = assigned.find(({ driver }) => driver === driverOrders.driver);
    return {
      ...driverOrders,
      assigned: driverFee?.orders ?? 0,
      fees: numberFromCents(driverFee?.total ?? 0),
    };
  });
}
