/**
 * Sums up orders and revenue exactly: amounts are read into whole cents and added as integers. The specification
 * promises at most two decimals; a service may break that.
 */
import { averageCents, type Cents, centsFromNumber, numberFromCents } from "../../contract/money.js";
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

/** @throws {ComandaError} `unexpected_answer` where the sum is too large to be exact */
export function addToSum(sum: Sum, metrics: Metrics, onRounded?: OnRounded): Sum {
  const { cents, exact } = readAmount(metrics.total_revenue);
  if (!exact) onRounded?.(metrics.total_revenue);
  return { orders: sum.orders + metrics.total_order_count, revenue: addCents(sum.revenue, cents) };
}

/** @throws {ComandaError} `unexpected_answer` where the sum is too large to be exact */
export function addSums(left: Sum, other: Sum): Sum {
  return { orders: left.orders + other.orders, revenue: addCents(left.revenue, other.revenue) };
}

export function subtractSum(from: Sum, { orders, revenue }: Sum): Sum {
  return addSums(from, { orders: -orders, revenue: -revenue });
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
export function addMetrics(all: readonly Metrics[], onRounded?: OnRounded): Metrics {
  return metricsOfSum(all.reduce((sum, metrics) => addToSum(sum, metrics, onRounded), emptySum));
}

/**
 * Tells whether both lists have as many orders of as much revenue. They never agree where an amount can't be counted.
 */
export function totalsAgree(metrics: readonly Metrics[], others: readonly Metrics[]): boolean {
  const [total, otherTotal] = [metrics, others].map((list) => ({
    orders: list.reduce((sum, { total_order_count }) => sum + total_order_count, 0),
    cents: list.reduce((sum, { total_revenue }) => sum + (centsFromNumber(total_revenue) ?? NaN), 0),
  }));
  return total?.orders === otherTotal?.orders && total?.cents === otherTotal?.cents;
}

/**
 * Rounds the two amounts of an answer to whole cents and keeps everything else, unknown fields too. An answer that
 * keeps to the specification is returned unchanged.
 */
export function withWholeCents<Answer extends Summary>(answer: Answer, onRounded: OnRounded): Answer {
  const roundAmount = (amount: number): number => {
    const { cents, exact } = readAmount(amount);
    if (exact) return amount;
    onRounded(amount);
    return numberFromCents(cents);
  };
  const revenue = roundAmount(answer.total_revenue);
  const average = roundAmount(answer.average_order_value);
  if (revenue === answer.total_revenue && average === answer.average_order_value) return answer;
  return { ...answer, total_revenue: revenue, average_order_value: average };
}

export interface ReadAmount {
  readonly cents: Cents;
  /** It is false where there were more than two decimals: the amount is then rounded half up. */
  readonly exact: boolean;
}

/** @throws {ComandaError} `unexpected_answer` for an amount too large to be counted exactly in cents */
export function readAmount(amount: number): ReadAmount {
  const cents = centsFromNumber(amount);
  if (cents !== undefined) return { cents: cents === 0 ? 0 : cents, exact: true };
  return { cents: roundHalfUp(amount), exact: false };
}

/** @throws {ComandaError} `unexpected_answer` where the sum is too large to be exact */
export function addCents(left: Cents, other: Cents): Cents {
  const sum = left + other;
  if (!Number.isSafeInteger(sum)) throw tooLarge(sum / 100);
  return sum;
}

/** Splits the shortest decimal that stands for a number: digits before and after the point, exponent. */
const shortest = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

function roundHalfUp(amount: number): Cents {
  const [, whole = "", fraction = "", exponent = "0"] = shortest.exec(String(Math.abs(amount))) ?? [];
  // JavaScript writes an exponent below zero only for less than a millionth.
  if (exponent.startsWith("-")) return 0;
  if (whole === "" || exponent !== "0") throw tooLarge(amount);
  const third = Number(fraction[2] ?? 0);
  const rest = /[1-9]/.test(fraction.slice(3));
  // Half up means towards more, so below zero a plain half goes towards zero.
  const up = amount < 0 ? third > 5 || (third === 5 && rest) : third >= 5;
  const cents = Number(whole + fraction.slice(0, 2).padEnd(2, "0")) + (up ? 1 : 0);
  if (!Number.isSafeInteger(cents)) throw tooLarge(amount);
  return amount < 0 && cents > 0 ? -cents : cents;
}

function tooLarge(amount: number): ComandaError {
  return new ComandaError("unexpected_answer", t`The amount ${amount} is too large to be counted in cents.`, {
    hint: t`Ask for a shorter period, or report the answer to the service's support.`,
  });
}
