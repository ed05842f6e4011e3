/**
 * Finds what has changed in figures that were known already. Only what was over by then counts: a day that grew while
 * it lasted is no restatement.
 */
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { numberFromCents } from "../../contract/money.js";
import { pairMembers } from "../merge/members.js";
import { isSameSum, type Metrics, type Sum } from "../merge/sums.js";
import { endOfDay, isDate, parseDate } from "../period/calendar.js";
import { membersOf } from "./figures.js";
import { settledAfterMs, type DatedAnswer } from "./freshness.js";

type RestatedFigures = Pick<Metrics, "total_order_count" | "total_revenue">;

export interface Restatement {
  /** The dimension is `null` for a whole period. */
  readonly dimension: Dimension | null;
  readonly key: Group["key"];
  readonly label: string | null;
  /** The first and the last day of what was asked for are written YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly before: RestatedFigures;
  readonly after: RestatedFigures;
  /** The earlier figures were asked for at this time, in milliseconds since the epoch. */
  readonly since: number;
}

export interface RestatedWindow {
  readonly dimension: Dimension | null;
  readonly firstDay: string;
  readonly lastDay: string;
  /** The window ends then, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Days end in this zone, an IANA name. */
  readonly zone: string;
}

/** Compares two answers to the same question. */
export function restatements(
  before: DatedAnswer,
  after: DatedAnswer,
  window: RestatedWindow,
): readonly Restatement[] {
  const { dimension, firstDay: from, lastDay: to } = window;
  const { askedAt: since } = before;
  return pairMembers(membersOf(before.answer), membersOf(after.answer)).flatMap(([then, now]) => {
    const { key, label } = now;
    if (isSameSum(then.sum, now.sum) || since - endOf(key, window) < settledAfterMs) return [];
    const figures = { before: figuresOf(then.sum), after: figuresOf(now.sum) };
    return [{ dimension, key, label, from, to, ...figures, since }];
  });
}

/** Gives the end of a group; in a running month each day has its own. */
function endOf(key: Group["key"], { dimension, endsAt, zone }: RestatedWindow): number {
  if (dimension !== "day" || typeof key !== "string" || !isDate(key)) return endsAt;
  return Math.min(endsAt, endOfDay(parseDate(key), { zone }).epochMilliseconds);
}

function figuresOf({ orders, revenue }: Sum): RestatedFigures {
  return { total_order_count: orders, total_revenue: numberFromCents(revenue) };
}
