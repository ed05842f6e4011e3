/** Orders split by one dimension: section 4.7. */
import type { DateField, Dimension, Group } from "../../../contract/summary.js";
import type { OrderRecord } from "../orders.js";
import { dayKey, dayOfWeekKey, hourKey, type KeyAndLabel, monthKey, weekKey } from "./calendar-keys.js";
import { noValueLabel, valueLabels } from "./choices.js";
import { Totals } from "./totals.js";
import { dayMs, type WallClock } from "./wall-clock.js";

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
