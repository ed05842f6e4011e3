/** Orders split by one dimension: section 4.7. */
import { averageCents, type Cents, numberFromCents } from "../../../contract/money.js";
import type { DateField, Dimension } from "../../../contract/enums.js";
import type { Group } from "../../../contract/models.js";
import type { OrderRecord } from "../orders.js";
import { dayMs, type WallClock } from "../zone.js";
import { dayOfWeekLabels, noValueLabel, valueLabels } from "./choices.js";

/** The names of what an order carries only the id of. */
export interface Names {
  readonly driver: (id: number) => string | undefined;
  readonly paymentMethod: (id: number) => string | undefined;
}

type Key = string | number;

export function groupOrders(
  orders: Iterable<OrderRecord>,
  dimension: Dimension,
  dateField: DateField,
  clock: WallClock,
  names: Names,
): Group[] {
  const instantOf = (order: OrderRecord) =>
    dateField === "scheduled_date" ? (order.scheduledStart ?? order.createdAt) : order.createdAt;
  const byDay = (keyOf: (day: number) => KeyAndLabel) =>
    inTime(
      collect(orders, (order) => clock.dayAt(instantOf(order))),
      keyOf,
    );
  const byValue = <Value extends Key>(
    valueOf: (order: OrderRecord) => Value | null,
    nameOf?: (value: Value) => string | undefined,
  ) => byCount(collect(orders, valueOf), nameOf);
  const nameOfValue = (value: string) => valueLabels.get(value);

  switch (dimension) {
    case "hour":
      return inTime(
        collect(orders, (order) => Math.floor(modulo(clock.at(instantOf(order)), dayMs) / 3_600_000)),
        hourKey,
      );
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
      return byValue((order) => order.paymentMethodIds[0] ?? null, names.paymentMethod);
    case "driver_id":
      return byValue((order) => order.driverId, names.driver);
  }
}

function collect<Key>(
  orders: Iterable<OrderRecord>,
  keyOf: (order: OrderRecord) => Key,
): ReadonlyMap<Key, Totals> {
  const groups = new Map<Key, Totals>();
  for (const order of orders) {
    const key = keyOf(order);
    let totals = groups.get(key);
    if (!totals) groups.set(key, (totals = new Totals()));
    totals.add(order);
  }
  return groups;
}

/** Hours or days, few as they are, put together under their keys, which sort in the order of time. */
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

/** A key without a name is its own label. */
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

/** Numbers by size, text by code unit, null last. */
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

  /** Section 2.8. The average is rounded half up to the cent; that of no order is 0. */
  metrics() {
    return {
      total_order_count: this.count,
      total_revenue: numberFromCents(this.revenue),
      average_order_value: numberFromCents(averageCents(this.revenue, this.count)),
    };
  }
}

/** Key and label of a group in time, from an hour or a local day counted from 1970-01-01. */
type KeyAndLabel = Pick<Group, "key" | "label">;

function hourKey(hour: number): KeyAndLabel {
  return { key: hour, label: `${String(hour).padStart(2, "0")}:00` };
}

function dayKey(day: number): KeyAndLabel {
  const date = isoDate(day);
  return { key: date, label: date.split("-").toReversed().join("/") };
}

/** 1970-01-01 was a Thursday. */
function dayOfWeekKey(day: number): KeyAndLabel {
  const weekday = (((day + 4) % 7) + 7) % 7;
  return { key: weekday, label: dayOfWeekLabels[weekday] ?? null };
}

/** ISO 8601: a week belongs to the year that its Thursday is in. */
function weekKey(day: number): KeyAndLabel {
  const thursday = Math.floor((day + 3) / 7) * 7;
  const year = Number(isoDate(thursday).slice(0, 4));
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / dayMs) / 7) + 1;
  const padded = String(week).padStart(2, "0");
  return { key: `${isoDate(thursday).slice(0, 4)}-W${padded}`, label: `Semana ${week} de ${year}` };
}

function monthKey(day: number): KeyAndLabel {
  const month = isoDate(day).slice(0, 7);
  return { key: month, label: month.split("-").toReversed().join("/") };
}

function isoDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
