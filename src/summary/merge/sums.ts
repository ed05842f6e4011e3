/** Orders and revenue as they are added up: integers, cents, and the average made from their sums. */
import { averageCents, type Cents, numberFromCents } from "../../contract/money.js";
import type { Summary } from "../../contract/summary.js";
import { addCents, readAmount } from "./amounts.js";

/** The three figures of section 2.8. Amounts are in the store's currency, with at most two decimals. */
export type Metrics = Readonly<Pick<Summary, "total_order_count" | "total_revenue" | "average_order_value">>;

export interface Totals {
  readonly orders: number;
  readonly revenue: Cents;
}

export const nothing: Totals = { orders: 0, revenue: 0 };

/** Is called where an amount of an answer had more than two decimals and was rounded half up to the cent. */
export type OnRounded = (amount: number) => void;

export function totalsOf(metrics: Metrics, onRounded?: OnRounded): Totals {
  const { cents, exact } = readAmount(metrics.total_revenue);
  if (!exact) onRounded?.(metrics.total_revenue);
  return { orders: metrics.total_order_count, revenue: cents };
}

export function addTotals(one: Totals, other: Totals): Totals {
  return { orders: one.orders + other.orders, revenue: addCents(one.revenue, other.revenue) };
}

/** The figures of a sum; the average is revenue / orders, rounded half up to the cent. */
export function metricsOf({ orders, revenue }: Totals): Metrics {
  return {
    total_order_count: orders,
    total_revenue: numberFromCents(revenue),
    average_order_value: numberFromCents(averageCents(revenue, orders)),
  };
}

/**
 * The same object with its two amounts in whole cents, everything else (unknown fields too) as it came. An
 * answer that keeps to the specification is returned as it is.
 */
export function withWholeCents<Answer extends Summary>(answer: Answer, onRounded: OnRounded): Answer {
  const whole = (amount: number): number => {
    const { cents, exact } = readAmount(amount);
    if (exact) return amount;
    onRounded(amount);
    return numberFromCents(cents);
  };
  const revenue = whole(answer.total_revenue);
  const average = whole(answer.average_order_value);
  if (revenue === answer.total_revenue && average === answer.average_order_value) return answer;
  return { ...answer, total_revenue: revenue, average_order_value: average };
}
