/**
 * The two summary endpoints over orders in memory, by plain counting, with the choices that the specification
 * leaves open as switches. It shares no code with src/sales.
 */
import { Temporal } from "temporal-polyfill";

import { filtersByName, type Filter } from "../../../src/contract/filters.js";
import type { Filters } from "../../../src/contract/models.js";
import { ComandaError } from "../../../src/shared/errors.js";
import type { Dimension } from "../../../src/contract/enums.js";
import type { Group, GroupedSummary, Summary } from "../../../src/contract/models.js";

export interface FakeOrder {
  /** Microseconds since the epoch. */
  readonly createdAt: bigint;
  /** YYYY-MM-DD */
  readonly scheduledFor: string;
  readonly cents: number;
  readonly status: string;
  readonly driver: { readonly id: number; readonly name: string } | null;
  readonly origin: string | null;
}

export type WeekForm = "monday" | "iso" | "number" | "text";
export type MonthForm = "iso" | "padded" | "number" | "name";

export interface Choices {
  readonly zone: string;
  /** Is an order at exactly `end_date` within the window? */
  readonly endIncluded: boolean;
  /** Refuses windows of more than 180 days instead of more than 6 months. */
  readonly halfYearIs180Days: boolean;
  readonly weekForm: WeekForm;
  readonly monthForm: MonthForm;
}

export interface FakeQuery {
  readonly start_date: string;
  readonly end_date: string;
  readonly date_field?: string | undefined;
  readonly filters?: Filters;
}

const monthNames = ["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"];

/** An order's place: what identifies its group over all years, the key it is shown under, and its order. */
interface Bucket {
  readonly identity: string;
  readonly key: Group["key"];
  readonly label: string | null;
}

export class FakeService {
  readonly #local: ReadonlyMap<FakeOrder, Temporal.ZonedDateTime>;

  constructor(
    readonly orders: readonly FakeOrder[],
    readonly choices: Choices,
  ) {
    this.#local = new Map(orders.map((order) => [order, this.#localTime(order.createdAt)]));
  }

  summary(query: FakeQuery): Promise<Summary> {
    return Promise.resolve(metrics(this.#selected(query)));
  }

  grouped(query: FakeQuery & { readonly group_by: Dimension }): Promise<GroupedSummary> {
    const groups = this.group(this.#selected(query), query.group_by, query.date_field);
    return Promise.resolve({ group_by: query.group_by, groups });
  }

  /** The groups of any orders, as one answer without limits would give them. */
  group(orders: readonly FakeOrder[], dimension: Dimension, dateField = "created_at"): Group[] {
    const buckets = new Map<string, { bucket: Bucket; orders: FakeOrder[] }>();
    for (const order of orders) {
      const bucket = this.#bucket(order, dimension, dateField);
      const found = buckets.get(bucket.identity) ?? { bucket, orders: [] };
      found.orders.push(order);
      buckets.set(bucket.identity, found);
    }
    return [...buckets.entries()]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { bucket, orders: members }]) => ({
        key: bucket.key,
        label: bucket.label,
        ...metrics(members),
      }));
  }

  /** The local day on which an order was created. */
  createdOn(order: FakeOrder): string {
    return this.#created(order).toPlainDate().toString();
  }

  #selected({
    start_date,
    end_date,
    date_field = "created_at",
    filters: named = {},
  }: FakeQuery): FakeOrder[] {
    const filters = listed(named);
    if (date_field === "scheduled_date") {
      this.#checkSpan(
        Temporal.PlainDate.from(start_date).toZonedDateTime("UTC"),
        Temporal.PlainDate.from(end_date).toZonedDateTime("UTC"),
      );
      return this.orders.filter(
        (order) =>
          order.scheduledFor >= start_date && order.scheduledFor <= end_date && passes(order, filters),
      );
    }
    const [start, end] = [Temporal.Instant.from(start_date), Temporal.Instant.from(end_date)];
    this.#checkSpan(start.toZonedDateTimeISO(this.choices.zone), end.toZonedDateTimeISO(this.choices.zone));
    const [from, to] = [start.epochNanoseconds, end.epochNanoseconds];
    return this.orders.filter((order) => {
      const at = order.createdAt * 1000n;
      const beforeEnd = this.choices.endIncluded ? at <= to : at < to;
      return at >= from && beforeEnd && passes(order, filters);
    });
  }

  #checkSpan(start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): void {
    const limit = this.choices.halfYearIs180Days ? start.add({ hours: 180 * 24 }) : start.add({ months: 6 });
    if (Temporal.ZonedDateTime.compare(limit, end) < 0) {
      throw new ComandaError("invalid_request", `${start.toString()} to ${end.toString()} is too long`);
    }
    if (Temporal.ZonedDateTime.compare(end, start) < 0) throw new Error("4000: the end is before the start");
  }

  #bucket(order: FakeOrder, dimension: Dimension, dateField: string): Bucket {
    const created = this.#created(order);
    const day =
      dateField === "scheduled_date" ? Temporal.PlainDate.from(order.scheduledFor) : created.toPlainDate();
    switch (dimension) {
      case "day":
        return { identity: day.toString(), key: day.toString(), label: day.toString() };
      case "week": {
        const monday = day.subtract({ days: day.dayOfWeek - 1 }).toString();
        return { identity: monday, key: weekKey(day, this.choices.weekForm), label: null };
      }
      case "month":
        return {
          identity: day.toString().slice(0, 7),
          key: monthKey(day, this.choices.monthForm),
          label: null,
        };
      case "hour":
        return {
          identity: String(created.hour).padStart(2, "0"),
          key: created.hour,
          label: `${created.hour}h`,
        };
      case "day_of_week":
        return { identity: String(day.dayOfWeek), key: String(day.dayOfWeek), label: `day ${day.dayOfWeek}` };
      case "driver_id":
        return order.driver
          ? { identity: `id ${order.driver.id}`, key: order.driver.id, label: order.driver.name }
          : { identity: "null", key: null, label: "Não informado" };
      case "customer_origin":
        return { identity: JSON.stringify(order.origin), key: order.origin, label: order.origin };
      default:
        return { identity: order.status, key: order.status, label: order.status };
    }
  }

  #created(order: FakeOrder): Temporal.ZonedDateTime {
    return this.#local.get(order) ?? this.#localTime(order.createdAt);
  }

  #localTime(createdAt: bigint): Temporal.ZonedDateTime {
    return Temporal.Instant.fromEpochNanoseconds(createdAt * 1000n).toZonedDateTimeISO(this.choices.zone);
  }
}

/** Counted in integers, with an average of its own making. */
export function metrics(orders: readonly FakeOrder[]): Summary {
  const cents = orders.reduce((sum, order) => sum + order.cents, 0);
  const count = orders.length;
  const average = count === 0 ? 0 : Math.floor((2 * cents + count) / (2 * count));
  return { total_order_count: count, total_revenue: cents / 100, average_order_value: average / 100 };
}

function listed(filters: Filters): Filter[] {
  return Object.entries(filters).flatMap(([name, value]) => {
    const known = filtersByName.get(name);
    return known ? [{ ...known, values: (Array.isArray(value) ? value : [value]).map(String) }] : [];
  });
}

export function passes(order: FakeOrder, filters: readonly Filter[]): boolean {
  return filters.every(({ field, operator, values }) => {
    if (field === "status") return values.includes(order.status) === (operator === "in");
    if (field === "total") return order.cents >= Math.round(Number(values[0]) * 100);
    return operator === "null" ? order.origin === null : order.origin !== null;
  });
}

function weekKey(day: Temporal.PlainDate, form: WeekForm): Group["key"] {
  const [year, week] = [day.yearOfWeek ?? 0, day.weekOfYear ?? 0];
  switch (form) {
    case "monday":
      return day.subtract({ days: day.dayOfWeek - 1 }).toString();
    case "iso":
      return `${year}-W${String(week).padStart(2, "0")}`;
    case "number":
      return week;
    case "text":
      return `semana ${week}`;
  }
}

function monthKey(day: Temporal.PlainDate, form: MonthForm): Group["key"] {
  switch (form) {
    case "iso":
      return day.toString().slice(0, 7);
    case "padded":
      return String(day.month).padStart(2, "0");
    case "number":
      return day.month;
    case "name":
      return monthNames[day.month - 1] ?? null;
  }
}
