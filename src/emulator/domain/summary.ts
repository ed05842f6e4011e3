/**
 * The two summary endpoints (sections 4.6 to 4.8): reads and checks a query as the service does, computes the summary of a store's
 * orders, and groups it by one dimension. The specification leaves these points open, no reading (`../readings.ts`) changes them,
 * and a client must accept other choices as well:
 *
 * - A scheduled order belongs to the day on which its `schedule` starts, in the store's zone; with
 *   `date_field=scheduled_date` orders without a schedule are left out. Temporal groups follow `date_field`.
 * - Orders must match all filters. `not_in` includes orders without any value: no driver, no origin, no payment. A payment method
 *   filter checks every payment of an order. An empty `customer_origin` is an origin like any other.
 * - `created_at_time` compares the hour and minute in the store's time zone: 15:00:59 is equal to 15:00.
 */
import type * as z from "zod/mini";

import {
  type CategoricalDimension,
  type Dimension,
  summaryHistoryYears,
  type temporalDimensions,
} from "../../api/values.js";
import type { Filter, FilterOperator } from "../../api/filters.js";
import { addMonths, periodLengthRules, querySchemas } from "../../api/input.js";
import type { Group, GroupedSummary, Summary } from "../../api/models.js";
import { averageCents, numberFromCents, parseAmount } from "../../api/money.js";
import type { Readings } from "../readings.js";
import type { OrderRecord } from "./orders.js";
import { checked, invalid } from "./refused.js";
import { dayMs, type WallClock } from "./time.js";

/** The time in milliseconds since the epoch, and the store's local clock, by which a query is checked. */
export interface QueryContext {
  readonly now: number;
  readonly clock: WallClock;
  readonly readings: Readings;
}

type Query = z.output<ReturnType<typeof querySchemas>["summaryQuery"]>;
type Condition = (order: OrderRecord) => boolean;

/**
 * Reads the parameters. A known parameter without a value counts as missing, but a filter without one doesn't.
 * `Object.fromEntries` turns a name such as `__proto__` into an ordinary field, which the schema rejects.
 */
function readFields<Schema extends z.core.$ZodType>(
  schema: Schema,
  search: URLSearchParams,
): z.output<Schema> {
  const fields: [string, unknown][] = [];
  const filters: [string, unknown][] = [];
  for (const name of new Set(search.keys())) {
    const [value, ...more] = search.getAll(name);
    const filter = /^filters\[([^[\]]*)\]$/.exec(name)?.[1];
    if (filter !== undefined) filters.push([filter, more.length > 0 ? [value, ...more] : value]);
    else if (/^filters\b/.test(name))
      throw invalid(`${name}: filters are flat, filters[field_operator]=value`);
    else if (more.length > 0) throw invalid(`${name} is given more than once`);
    else fields.push([name, value === "" ? undefined : value]);
  }
  if (filters.length > 0) fields.push(["filters", Object.fromEntries(filters)]);
  return checked(schema, Object.fromEntries(fields), "The query");
}

/** @throws {Refused} for a period that is too long, or too long ago */
function inPeriod(query: Query, { now, clock, readings }: QueryContext): Condition {
  const [start, end] = [Date.parse(query.start_date), Date.parse(query.end_date)];
  if (end < start) throw invalid("end_date must not be before start_date");
  const isDated = query.date_field === "scheduled_date";
  const timeOf = {
    // The local time at the text's offset.
    written: (text: string) => Date.parse(text.replace(/[+-]\d\d:\d\d$/, "Z")),
    store: (text: string) => clock.at(Date.parse(text)),
    utc: (text: string) => Date.parse(text),
    // A date is the same date everywhere.
  }[isDated ? "utc" : readings.six_months_clock];
  const first = timeOf(query.start_date);
  const span = { start: first, end: timeOf(query.end_date), now: first };
  const startDay = isDated ? start : clock.at(start);
  const age = { start: startDay, end: startDay, now: clock.at(now) };
  const broken = periodLengthRules.find((rule) => !rule.holds(span) || !rule.holds(age));
  if (broken) throw invalid(`${broken.field} ${broken.message}`);
  if (isDated)
    return ({ scheduledStart }) => {
      const day = scheduledStart === null ? Number.NaN : clock.dayAt(scheduledStart) * dayMs;
      return day >= start && day <= end;
    };
  if (readings.three_years === "instant" && start < addMonths(now, -12 * summaryHistoryYears))
    throw invalid(`start_date must not go back more than ${summaryHistoryYears} years`);
  const last = readings.period_end === "included" ? end : end - 1;
  return ({ createdAt }) => createdAt >= start && createdAt <= last;
}

class Totals {
  count = 0;
  revenue = 0;

  add(order: OrderRecord): void {
    this.count += 1;
    this.revenue += order.total;
  }

  /** Returns the figures of section 2.8. The average is rounded half up to the cent; without orders it is 0. */
  metrics(): Summary {
    return {
      total_order_count: this.count,
      total_revenue: numberFromCents(this.revenue),
      average_order_value: numberFromCents(averageCents(this.revenue, this.count)),
    };
  }
}

/**
 * Computes the summary of section 4.6.
 *
 * @throws {Refused} for a query that isn't valid, with its problems in the details
 */
export function summarize(
  search: URLSearchParams,
  orders: Iterable<OrderRecord>,
  context: QueryContext,
): Summary {
  const query = readFields(querySchemas().summaryQuery, search);
  const totals = new Totals();
  for (const order of selectOrders(orders, query, context)) totals.add(order);
  return totals.metrics();
}

/**
 * Computes the groups of section 4.7.
 *
 * @param names return the name for the id of a driver or payment method, because orders contain only ids
 * @throws {Refused} for a query that isn't valid, with its problems in the details
 */
export function summarizeGrouped(
  search: URLSearchParams,
  orders: Iterable<OrderRecord>,
  context: QueryContext,
  names: Readonly<Record<"driver" | "paymentMethod", (id: number) => string | undefined>>,
): GroupedSummary {
  const query = readFields(querySchemas().groupedQuery, search);
  const { group_by: groupBy } = query;
  const { clock, readings } = context;
  const isHour = groupBy === "hour";
  const temporal = isTemporal(groupBy) ? temporalKeys[groupBy] : undefined;
  /** @param unit an hour of the day, a local day counted from 1970-01-01, or an order's own value */
  const keyAndLabel = (unit: Unit): KeyAndLabel => {
    if (unit === null) return { key: null, label: "Não informado" };
    if (temporal) return temporal(Number(unit), readings);
    const text = String(unit);
    if (groupBy === "driver_id") return { key: unit, label: names.driver(Number(unit)) ?? text };
    if (groupBy === "payment_method_id")
      return { key: unit, label: names.paymentMethod(Number(unit)) ?? text };
    const label = groupBy === "customer_origin" ? undefined : valueLabels.get(text);
    return { key: unit, label: label ?? text };
  };
  const unitsOf = (order: OrderRecord): Iterable<Unit> => {
    if (!isTemporal(groupBy)) {
      const all = groupBy === "payment_method_id" && readings.several_payments === "each";
      return all && order.paymentMethodIds.length > 0
        ? new Set(order.paymentMethodIds)
        : [values[groupBy](order)];
    }
    const scheduled = query.date_field === "scheduled_date" ? order.scheduledStart : null;
    const time = scheduled ?? order.createdAt;
    return [isHour ? Math.floor(modulo(clock.at(time), dayMs) / 3_600_000) : clock.dayAt(time)];
  };

  const groups = new Map<Unit, { readonly label: string | null; readonly totals: Totals }>();
  // Formatting a date is slow, so each unit's key is computed once.
  const totalsByUnit = new Map<Unit, Totals>();
  const totalsOf = (unit: Unit): Totals => {
    const known = totalsByUnit.get(unit);
    if (known) return known;
    const { key, label } = keyAndLabel(unit);
    const { totals } = groups.get(key) ?? { totals: new Totals() };
    groups.set(key, { label, totals });
    totalsByUnit.set(unit, totals);
    return totals;
  };
  for (const order of selectOrders(orders, query, context))
    for (const unit of unitsOf(order)) totalsOf(unit).add(order);
  if (temporal && readings.empty_groups === "zero" && groups.size > 0) {
    const units = [...totalsByUnit.keys()].map(Number);
    const [first, last] = isHour ? [0, 23] : [Math.min(...units), Math.max(...units)];
    for (let unit = first; unit <= last; unit += 1) totalsOf(unit);
  }

  // Groups of time are in time's order, others by number of orders. Texts are compared by code unit, and null is last.
  const compare = (a: Unit, b: Unit): number =>
    a === null || b === null ? Number(a === null) - Number(b === null) : a < b ? -1 : Number(a > b);
  const sorted = [...groups].toSorted(
    ([keyA, a], [keyB, b]) => (temporal ? 0 : b.totals.count - a.totals.count) || compare(keyA, keyB),
  );
  const written = sorted.map(([key, { label, totals }]) => ({ key, label, ...totals.metrics() }));
  return { group_by: groupBy, groups: written };
}

type Unit = string | number | null;
interface KeyAndLabel {
  readonly key: Unit;
  readonly label: Group["label"];
}

/** The values of an order that groups use and, as text, that filters name. If an order has several payments, the first counts. */
const values: Readonly<Record<CategoricalDimension, (order: OrderRecord) => Unit>> = {
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
  query: Query,
  context: QueryContext,
): Generator<OrderRecord> {
  const { filters = [] } = query;
  const countsCanceled =
    context.readings.canceled_orders === "counted" || filters.some(({ field }) => field === "status");
  const conditions = [
    inPeriod(query, context),
    ...filters.map((filter) => conditionOf(filter, context.clock)),
  ];
  for (const order of orders)
    if ((countsCanceled || order.status !== "canceled") && conditions.every((holds) => holds(order)))
      yield order;
}

function conditionOf({ field, operator, values: named }: Filter, clock: WallClock): Condition {
  const [value = ""] = named;
  if (field === "total" || field === "delivery_fee") {
    // An amount with more digits exceeds that of every order.
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
  if (value === limit) return ["eq", "gteq", "lteq"].includes(operator);
  return (value > limit ? ["not_eq", "gt", "gteq"] : ["not_eq", "lt", "lteq"]).includes(operator);
}

/** The labels and names start with Sunday, whose key is 0. */
const weekdayLabels = "Domingo Segunda-feira Terça-feira Quarta-feira Quinta-feira Sexta-feira Sábado".split(
  " ",
);
const weekdayNames = "sunday monday tuesday wednesday thursday friday saturday".split(" ");

/** The labels of keys with a name; any other key is its own label. */
const valueLabels: ReadonlyMap<string, string> = new Map([
  ["delivery", "Entrega"],
  ["takeout", "Retirada"],
  ["onsite", "Consumo no local"],
  ["closed_table", "Mesa"],
  ["immediate", "Imediato"],
  ["scheduled", "Agendado"],
  ["waiting_confirmation", "Aguardando confirmação"],
  ["confirmed", "Em preparo"],
  ["ready", "Pronto"],
  ["released", "Saiu para entrega"],
  ["waiting_to_catch", "Aguardando retirada"],
  ["delivered", "Entregue"],
  ["canceled", "Cancelado"],
  ["closed", "Finalizado"],
  ["catalog", "Cardápio digital"],
  ["store_front_catalog", "Cardápio de balcão"],
  ["table_catalog", "Cardápio de mesa"],
]);

type TemporalDimension = (typeof temporalDimensions)[number];

/** Returns the key and label of a group of time from an hour, or from a local day. */
const temporalKeys: Readonly<Record<TemporalDimension, (unit: number, readings: Readings) => KeyAndLabel>> = {
  hour: (hour, { hour_key }) => {
    const text = String(hour).padStart(2, "0");
    return { key: { number: hour, text, clock: `${text}:00` }[hour_key], label: `${text}:00` };
  },
  day: (day, { day_key }) => {
    const brazilian = reversed(isoDate(day));
    return { key: { iso: isoDate(day), brazilian }[day_key], label: brazilian };
  },
  /** 1970-01-01 was a Thursday. */
  day_of_week: (day, { day_of_week_key }) => {
    const weekday = modulo(day + 4, 7);
    const name = weekdayNames[weekday] ?? null;
    const keys = { sunday_0: weekday, sunday_1: weekday + 1, monday_1: weekday || 7, name };
    return { key: keys[day_of_week_key], label: weekdayLabels[weekday] ?? null };
  },
  /** A week belongs to the year of its Thursday (ISO 8601). */
  week: (day, { week_key }) => {
    const first = isoDate(day - modulo(day + (week_key === "monday" ? 3 : 4), 7));
    if (week_key !== "iso") return { key: first, label: reversed(first) };
    const thursday = Math.floor((day + 3) / 7) * 7;
    const year = isoDate(thursday).slice(0, 4);
    const week = Math.floor((thursday - Date.UTC(Number(year), 0, 1) / dayMs) / 7) + 1;
    return { key: `${year}-W${String(week).padStart(2, "0")}`, label: `Semana ${week} de ${year}` };
  },
  month: (day, { month_key }) => {
    const month = isoDate(day).slice(0, 7);
    return { key: month_key === "month" ? month : `${month}-01`, label: reversed(month) };
  },
};

function isTemporal(dimension: Dimension): dimension is TemporalDimension {
  return dimension in temporalKeys;
}

function modulo(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor;
}

function isoDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Returns a date in Brazilian order, with the day first. */
function reversed(date: string): string {
  return date.split("-").toReversed().join("/");
}
