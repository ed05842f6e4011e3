/** Compares the figures of two periods. */
import { type Cents, numberFromCents } from "../../contract/money.js";
import { noOrders, readAmount, type Metrics } from "../merge/sums.js";

export interface Change {
  /** The change is current minus previous: orders, or an amount with at most two decimals. */
  readonly absolute: number;
  /**
   * The change in percent of the previous figure is rounded half up to two decimals; it is null where that figure is
   * 0.
   */
  readonly percent: number | null;
}

export type MetricsChange = Readonly<Record<keyof Metrics, Change>>;

/** Compares amounts in cents, exactly. */
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

/** Divides, rounded half up to two decimals. */
export function hundredths(numerator: bigint, denominator: bigint): number {
  // This computes floor(x + 1/2) in integers.
  const [doubled, whole] = [200n * numerator + denominator, 2n * denominator];
  const quotient = doubled / whole;
  const floored = doubled % whole < 0n ? quotient - 1n : quotient;
  return Number(floored) / 100;
}
