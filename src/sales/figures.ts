/** Converts answers to rows, and adds and compares rows. */
import type { GroupedSummary, Summary } from "../api/models.js";
import { averageCents, centsFromNumber, numberFromCents, quotient, type Cents } from "../api/money.js";
import type { CategoricalDimension, Dimension } from "../api/values.js";
import { ComandaError } from "../base/errors.js";
import type { Kinds } from "../base/hint-facts.js";
import { t, translated } from "../languages/language.js";
import { daysOfHours, daysOfWeekdays, weekdayNamed } from "./group-days.js";
import { dayMs, daysOf, parseDate, spanOf, type Period } from "./period.js";

/** Facts about figures that a person should see. */
export type FiguresWarning = Kinds<{
  /** The service returned an amount with more than two decimals. */
  readonly rounded: { readonly amount: number; readonly cents: number };
  /** The database of answers can't be used. */
  readonly not_cached: { readonly reason: string };
  /** The comparison that can't be requested is left out. */
  readonly no_comparison: { readonly reason: string };
  /** The groups that can't be requested are left out. */
  readonly no_groups: { readonly reason: string };
}> & {
  /** The store, if the work is about several. */
  readonly label?: string;
};

/** The service's key, unchanged: the number 1, the text "1" and null are three different keys. */
export type Key = string | number | boolean | null;

/** Orders and revenue of one group. A summary has one row, whose key and label are null. */
export interface Row {
  readonly key: Key;
  readonly label: string | null;
  readonly orders: number;
  readonly revenue: Cents;
  /** The number of days in the period with this weekday or hour. */
  readonly days?: number;
}

/** The sales of one store, or of several stores together, in one period. */
export interface Figures {
  readonly period: Period;
  readonly rows: readonly Row[];
  /** The request time of the oldest answer, in milliseconds since the epoch. */
  readonly askedAt: number;
  /** Whether any of the answers was cached. */
  readonly cached: boolean;
}

/** A row and the one that it is compared with. */
export interface Pair {
  readonly current: Row | undefined;
  readonly previous: Row | undefined;
}

export const noOrders = { key: null, label: null, orders: 0, revenue: 0 } as const satisfies Row;

/**
 * Converts an answer to rows. An amount with more than two decimals, which the specification rules out, is rounded half up, with a
 * warning.
 *
 * @throws {ComandaError} `unexpected_answer` for a different `group_by` than requested, a key twice, a negative or fractional
 *   count, revenue without orders, or an amount that is too large to be exact
 */
export function rowsOf(
  answer: Summary | GroupedSummary,
  by: Dimension | undefined,
  warn: (warning: FiguresWarning) => void,
): readonly Row[] {
  const groupedBy = "groups" in answer ? answer.group_by : undefined;
  if (groupedBy !== by) throw refusal(t`grouped by "${groupedBy ?? "-"}"`);
  const groups = "groups" in answer ? answer.groups : [{ ...answer, key: null, label: null }];
  const rows = new Map<Key, Row>();
  for (const { key, label, total_order_count: orders, total_revenue: amount } of groups) {
    if (rows.has(key)) throw refusal(t`group "${key}" appears twice`);
    if (!Number.isSafeInteger(orders) || orders < 0) throw refusal(t`${orders} orders`);
    const exact = centsFromNumber(amount);
    const revenue = exact ?? roundedCents(amount);
    if (!Number.isSafeInteger(revenue)) throw refusal(t`${amount} is too large`);
    if (orders === 0 && revenue !== 0) throw refusal(t`revenue without orders`);
    if (exact === undefined) warn({ about: "rounded", amount, cents: revenue });
    rows.set(key, { key, label, orders, revenue });
  }
  return [...rows.values()];
}

/** Shifts the decimal point in the text, which is what the service wrote, since a multiplication isn't exact. */
function roundedCents(amount: number): number {
  const [digits = "", exponent = "0"] = String(amount).split("e");
  return Math.round(Number(`${digits}e${Number(exponent) + 2}`)) || 0;
}

function refusal(reason: string): ComandaError {
  return new ComandaError("unexpected_answer", t`The service's answer isn't valid: ${reason}.`, {
    hintFacts: { about: "wrong_figures" },
  });
}

/** Returns the name of a dimension for people: `driver` for `driver_id`. */
export function dimensionName(by: Dimension): string {
  return translated(by).replaceAll("_", " ").replace(/ id$/, "");
}

/** Returns whether the groups of this dimension follow one another in time. */
export function isTimeline(by: Dimension | undefined): by is "day" | "week" | "month" {
  return by === "day" || by === "week" || by === "month";
}

/** Returns whether the groups of this dimension are compared per day, since a month has four Tuesdays or five. */
export function isPerDay(by: Dimension | undefined): by is "day_of_week" | "hour" {
  return by === "day_of_week" || by === "hour";
}

/**
 * Adds up the rows of consecutive windows, or of stores, by key. If the key of a week or month is only its number, it is a different
 * one a year later, so two rows with that key are added only if their windows are adjacent.
 */
export function addWindows(windows: readonly (readonly Row[])[], by: Dimension | undefined): readonly Row[] {
  const rows: Row[] = [];
  let before = new Map<Key, number>();
  for (const window of windows) {
    const places = isTimeline(by) ? new Map<Key, number>() : before;
    for (const row of window) {
      const place = before.get(row.key) ?? rows.length;
      rows[place] = sum(rows[place], row);
      places.set(row.key, place);
    }
    before = places;
  }
  return rows;
}

/**
 * Sorts groups of time chronologically, since the specification doesn't show the service's order. Keys without a time come last;
 * other groups keep their order.
 *
 * @param first the first day of the period, `YYYY-MM-DD`
 */
export function inTimeOrder(rows: readonly Row[], by: Dimension | undefined, first: string): readonly Row[] {
  if (!isTimeline(by) && !isPerDay(by)) {
    by satisfies CategoricalDimension | undefined;
    return rows;
  }
  const times = new Map<Row, number>();
  for (const row of rows) times.set(row, timeOf(row, by, first));
  return rows.toSorted((left, other) => (times.get(left) ?? 0) - (times.get(other) ?? 0));
}

/** Reads the time in a group's key, in any form: `9`, `09:00`, `2026-W47`, `20/11/2026`, `Monday`. */
function timeOf(
  { key, label }: Row,
  by: "hour" | "day" | "day_of_week" | "week" | "month",
  first: string,
): number {
  const name = String(key);
  const numbers = name.match(/\d+/g)?.map(Number) ?? [];
  const [number = Number.MAX_VALUE, ...others] = numbers;
  if (by === "day_of_week") return weekdayNamed(name) ?? numbers[0] ?? weekdayNamed(label ?? "") ?? number;
  if (others.length > 0) {
    // In 20/11/2026, the year comes last.
    const isReversed = (others.at(-1) ?? 0) >= 1_000;
    const [year = 0, month = 0, day = 0] = isReversed ? numbers.toReversed() : numbers;
    return 10_000 * year + 100 * month + day;
  }
  if (by === "hour" || number >= 100) return number;
  // Without a year, the numbers start again in the next one. Some services count weeks from 0.
  const { day, weekOfYear = 1, month } = parseDate(first);
  const cycles = { day: [day, 31], week: [weekOfYear - 1, 54], month: [month, 12] } as const;
  const [start, length] = cycles[by];
  return (number - start + length) % length;
}

/** @throws {ComandaError} `unexpected_answer` for a sum that is too large to be exact */
function sum(left: Row | undefined, row: Row): Row {
  if (!left) return row;
  const [orders, revenue] = [left.orders + row.orders, left.revenue + row.revenue];
  if (!Number.isSafeInteger(orders) || !Number.isSafeInteger(revenue))
    throw new ComandaError("unexpected_answer", t`The sum of the figures is too large to be exact.`);
  return { ...row, label: row.label ?? left.label, orders, revenue };
}

export function totalOf(rows: readonly Row[]): Row {
  let total: Row = noOrders;
  for (const { orders, revenue } of rows) total = sum(total, { ...noOrders, orders, revenue });
  return total;
}

/** Adds up the figures of stores. Returns `undefined` if their groups can't be matched. */
export function addStores(parts: readonly Figures[], by: Dimension | undefined): Figures | undefined {
  const [first, ...others] = parts;
  if (!first) return undefined;
  // If a store's days aren't dates, the days that comanda added to a store without orders match none of them.
  const hasOthers = by === "day" && parts.some(({ rows }) => rows.some(({ key }) => !isDate(key)));
  const all = parts.map(({ rows }) =>
    hasOthers ? rows.filter(({ key, orders }) => orders > 0 || !isDate(key)) : rows,
  );
  // If a store has two Januaries with the same key, neither can be matched with another store's.
  if (all.some((rows) => new Set(rows.map(({ key }) => key)).size < rows.length)) return undefined;
  return {
    period: spanOf([first.period, ...others.map(({ period }) => period)]),
    rows: inTimeOrder(addWindows(all, undefined), by, first.period.first),
    askedAt: Math.min(...parts.map(({ askedAt }) => askedAt)),
    cached: parts.some(({ cached }) => cached),
  };
}

export function isDate(key: Key): key is string {
  return typeof key === "string" && /^\d{4}-\d{2}-\d{2}$/.test(key);
}

/**
 * Adds days without orders, which the service may omit, if all its keys are dates, or if it returned none. Adds to weekdays and
 * hours the number of days that the period has of each.
 *
 * @param sides the rows of both periods of a comparison, so that both get missing days or neither does
 */
export function completed(
  { period, rows }: Pick<Figures, "period" | "rows">,
  by: Dimension | undefined,
  sides: readonly Row[],
): readonly Row[] {
  if (isPerDay(by)) {
    const daysIn = by === "hour" ? daysOfHours(period) : daysOfWeekdays(period);
    return rows.map((row) => {
      const days = daysIn(row);
      return days === undefined ? row : { ...row, days };
    });
  }
  if (by !== "day") return rows;
  let isLabeled = sides.length > 0;
  for (const { key, label } of sides) {
    if (!isDate(key)) return rows;
    isLabeled &&= label === key;
  }
  const days: Row[] = [];
  for (const key of daysOf(period)) days.push({ ...noOrders, key, label: isLabeled ? key : null });
  return inTimeOrder(addWindows([days, rows], undefined), by, period.first);
}

/**
 * Returns the rows of a timeline at their positions in the period, with gaps for those without orders. The others are rows whose keys don't
 * show the position, such as a month without its year, unless no group is missing.
 */
function inPlaces({ period, rows }: Pick<Figures, "period" | "rows">, by: "day" | "week" | "month") {
  const [first, last] = [new Date(period.first), new Date(period.last)];
  const placeOf = (day: Date) =>
    by === "month"
      ? 12 * (day.getUTCFullYear() - first.getUTCFullYear()) + day.getUTCMonth() - first.getUTCMonth()
      : // The first week may begin before the period.
        Math.ceil((day.getTime() - first.getTime()) / (by === "week" ? 7 * dayMs : dayMs));
  const placed: (Row | undefined)[] = [];
  const others: Row[] = [];
  for (const row of rows) {
    const key = String(row.key).replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, "$3-$2-$1");
    const [, isoYear, week] = /^(\d{4})-W(\d{2})$/.exec(key) ?? [];
    const day = new Date(/^\d{4}-\d{2}(?:-\d{2})?$/.exec(key)?.[0] ?? `${isoYear}-01-04`);
    // The first week of a year contains 4 January (ISO 8601).
    if (week !== undefined) day.setUTCDate(4 + 7 * (Number(week) - 1) - ((day.getUTCDay() + 6) % 7));
    const place = placeOf(day);
    if (!(place >= 0) || placed[place]) others.push(row);
    else placed[place] = row;
  }
  if (by === "week") last.setUTCDate(last.getUTCDate() - ((last.getUTCDay() + 6) % 7));
  const isComplete = placed.length === 0 && others.length === placeOf(last) + 1;
  return isComplete ? { placed: others, others: [] } : { placed, others };
}

/**
 * Pairs the rows of two periods: days, weeks and months by their position in the period, others by key. A row without a counterpart, or
 * without a known position, gets `undefined`.
 */
export function compare(
  current: Pick<Figures, "period" | "rows">,
  previous: Pick<Figures, "period" | "rows"> | undefined,
  by: Dimension | undefined,
): readonly Pair[] {
  if (!previous) return current.rows.map((row) => ({ current: row, previous: undefined }));
  const pairs: Pair[] = [];
  if (isTimeline(by)) {
    const [{ placed: rows, others }, before] = [inPlaces(current, by), inPlaces(previous, by)];
    for (let place = 0; place < Math.max(rows.length, before.placed.length); place += 1)
      if (rows[place] ?? before.placed[place])
        pairs.push({ current: rows[place], previous: before.placed[place] });
    for (const row of others) pairs.push({ current: row, previous: undefined });
    for (const row of before.others) pairs.push({ current: undefined, previous: row });
    return pairs;
  }
  const own = new Map(current.rows.map((row) => [row.key, row]));
  const others = new Map(previous.rows.map((row) => [row.key, row]));
  const rest = previous.rows.filter(({ key }) => !own.has(key));
  for (const { key } of inTimeOrder([...current.rows, ...rest], by, current.period.first))
    pairs.push({ current: own.get(key), previous: others.get(key) });
  return pairs;
}

export interface Change {
  /** Current minus previous: orders, or an amount. */
  readonly absolute: number;
  /** The percentage of the previous figure, rounded half up to two decimals; null if that is 0. */
  readonly percent: number | null;
}

/** A row's figures by their names in the API. */
export interface Metrics<Value = number> {
  readonly total_order_count: Value;
  readonly total_revenue: Value;
  readonly average_order_value: Value;
}

/** The figures of section 2.8, with the number format for people and the column's type. */
export const figures = {
  orders: { name: "total_order_count", heading: "orders", show: "count", type: {} },
  revenue: { name: "total_revenue", heading: "revenue", show: "amount", type: { type: "money" } },
  average: { name: "average_order_value", heading: "avg. order", show: "amount", type: { type: "money" } },
} as const;
export type Figure = (typeof figures)[keyof typeof figures];

export function metricsOf({ orders, revenue }: Pick<Row, "orders" | "revenue">): Metrics {
  return {
    total_order_count: orders,
    total_revenue: numberFromCents(revenue),
    average_order_value: numberFromCents(averageCents(revenue, orders)),
  };
}

/** @returns null if one side is missing */
export function changeOf({ current, previous }: Pair): Metrics<Change> | null {
  if (!current || !previous) return null;
  const average = averageCents(current.revenue, current.orders);
  const averageBefore = averageCents(previous.revenue, previous.orders);
  return {
    total_order_count: change(BigInt(current.orders), BigInt(previous.orders), 1n),
    total_revenue: change(BigInt(current.revenue), BigInt(previous.revenue), 100n),
    average_order_value: change(BigInt(average), BigInt(averageBefore), 100n),
  };
}

/** @returns null if one side is missing or its number of days is unknown */
export function perDayOf({ current, previous }: Pair): Omit<Metrics<Change>, "average_order_value"> | null {
  if (!current?.days || !previous?.days) return null;
  const [days, before] = [BigInt(current.days), BigInt(previous.days)];
  const perDay = (now: number, then: number, unit: bigint) =>
    change(BigInt(now) * before, BigInt(then) * days, unit * days * before);
  return {
    total_order_count: perDay(current.orders, previous.orders, 1n),
    total_revenue: perDay(current.revenue, previous.revenue, 100n),
  };
}

/** @param unit the value of one order, or of one unit of the currency */
function change(now: bigint, before: bigint, unit: bigint): Change {
  return {
    absolute: quotient(100n * (now - before), unit) / 100,
    percent: before > 0n ? quotient(10_000n * (now - before), before) / 100 : null,
  };
}
