/** Selects the orders that a query counts: by its period and by the filters of section 4.8. */
import type { categoricalDimensions } from "../../../api/enums.js";
import type { FilterOperator } from "../../../api/filter-fields.js";
import type { Filter } from "../../../api/filters.js";
import { parseAmount } from "../../../api/money.js";
import { filterFields } from "../../../api/filter-fields.js";
import { englishSuggestion } from "../../../api/nearest.js";
import type { World } from "../world.js";
import { usualReadings } from "../../readings.js";
import type { OrderRecord } from "../orders.js";
import { dayMs, type WallClock } from "../zone.js";
import type { QueryContext, SummaryPeriod, SummaryRequest } from "./query.js";

/** What orders are grouped by and, as text, what filters name. Of several payments this is the first. */
export const values: Readonly<
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

export type FiguresContext = Pick<QueryContext, "clock" | "readings">;
type Condition = (order: OrderRecord) => boolean;

export function* selectOrders(
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

function conditionOf(filter: Filter, clock: WallClock): Condition {
  const { field, operator } = filter;
  const [value = ""] = filter.values;
  switch (field) {
    case "created_at_time":
      return comparison(operator, minuteOf(value), ({ createdAt }) => minuteOfDay(clock.at(createdAt)));
    case "total":
      return comparison(operator, boundOf(value), (order) => order.total);
    case "delivery_fee":
      return comparison(operator, boundOf(value), (order) => order.deliveryFee);
    default: {
      const named = new Set(filter.values);
      const isNamed: Condition =
        field === "payment_method_id"
          ? (order) => order.paymentMethodIds.some((id) => named.has(String(id)))
          : (order) => values[field](order) !== null && named.has(String(values[field](order)));
      if (operator === "in") return isNamed;
      if (operator === "not_in") return (order) => !isNamed(order);
      return (order) => (values[field](order) === null) === (operator === "null");
    }
  }
}

const comparisons: Readonly<Partial<Record<FilterOperator, (value: number, limit: number) => boolean>>> = {
  eq: (value, limit) => value === limit,
  not_eq: (value, limit) => value !== limit,
  gt: (value, limit) => value > limit,
  lt: (value, limit) => value < limit,
  gteq: (value, limit) => value >= limit,
  lteq: (value, limit) => value <= limit,
};

function comparison(
  operator: FilterOperator,
  limit: number,
  valueOf: (order: OrderRecord) => number,
): Condition {
  const holds = comparisons[operator];
  if (!holds) throw new RangeError(`${operator} doesn't compare numbers`);
  return (order) => holds(valueOf(order), limit);
}

/** Gives a bound in cents. An amount of more digits is above every order's. */
function boundOf(amount: string): number {
  return parseAmount(amount) ?? Number.POSITIVE_INFINITY;
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function minuteOfDay(wall: number): number {
  return Math.floor((wall - Math.floor(wall / dayMs) * dayMs) / 60_000);
}

/** Finds values of filters that exist at no store; a test may have made an order with a channel of its own. */
export function unknownValues(
  filters: readonly Filter[],
  { drivers, orders }: Pick<World, "drivers" | "orders">,
): string[] {
  const listed = {
    sales_channel: filterFields.sales_channel.values.values,
    driver_id: [...drivers.keys()].map(String),
  };
  return filters.flatMap(({ field, operator, values }) => {
    if (field !== "sales_channel" && field !== "driver_id") return [];
    const isDriver = field === "driver_id";
    const isOfAnOrder = (value: string) =>
      [...orders.all()].some((order) => value === String(isDriver ? order.driverId : order.salesChannel));
    const known: readonly string[] = listed[field];
    return values
      .filter((value) => !known.includes(value) && !isOfAnOrder(value))
      .map(
        (value) =>
          `filters[${field}_${operator}]: there is no ${isDriver ? "driver" : "sales channel"} ${value}.` +
          englishSuggestion(value, known),
      );
  });
}
