/**
 * Checks that every figure agrees with every other. Each order is in one group, however orders are split, so answers
 * about the same window have one total; the days of a window add up to it; revenue by orders is the average. The file
 * is pure.
 */
import { numberFromCents } from "../../contract/money.js";
import type { KeptPair } from "../../state/kept-totals.js";
import { daysBetween, parseDate } from "../period/calendar.js";

export type Measure = "orders" | "revenue" | "average";

export interface TieDifference {
  readonly measure: Measure;
  /**
   * A dimension, or the days that are known by themselves, were added up; an empty text stands for the whole, which
   * was divided.
   */
  readonly by: string;
  /** The window is written by its days where it is made of whole ones, else as it went out. */
  readonly from: string;
  readonly to: string;
  /** The filters are JSON, as in sales.db. */
  readonly filters: string;
  readonly date_field: string;
  /** The answer about the whole says this: orders, or an amount in the store's currency. */
  readonly said: number;
  /** Its parts come to this. */
  readonly counted: number;
}

export interface Tie {
  readonly checks: number;
  readonly differences: readonly TieDifference[];
  /** There was nothing to compare these answers with. */
  readonly alone: number;
}

export function tie(pairs: readonly KeptPair[]): Tie {
  const wholes = pairs.filter(({ part }) => part === "");
  const parts = pairs.filter(
    (pair) => pair.part !== "" && (pair.part !== "days" || pair.days === daysOf(pair)),
  );
  const compared = new Set(parts.map(({ id }) => id));
  const averages = wholes.filter(({ average_cents: average }) => average !== null);
  return {
    checks: 2 * parts.length + averages.length,
    differences: [...parts.flatMap(partDifferences), ...averages.flatMap(averageDifference)],
    alone: wholes.filter(({ id }) => !compared.has(id)).length,
  };
}

function partDifferences(pair: KeptPair): readonly TieDifference[] {
  const { part: by, orders, revenue_cents: revenue } = pair;
  const measures = [
    { measure: "orders", said: orders, counted: pair.part_orders },
    {
      measure: "revenue",
      said: numberFromCents(revenue),
      counted: numberFromCents(pair.part_revenue_cents),
    },
  ] as const;
  return measures
    .filter(({ said, counted }) => said !== counted)
    .map((figures) => ({ ...windowOf(pair), by, ...figures }));
}

/** Compares the average. How the service rounds is not shown, so a cent less or more is no difference. */
function averageDifference(whole: KeptPair): readonly TieDifference[] {
  const { orders, revenue_cents: revenue, average_cents: average } = whole;
  if (average === null || Math.abs(average * orders - revenue) < Math.max(orders, 1)) return [];
  const counted = numberFromCents(orders === 0 ? 0 : Math.round(revenue / orders));
  return [{ ...windowOf(whole), measure: "average", by: "", said: numberFromCents(average), counted }];
}

/** Counts the days of a window: the sum of some of them isn't the window's. */
function daysOf({ first_day: first, last_day: last }: KeptPair): number | undefined {
  return first === null || last === null ? undefined : daysBetween(parseDate(first), parseDate(last)) + 1;
}

function windowOf(pair: KeptPair): Pick<TieDifference, "from" | "to" | "filters" | "date_field"> {
  const { first_day, last_day, from_text, to_text, filters, date_field } = pair;
  return { from: first_day ?? from_text, to: last_day ?? to_text, filters, date_field };
}
