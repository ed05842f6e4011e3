/** Computes the summary of a store's orders, and splits it by one dimension: sections 4.6 and 4.7. */
import { averageCents, type Cents, numberFromCents } from "../../../api/money.js";
import type { Group, GroupedSummary, Summary } from "../../../api/models.js";
import { usualReadings } from "../../readings.js";
import type { OrderRecord } from "../orders.js";
import { dayMs } from "../zone.js";
import { isTemporal, modulo, noValueLabel, temporalKeys, valueLabels, type KeyAndLabel } from "./keys.js";
import type { GroupedSummaryRequest, SummaryRequest } from "./query.js";
import { selectOrders, values, type FiguresContext } from "./select.js";

/** Section 4.6. */
export function summarize(
  orders: Iterable<OrderRecord>,
  query: SummaryRequest,
  context: FiguresContext,
): Summary {
  const totals = new Totals();
  for (const order of selectOrders(orders, query, context)) totals.add(order);
  return totals.metrics();
}

/** Orders carry only the ids of these; here are their names. */
export interface Names {
  readonly driver: (id: number) => string | undefined;
  readonly paymentMethod: (id: number) => string | undefined;
}

/** Section 4.7. */
export function summarizeGrouped(
  orders: Iterable<OrderRecord>,
  query: GroupedSummaryRequest,
  context: FiguresContext,
  names: Names,
): GroupedSummary {
  const { groupBy, period } = query;
  const { clock, readings = usualReadings } = context;
  const selected = selectOrders(orders, query, context);
  if (!isTemporal(groupBy)) {
    const valuesOf = (order: OrderRecord) =>
      groupBy === "payment_method_id" &&
      readings.several_payments === "each" &&
      order.paymentMethodIds.length > 0
        ? new Set(order.paymentMethodIds)
        : [values[groupBy](order)];
    return { group_by: groupBy, groups: byCount(collect(selected, valuesOf), labelsOf(groupBy, names)) };
  }
  const timeOf = (order: OrderRecord) =>
    period.dateField === "scheduled_date" ? (order.scheduledStart ?? order.createdAt) : order.createdAt;
  const isHour = groupBy === "hour";
  const units = collect(selected, (order) => [
    isHour ? Math.floor(modulo(clock.at(timeOf(order)), dayMs) / 3_600_000) : clock.dayAt(timeOf(order)),
  ]);
  if (readings.empty_groups === "zero" && units.size > 0) {
    const [first, last] = isHour ? [0, 23] : [Math.min(...units.keys()), Math.max(...units.keys())];
    for (let unit = first; unit <= last; unit += 1) totalsOf(units, unit);
  }
  return { group_by: groupBy, groups: inTime(units, (unit) => temporalKeys[groupBy](unit, readings)) };
}

/** Puts an order with several keys into several groups. */
function collect<Key>(
  orders: Iterable<OrderRecord>,
  keysOf: (order: OrderRecord) => Iterable<Key>,
): Map<Key, Totals> {
  const groups = new Map<Key, Totals>();
  for (const order of orders) for (const key of keysOf(order)) totalsOf(groups, key).add(order);
  return groups;
}

function totalsOf<Key>(groups: Map<Key, Totals>, key: Key): Totals {
  let totals = groups.get(key);
  if (!totals) groups.set(key, (totals = new Totals()));
  return totals;
}

/** Puts hours or days together under their keys, which sort in the order of time. */
function inTime(units: ReadonlyMap<number, Totals>, keyOf: (unit: number) => KeyAndLabel): Group[] {
  const groups = new Map<Group["key"], { readonly label: Group["label"]; readonly totals: Totals }>();
  for (const [unit, totals] of units) {
    const { key, label } = keyOf(unit);
    const group = groups.get(key) ?? { label, totals: new Totals() };
    groups.set(key, group);
    group.totals.merge(totals);
  }
  return [...groups]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([key, { label, totals }]) => ({ key, label, ...totals.metrics() }));
}

/** Sorts groups by their orders. A key without a name is its own label. */
function byCount(
  groups: ReadonlyMap<string | number | null, Totals>,
  labelOf: (value: string | number) => string | undefined,
): Group[] {
  return [...groups]
    .toSorted(([keyA, a], [keyB, b]) => b.count - a.count || compare(keyA, keyB))
    .map(([key, totals]) => ({
      key,
      label: key === null ? noValueLabel : (labelOf(key) ?? String(key)),
      ...totals.metrics(),
    }));
}

function labelsOf(dimension: keyof typeof values, names: Names) {
  if (dimension === "customer_origin") return () => undefined;
  if (dimension === "driver_id") return (id: string | number) => names.driver(Number(id));
  if (dimension === "payment_method_id") return (id: string | number) => names.paymentMethod(Number(id));
  return (value: string | number) => valueLabels.get(String(value));
}

/** Compares numbers by size and text by code unit; null comes last. */
function compare(a: Group["key"], b: Group["key"]): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

/** Counts orders and adds up their totals. */
class Totals {
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
