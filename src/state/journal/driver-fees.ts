/** Adds up what each driver is owed for the orders that were assigned on this machine. Pure. */
import { centsFromNumber, type Cents } from "../../api/money.js";
import type { HistoryRow } from "./history.js";

export interface DriverFees {
  readonly driver: number;
  /** Orders whose last driver this is, as far as this machine assigned it. */
  readonly orders: number;
  /** The number of these orders whose fee is known. */
  readonly knownFees: number;
  /** The sum of the known fees. */
  readonly total: Cents;
  /** The number of these orders that were canceled from this machine. */
  readonly canceledOrders: number;
  /** The part of the total that is for canceled orders. */
  readonly canceledTotal: Cents;
}

interface Assigned {
  readonly driver: number;
  /** `undefined`: not known here. */
  readonly fee: Cents | undefined;
}

/**
 * Leaves out the orders that were assigned later, be it to correct a fee: they are owed for once.
 *
 * @param rows driver assignments
 * @param until milliseconds since the epoch
 * @returns those until then
 */
export function lastAssignedUntil(rows: readonly HistoryRow[], until: number): readonly HistoryRow[] {
  const isLater = ({ at }: HistoryRow) => Date.parse(at) > until;
  const later = new Set(
    rows.filter((row) => isLater(row) && row.outcome === "done").map(({ order_id: order }) => order),
  );
  return rows.filter((row) => !isLater(row) && !later.has(row.order_id));
}

/**
 * A canceled order may still be owed for: it is among the others, and counted once more by itself.
 *
 * @param rows driver assignments, newest first; those that were not done are left out
 * @param canceled the ids of the orders that were canceled
 * @returns by driver id
 */
export function driverFees(
  rows: readonly HistoryRow[],
  canceled: ReadonlySet<string>,
): readonly DriverFees[] {
  const orders = new Map<string, Assigned>();
  for (const { outcome, order_id: order, arguments: args } of [...rows].reverse()) {
    const driver = args["driver_id"];
    if (outcome !== "done" || order === null || typeof driver !== "number") continue;
    orders.set(order, { driver, fee: feeAfter(args["driver_fee"], orders.get(order)?.fee) });
  }
  const drivers = new Map<number, DriverFees>();
  for (const [order, { driver, fee }] of orders) {
    const before = drivers.get(driver) ?? noFees;
    const isCanceled = canceled.has(order);
    drivers.set(driver, {
      driver,
      orders: before.orders + 1,
      knownFees: before.knownFees + (fee === undefined ? 0 : 1),
      total: before.total + (fee ?? 0),
      canceledOrders: before.canceledOrders + (isCanceled ? 1 : 0),
      canceledTotal: before.canceledTotal + (isCanceled ? (fee ?? 0) : 0),
    });
  }
  return [...drivers.values()].sort((a, b) => a.driver - b.driver);
}

const noFees = { orders: 0, knownFees: 0, total: 0, canceledOrders: 0, canceledTotal: 0 };

/**
 * Assignments of which nothing tells whether they were done. One that was repeated, and done then, is not among them.
 *
 * @param rows as for {@link driverFees}
 */
export function doubtfulAssignments(rows: readonly HistoryRow[]): number {
  const done = new Set<string | null>();
  let doubtful = 0;
  for (const { outcome, order_id: order } of rows) {
    if (outcome === "done") done.add(order);
    if (outcome === "unknown" && !done.has(order)) doubtful += 1;
  }
  return doubtful;
}

/** Section 4.1: an assignment without a fee keeps the one before; null takes it away. */
function feeAfter(argument: unknown, before: Cents | undefined): Cents | undefined {
  if (argument === undefined) return before;
  return typeof argument === "number" ? centsFromNumber(argument) : undefined;
}
