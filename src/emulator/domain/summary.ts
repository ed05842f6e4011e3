/**
 * Computes the summary of a store's orders, and splits it by one dimension: sections 4.6 to 4.8. The specification leaves
 * these points open, and no reading (`../readings.ts`) is a switch for them; a client must do with any other choice as well:
 *
 * - A scheduled order belongs to the day on which its `schedule` starts, in the store's zone; with
 *   `date_field=scheduled_date` orders without a schedule are left out.
 * - An end of exactly six calendar months after the start is accepted, also by date. After 31 August comes the last day
 *   of February.
 * - Several filters hold together. `not_in` keeps orders that have no such value at all: no driver, no origin, no payment. A
 *   payment method filter looks at every payment of an order. An empty `customer_origin` is an origin like any other.
 * - `created_at_time` looks at the hour and minute on the store's wall clock: 15:00:59 is equal to 15:00.
 * - `payment_method_id` and `sales_channel` take any text, and one that no order has selects nothing. The lists of `status`,
 *   `order_type` and `order_timing` are closed. Parameters that the sections don't name are refused.
 * - Temporal groups follow `date_field`, on the store's wall clock. An hour that the clock runs through twice is one
 *   group. Labels are in Portuguese, as the one that is shown.
 */
import type { categoricalDimensions, Dimension, temporalDimensions } from "../../api/enums.js";
import type { Filter, FilterOperator } from "../../api/filters.js";
import type { Group, GroupedSummary, Summary } from "../../api/models.js";
import { averageCents, numberFromCents, parseAmount } from "../../api/money.js";
import { usualReadings, type Readings } from "../readings.js";
import type { OrderRecord } from "./orders.js";
import type { GroupedSummaryRequest, QueryContext, SummaryPeriod, SummaryRequest } from "./summary-query.js";
import { dayMs, type WallClock } from "./time.js";

type FiguresContext = Pick<QueryContext, "clock" | "readings">;
type Condition = (order: OrderRecord) => boolean;

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
    const groups = collect(selected, (order) =>
      groupBy === "payment_method_id" &&
      readings.several_payments === "each" &&
      order.paymentMethodIds.length > 0
        ? new Set(order.paymentMethodIds)
        : [values[groupBy](order)],
    );
    const nameOf = (key: string | number): string | undefined => {
      if (groupBy === "driver_id") return names.driver(Number(key));
      if (groupBy === "payment_method_id") return names.paymentMethod(Number(key));
      return groupBy === "customer_origin" ? undefined : valueLabels.get(String(key));
    };
    // Most orders first. A key without a name is its own label.
    const sorted = [...groups].toSorted(([keyA, a], [keyB, b]) => b.count - a.count || compare(keyA, keyB));
    const labelOf = (key: string | number | null) =>
      key === null ? "Não informado" : (nameOf(key) ?? String(key));
    const written = sorted.map(([key, totals]) => ({ key, label: labelOf(key), ...totals.metrics() }));
    return { group_by: groupBy, groups: written };
  }
  const isHour = groupBy === "hour";
  const units = collect(selected, ({ scheduledStart, createdAt }) => {
    const time = period.dateField === "scheduled_date" ? (scheduledStart ?? createdAt) : createdAt;
    return [isHour ? Math.floor(modulo(clock.at(time), dayMs) / 3_600_000) : clock.dayAt(time)];
  });
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
  const groups = new Map<Group["key"], Totals>();
  const labels = new Map<Group["key"], Group["label"]>();
  for (const [unit, totals] of units) {
    const { key, label } = keyOf(unit);
    labels.set(key, label);
    totalsOf(groups, key).merge(totals);
  }
  return [...groups]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([key, totals]) => ({ key, label: labels.get(key) ?? null, ...totals.metrics() }));
}

/** Compares numbers by size and text by code unit; null comes last. */
function compare(a: Group["key"], b: Group["key"]): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

/** Counts orders and adds up their totals, in cents. */
class Totals {
  count = 0;
  revenue = 0;

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

/** What orders are grouped by and, as text, what filters name. Of several payments this is the first. */
const values: Readonly<
  Record<(typeof categoricalDimensions)[number], (order: OrderRecord) => string | number | null>
> = {
  order_type: (order) => order.orderType,
  order_timing: (order) => order.timing,
  sales_channel: (order) => order.salesChannel,
  status: (order) => order.status,
  customer_origin: (order) => order.customerOrigin,
  payment_method_id: (order) => order.paymentMethodIds[0] ?? null,
  driver_id: (order) => order.driverId,
};

function* selectOrders(
  orders: Iterable<OrderRecord>,
  { period, filters }: SummaryRequest,
  { clock, readings = usualReadings }: FiguresContext,
): Generator<OrderRecord> {
  const countsCanceled =
    readings.canceled_orders === "counted" || filters.some(({ field }) => field === "status");
  const isInPeriod = periodCondition(period, clock);
  const conditions = filters.map((filter) => conditionOf(filter, clock));
  for (const order of orders) {
    if (!countsCanceled && order.status === "canceled") continue;
    if (isInPeriod(order) && conditions.every((holds) => holds(order))) yield order;
  }
}

function periodCondition(period: SummaryPeriod, clock: WallClock): Condition {
  if (period.dateField === "created_at")
    return ({ createdAt }) => createdAt >= period.start && createdAt <= period.end;
  return ({ scheduledStart }) => {
    if (scheduledStart === null) return false;
    const day = clock.dayAt(scheduledStart);
    return day >= period.firstDay && day <= period.lastDay;
  };
}

function conditionOf({ field, operator, values: named }: Filter, clock: WallClock): Condition {
  const [value = ""] = named;
  if (field === "total" || field === "delivery_fee") {
    // An amount of more digits is above every order's.
    const limit = parseAmount(value) ?? Number.POSITIVE_INFINITY;
    const amountOf = (order: OrderRecord) => (field === "total" ? order.total : order.deliveryFee);
    return (order) => compares(operator, amountOf(order), limit);
  }
  if (field === "created_at_time") {
    const limit = Number(value.slice(0, 2)) * 60 + Number(value.slice(3));
    const minuteOf = (wall: number) => Math.floor(modulo(wall, dayMs) / 60_000);
    return ({ createdAt }) => compares(operator, minuteOf(clock.at(createdAt)), limit);
  }
  if (operator === "null" || operator === "not_null")
    return (order) => (values[field](order) === null) === (operator === "null");
  const names = new Set(named);
  const isNamed: Condition =
    field === "payment_method_id"
      ? (order) => order.paymentMethodIds.some((id) => names.has(String(id)))
      : (order) => values[field](order) !== null && names.has(String(values[field](order)));
  return operator === "in" ? isNamed : (order) => !isNamed(order);
}

function compares(operator: FilterOperator, value: number, limit: number): boolean {
  if (value === limit) return operator === "eq" || operator === "gteq" || operator === "lteq";
  return (
    operator === "not_eq" ||
    operator === (value > limit ? "gt" : "lt") ||
    operator === (value > limit ? "gteq" : "lteq")
  );
}

/** The labels and names begin with Sunday, whose key is 0. */
const weekdayLabels = "Domingo,Segunda-feira,Terça-feira,Quarta-feira,Quinta-feira,Sexta-feira,Sábado".split(
  ",",
);
const weekdayNames = "sunday,monday,tuesday,wednesday,thursday,friday,saturday".split(",");

/** Keys that have a name get these labels; any other key is its own label. */
const valueLabels: ReadonlyMap<string, string> = new Map([
  ["delivery", "Entrega"],
  ["takeout", "Retirada"],
  ["onsite", "Consumo no local"],
  ["closed_table", "Mesa"],
  ["immediate", "Imediato"],
  ["scheduled", "Agendado"],
  ["waiting_confirmation", "Aguardando confirmação"],
  ["pending_payment", "Pagamento pendente"],
  ["pending_online_payment", "Pagamento online pendente"],
  ["scheduled_confirmed", "Agendamento confirmado"],
  ["confirmed", "Em preparo"],
  ["ready", "Pronto"],
  ["released", "Saiu para entrega"],
  ["waiting_to_catch", "Aguardando retirada"],
  ["delivered", "Entregue"],
  ["canceling", "Em cancelamento"],
  ["canceled", "Cancelado"],
  ["closed", "Finalizado"],
  ["catalog", "Cardápio digital"],
  ["store_front_catalog", "Cardápio de balcão"],
  ["table_catalog", "Cardápio de mesa"],
  ["portal", "Portal"],
  ["messaging_extension", "Extensão de mensagens"],
  ["integration", "Integração"],
  ["totem", "Totem"],
]);

type TemporalDimension = (typeof temporalDimensions)[number];
type KeyAndLabel = Pick<Group, "key" | "label">;

/** A group in time gets key and label from an hour, or from a local day counted from 1970-01-01. */
const temporalKeys: Readonly<Record<TemporalDimension, (unit: number, readings: Readings) => KeyAndLabel>> = {
  hour: hourKey,
  day: dayKey,
  day_of_week: dayOfWeekKey,
  week: weekKey,
  month: monthKey,
};

function isTemporal(dimension: Dimension): dimension is TemporalDimension {
  return dimension in temporalKeys;
}

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
  const name = weekdayNames[weekday] ?? null;
  const keys = { sunday_0: weekday, sunday_1: weekday + 1, monday_1: weekday || 7, name };
  return { key: keys[day_of_week_key], label: weekdayLabels[weekday] ?? null };
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
  return {
    key: `${isoDate(thursday).slice(0, 4)}-W${String(week).padStart(2, "0")}`,
    label: `Semana ${week} de ${year}`,
  };
}

function monthKey(day: number, { month_key }: Readings): KeyAndLabel {
  const month = isoDate(day).slice(0, 7);
  const key = month_key === "month" ? month : `${month}-01`;
  return { key, label: month.split("-").toReversed().join("/") };
}

function modulo(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor;
}

function isoDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
