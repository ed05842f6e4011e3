/** Compares the figures of two periods. */
import { numberFromCents } from "../../contract/money.js";
import { noOrders, centsOf, type Metrics } from "../merge/sums.js";

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

/**
 * Compares amounts in cents, exactly.
 *
 * @param isFair is false for a week against a part of one, or a day that one of the periods doesn't have: no
 * percentage is true of them
 */
export function compareMetrics(
  current: Metrics = noOrders,
  previous: Metrics = noOrders,
  isFair = true,
): MetricsChange {
  const change = (value: number, before: number, toNumber: (value: number) => number): Change => ({
    absolute: toNumber(value - before),
    percent: isFair && before > 0 ? hundredths(100n * BigInt(value - before), BigInt(before)) : null,
  });
  const amountChange = (amount: number, before: number) =>
    change(centsOf(amount), centsOf(before), numberFromCents);
  return {
    total_order_count: change(current.total_order_count, previous.total_order_count, (count) => count),
    total_revenue: amountChange(current.total_revenue, previous.total_revenue),
    average_order_value: amountChange(current.average_order_value, previous.average_order_value),
  };
}

/** Divides, rounded half up to two decimals. */
export function hundredths(numerator: bigint, denominator: bigint): number {
  // This computes floor(x + 1/2) in integers.
  const [doubled, whole] = [200n * numerator + denominator, 2n * denominator];
  const quotient = doubled / whole;
  const floored = doubled % whole < 0n ? quotient - 1n : quotient;
  return Number(floored) / 100;
}
