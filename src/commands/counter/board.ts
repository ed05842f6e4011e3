/** A board has the figures of one store while they are looked at, and becomes a line of JSON. */
import { orderStatuses } from "../../contract/enums.js";
import type { Group, Summary } from "../../contract/models.js";
import type { ComandaError } from "../../shared/errors.js";
import { codesOf } from "../../terminal/index.js";
import { addMetrics, noOrders, type Metrics } from "../../sales/merge/sums.js";
import type { Period } from "../../sales/period/period.js";
import type { SummaryFigures } from "../../sales/plan/plans.js";
import { periodShape, summaryShape } from "../../sales/present/json.js";
import type { Aged, Canceled, Display } from "../../sales/results.js";

/** The orders of one status. */
export type StatusCount = Group & {
  /** The difference to the look before; null where there was none that day. */
  readonly moved: number | null;
};

/** A look has the orders of the day so far. */
export interface Look {
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly period: Period;
  readonly total: Metrics;
  readonly canceled: Canceled;
  readonly statuses: readonly StatusCount[];
}

/** Compares the day so far with the same weekday a week before until the same time of day. */
export type SameWeekday = SummaryFigures & { readonly previous: SummaryFigures["current"] };

export interface Board {
  readonly store: string;
  /** IANA name. */
  readonly zone: string;
  readonly display: Display;
  /** The last look that was answered; absent before the first. */
  readonly look?: Look;
  readonly sameWeekday?: SameWeekday;
  /** Did the rate limit leave no room for this look? */
  readonly isLimited: boolean;
  /** Why this look failed, or a part of it. */
  readonly failure?: ComandaError | undefined;
}

/** @param before the previous look, if there was one */
export function lookOf(
  period: Period,
  { figures: groups, age: { askedAt } }: Aged<readonly Group[]>,
  before: Look | undefined,
): Look {
  const sameDay = before && isSameDay(before.period, period) ? before : undefined;
  const emptiedStatuses = (sameDay?.statuses ?? []).filter(
    ({ key, total_order_count }) => total_order_count > 0 && !groups.some((group) => group.key === key),
  );
  const groupsNow = [...groups, ...emptiedStatuses.map(({ key, label }) => ({ key, label, ...noOrders }))];
  const countBefore = (key: Group["key"]) =>
    sameDay?.statuses.find((status) => status.key === key)?.total_order_count ?? 0;
  const { total_order_count, total_revenue } = addMetrics(groups.filter(({ key }) => key === "canceled"));
  return {
    askedAt,
    period,
    total: addMetrics(groups),
    canceled: { total_order_count, total_revenue },
    statuses: groupsNow
      .map((group) => ({
        ...group,
        moved: sameDay ? group.total_order_count - countBefore(group.key) : null,
      }))
      .toSorted((left, other) => placeOf(left.key) - placeOf(other.key)),
  };
}

/** Section 3 lists the states in the order in which an order goes through them. States of a newer service come last. */
function placeOf(key: Group["key"]): number {
  const place = orderStatuses.findIndex((status) => status === key);
  return place < 0 ? orderStatuses.length : place;
}

/** @param previous the same weekday a week before, until the same time */
export function sameWeekdayOf(
  { period, total, canceled, askedAt }: Look,
  previous: { readonly period: Period } & Aged<Summary>,
): SameWeekday {
  return {
    current: { period, figures: total, age: { askedAt, kept: false }, canceled },
    previous: { ...previous, canceled: null },
  };
}

/** The comparison changes little in minutes, so it isn't worth a call at each look. */
const comparisonMs = 5 * 60_000;

export function isComparisonDue(sameWeekday: SameWeekday | undefined, { period, askedAt }: Look): boolean {
  if (sameWeekday === undefined || !isSameDay(sameWeekday.current.period, period)) return true;
  return Math.abs(askedAt - sameWeekday.current.age.askedAt) >= comparisonMs;
}

export function isSameDay(left: Period, other: Period): boolean {
  return left.from.sent === other.from.sent;
}

/** Scripts rely on this form of one look at all stores. */
export function lineOf(boards: readonly Board[], at: number): object {
  return { at: isoTime(at), stores: boards.map(shapeOf) };
}

function shapeOf({ store, display, look, sameWeekday, isLimited, failure }: Board): object {
  const currency = display.currency ?? null;
  return {
    store,
    asked_at: look ? isoTime(look.askedAt) : null,
    limited: isLimited,
    error: failure ? { exit_code: failure.exitCode, ...codesOf(failure), message: failure.message } : null,
    period: look ? periodShape(look.period, undefined) : null,
    currency,
    ...(look?.total ?? { total_order_count: null, total_revenue: null, average_order_value: null }),
    canceled: look?.canceled ?? null,
    statuses: look?.statuses ?? [],
    same_weekday: sameWeekday
      ? summaryShape(sameWeekday, { dateField: undefined, currency: display.currency })
      : null,
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
