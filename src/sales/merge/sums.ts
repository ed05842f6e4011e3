/**
 * Sums up orders and revenue exactly: amounts are read into whole cents and added as integers. The specification
 * promises at most two decimals; a service may break that.
 */
import { averageCents, type Cents, numberFromCents } from "../../contract/money.js";
import type { Summary } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";

/** Section 2.8 has these three figures. Amounts are in the store's currency, with at most two decimals. */
export type Metrics = Readonly<Pick<Summary, "total_order_count" | "total_revenue" | "average_order_value">>;

export const noOrders: Metrics = { total_order_count: 0, total_revenue: 0, average_order_value: 0 };

export interface Sum {
  readonly orders: number;
  readonly revenue: Cents;
}

export const emptySum: Sum = { orders: 0, revenue: 0 };

/** Is called where an amount of an answer had more than two decimals and was rounded half up to the cent. */
export type OnRounded = (amount: number) => void;

/** @throws {ComandaError} `unexpected_answer` for an amount too large to be exact */
export function sumOf({ total_order_count: orders, total_revenue: revenue }: Metrics): Sum {
  return { orders, revenue: centsOf(revenue) };
}

/** @throws {ComandaError} `unexpected_answer` where the sum is too large to be exact */
export function addSums(left: Sum, other: Sum): Sum {
  return { orders: left.orders + other.orders, revenue: addCents(left.revenue, other.revenue) };
}

export function subtractSum(from: Sum, { orders, revenue }: Sum): Sum {
  return addSums(from, { orders: -orders, revenue: -revenue });
}

export function isSameSum(left: Sum, other: Sum): boolean {
  return left.orders === other.orders && left.revenue === other.revenue;
}

export function isNothing({ orders, revenue }: Sum): boolean {
  return orders === 0 && revenue === 0;
}

/** Makes figures of a sum; the average is revenue / orders, rounded half up to the cent. */
export function metricsOfSum({ orders, revenue }: Sum): Metrics {
  return {
    total_order_count: orders,
    total_revenue: numberFromCents(revenue),
    average_order_value: numberFromCents(averageCents(revenue, orders)),
  };
}

/** @throws {ComandaError} `unexpected_answer` for amounts too large to be exact */
export function addMetrics(all: readonly Metrics[]): Metrics {
  return metricsOfSum(totalOf(all));
}

/**
 * Tells whether both lists have as many orders of as much revenue.
 *
 * @throws {ComandaError} `unexpected_answer` for amounts too large to be exact
 */
export function totalsAgree(metrics: readonly Metrics[], others: readonly Metrics[]): boolean {
  return isSameSum(totalOf(metrics), totalOf(others));
}

function totalOf(all: readonly Metrics[]): Sum {
  return all.map(sumOf).reduce(addSums, emptySum);
}

/**
 * Rounds the two amounts of an answer to whole cents and keeps everything else, unknown fields too. An answer that
 * keeps to the specification is returned unchanged.
 */
export function withWholeCents<Answer extends Summary>(answer: Answer, onRounded: OnRounded): Answer {
  const rounded = (amount: number): number => {
    const cents = numberFromCents(centsOf(amount));
    if (cents !== amount) onRounded(amount);
    return cents;
  };
  const [revenue, average] = [rounded(answer.total_revenue), rounded(answer.average_order_value)];
  if (revenue === answer.total_revenue && average === answer.average_order_value) return answer;
  return { ...answer, total_revenue: revenue, average_order_value: average };
}

/**
 * Reads an amount; one with more than two decimals, which the specification rules out, is rounded half up.
 *
 * @throws {ComandaError} `unexpected_answer` for an amount too large to be counted exactly in cents
 */
export function centsOf(amount: number): Cents {
  // The shortest decimal that stands for the number is what the service wrote: it is shifted, not multiplied.
  const [digits = "", exponent = "0"] = String(amount).split("e");
  const cents = Math.round(Number(`${digits}e${Number(exponent) + 2}`));
  if (!Number.isSafeInteger(cents)) throw tooLarge(amount);
  // No sum is to be -0.
  return cents === 0 ? 0 : cents;
}

/** @throws {ComandaError} `unexpected_answer` where the sum is too large to be exact */
export function addCents(left: Cents, other: Cents): Cents {
  const sum = left + other;
  if (!Number.isSafeInteger(sum)) throw tooLarge(sum / 100);
  return sum;
}

function tooLarge(amount: number): ComandaError {
  return new ComandaError("unexpected_answer", t`The amount ${amount} is too large to be counted in cents.`, {
    hint: t`Ask for a shorter period, or report the answer to the service's support.`,
  });
}
