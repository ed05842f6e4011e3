/** Two periods' figures set against each other. */
import { type Cents, numberFromCents } from "../../contract/money.js";
import { noOrders, readAmount, type Metrics } from "../merge/sums.js";

export interface Change {
  /** Current minus previous: orders, or an amount with at most two decimals. */
  readonly absolute: number;
  /** Percent of the previous figure, rounded half up to two decimals. null where that is 0. */
  readonly percent: number | null;
}

export type MetricsChange = Readonly<Record<keyof Metrics, Change>>;

/** Exact: amounts are compared in cents. */
export function compareMetrics(current: Metrics = noOrders, previous: Metrics = noOrders): MetricsChange {
  return {
    total_order_count: change(current.total_order_count, previous.total_order_count, (count) => count),
    total_revenue: amountChange(current.total_revenue, previous.total_revenue),
    average_order_value: amountChange(current.average_order_value, previous.average_order_value),
  };
}

function amountChange(current: number, previous: number): Change {
  return change(readAmount(current).cents, readAmount(previous).cents, numberFromCents);
}

function change(current: number, previous: number, toNumber: (amount: Cents) => number): Change {
  return { absolute: toNumber(current - previous), percent: percentOf(current - previous, previous) };
}

function percentOf(part: number, whole: number): number | null {
  return whole <= 0 ? null : hundredths(100n * BigInt(part), BigInt(whole));
}

/** A quotient, rounded half up to two decimals. */
export function hundredths(numerator: bigint, denominator: bigint): number {
  // floor(x + 1/2) in integers.
  const [doubled, whole] = [200n * numerator + denominator, 2n * denominator];
  const quotient = doubled / whole;
  const floored = doubled % whole < 0n ? quotient - 1n : quotient;
  return Number(floored) / 100;
}
