/** Splits orders by one dimension: section 4.7. */
import { averageCents, type Cents, numberFromCents } from "../../../contract/money.js";
import type { DateField, Dimension } from "../../../contract/enums.js";
import type { Group } from "../../../contract/models.js";
import { usualReadings, type Readings } from "../../readings.js";
import type { OrderRecord } from "../orders.js";
import { dayMs, type WallClock } from "../zone.js";
import { dayOfWeekLabels, dayOfWeekNames, noValueLabel, valueLabels } from "./choices.js";

/** Orders carry only the ids of these; here are their names. */
export interface Names {
  readonly driver: (id: number) => string | undefined;
  readonly paymentMethod: (id: number) => string | undefined;
}

type Key = string | number;

export function groupOrders(
  orders: Iterable<OrderRecord>,
  dimension: Dimension,
  dateField: DateField,
  {
    clock,
    readings = usualReadings,
  }: { readonly clock: WallClock; readonly readings?: Readings | undefined },
  names: Names,
): Group[] {
  const instantOf = (order: OrderRecord) =>
    dateField === "scheduled_date" ? (order.scheduledStart ?? order.createdAt) : order.createdAt;
  const isFilled = readings.empty_groups === "zero";
  const byDay = (keyOf: DayKey) => {
    const days = collect(orders, (order) => clock.dayAt(instantOf(order)));
    return inTime(isFilled ? withEmptyUnits(days, [...days.keys()]) : days, (day) => keyOf(day, readings));
  };
  const byValue = <Value extends Key>(
    valueOf: (order: OrderRecord) => Value | null,
    nameOf?: (value: Value) => string | undefined,
  ) => byCount(collect(orders, valueOf), nameOf);
  const nameOfValue = (value: string) => valueLabels.get(value);

  switch (dimension) {
    case "hour": {
      const hours = collect(orders, (order) =>
        Math.floor(modulo(clock.at(instantOf(order)), dayMs) / 3_600_000),
      );
      return inTime(isFilled ? withEmptyUnits(hours, [0, 23]) : hours, (hour) => hourKey(hour, readings));
    }
    case "day":
      return byDay(dayKey);
    case "day_of_week":
      return byDay(dayOfWeekKey);
    case "week":
      return byDay(weekKey);
    case "month":
      return byDay(monthKey);
    case "order_type":
      return byValue((order) => order.orderType, nameOfValue);
    case "order_timing":
      return byValue((order) => order.timing, nameOfValue);
    case "sales_channel":
      return byValue((order) => order.salesChannel, nameOfValue);
    case "status":
      return byValue((order) => order.status, nameOfValue);
    case "customer_origin":
      return byValue((order) => order.customerOrigin);
    case "payment_method_id":
      return readings.several_payments === "first"
        ? byValue((order) => order.paymentMethodIds[0] ?? null, names.paymentMethod)
        : byCount(
            collectEach(orders, ({ paymentMethodIds }) => new Set(paymentMethodIds)),
            names.paymentMethod,
          );
    case "driver_id":
      return byValue((order) => order.driverId, names.driver);
  }
}

function collect<Key>(orders: Iterable<OrderRecord>, keyOf: (order: OrderRecord) => Key): Map<Key, Totals> {
  const groups = new Map<Key, Totals>();
  for (const order of orders) groupOf(groups, keyOf(order)).add(order);
  return groups;
}

/** Puts an order with several keys into several groups, and an order without any into that of null. */
function collectEach<Key>(
  orders: Iterable<OrderRecord>,
  keysOf: (order: OrderRecord) => ReadonlySet<Key>,
): ReadonlyMap<Key | null, Totals> {
  const groups = new Map<Key | null, Totals>();
  for (const order of orders) {
    const keys = keysOf(order);
    for (const key of keys.size === 0 ? [null] : keys) groupOf(groups, key).add(order);
  }
  return groups;
}

function groupOf<Key>(groups: Map<Key, Totals>, key: Key): Totals {
  let totals = groups.get(key);
  if (!totals) groups.set(key, (totals = new Totals()));
  return totals;
}

/** Adds every unit between the ends that no order fell into. */
function withEmptyUnits(groups: Map<number, Totals>, ends: readonly number[]): ReadonlyMap<number, Totals> {
  if (groups.size > 0)
    for (let unit = Math.min(...ends); unit <= Math.max(...ends); unit += 1) groupOf(groups, unit);
  return groups;
}

/** Puts hours or days together under their keys, which sort in the order of time. */
function inTime(units: ReadonlyMap<number, Totals>, keyOf: (unit: number) => KeyAndLabel): Group[] {
  const groups = new Map<Group["key"], { label: Group["label"]; totals: Totals }>();
  for (const [unit, totals] of units) {
    const { key, label } = keyOf(unit);
    const group = groups.get(key) ?? { label, totals: new Totals() };
    group.totals.merge(totals);
    groups.set(key, group);
  }
  return [...groups]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([key, { label, totals }]) => ({ key, label, ...totals.metrics() }));
}

/** Sorts groups by their orders. A key without a name is its own label. */
function byCount<Value extends Key>(
  groups: ReadonlyMap<Value | null, Totals>,
  nameOf: (value: Value) => string | undefined = () => undefined,
): Group[] {
  return [...groups]
    .toSorted(([keyA, a], [keyB, b]) => b.count - a.count || compare(keyA, keyB))
    .map(([key, totals]) => ({
      key,
      label: key === null ? noValueLabel : (nameOf(key) ?? String(key)),
      ...totals.metrics(),
    }));
}

/** Compares numbers by size and text by code unit; null comes last. */
function compare(a: Group["key"], b: Group["key"]): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

function modulo(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor;
}

/** Counts orders and adds up their totals. */
export class Totals {
  count = 0;
  revenue: Cents = 0;

  add(order: OrderRecord): void {
    this.count += 1;
    this.revenue += order.total;
  }

  merge(other: Totals): void {
    this.count += other.count;
    this.revenue += other.revenue;
  }

  /** Makes the figures of section 2.8. The average is rounded half up to the cent; that of no order is 0. */
  metrics() {
    return {
      total_order_count: this.count,
      total_revenue: numberFromCents(this.revenue),
      average_order_value: numberFromCents(averageCents(this.revenue, this.count)),
    };
  }
}

/** A group in time gets key and label from an hour or a local day counted from 1970-01-01. */
type KeyAndLabel = Pick<Group, "key" | "label">;
type DayKey = (day: number, readings: Readings) => KeyAndLabel;

function hourKey(hour: number, { hour_key }: Readings): KeyAndLabel {
  const text = String(hour).padStart(2, "0");
  return { key: { number: hour, text, clock: `${text}:00` }[hour_key], label: `${text}:00` };
}

function dayKey(day: number, { day_key }: Readings): KeyAndLabel {
  const iso = isoDate(day);
  const brazilian = iso.split("-").toReversed().join("/");
  return { key: { iso, brazilian }[day_key], label: brazilian };
}

/** 1970-01-01 was a Thursday. */
function dayOfWeekKey(day: number, { day_of_week_key }: Readings): KeyAndLabel {
  const weekday = modulo(day + 4, 7);
  const name = dayOfWeekNames[weekday] ?? null;
  const keys = { sunday_0: weekday, sunday_1: weekday + 1, monday_1: weekday || 7, name };
  return { key: keys[day_of_week_key], label: dayOfWeekLabels[weekday] ?? null };
}

/** A week belongs to the year that its Thursday is in (ISO 8601). */
function weekKey(day: number, { week_key }: Readings): KeyAndLabel {
  if (week_key !== "iso") {
    const first = day - modulo(day + (week_key === "monday" ? 3 : 4), 7);
    return { key: isoDate(first), label: isoDate(first).split("-").toReversed().join("/") };
  }
  const thursday = Math.floor((day + 3) / 7) * 7;
  const year = Number(isoDate(thursday).slice(0, 4));
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / dayMs) / 7) + 1;
  const padded = String(week).padStart(2, "0");
  return { key: `${isoDate(thursday).slice(0, 4)}-W${padded}`, label: `Semana ${week} de ${year}` };
}

function monthKey(day: number, { month_key }: Readings): KeyAndLabel {
  const month = isoDate(day).slice(0, 7);
  const key = month_key === "month" ? month : `${month}-01`;
  return { key, label: month.split("-").toReversed().join("/") };
}

function isoDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
