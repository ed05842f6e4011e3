/** Computes the summary of a store's orders: sections 4.6 and 4.7. */
import type { Filter } from "../../../contract/filters.js";
import { usualReadings } from "../../readings.js";
import type { FilterOperator } from "../../../contract/filter-fields.js";
import { parseAmount } from "../../../contract/money.js";
import type { GroupedSummary, Summary } from "../../../contract/models.js";
import type { OrderRecord } from "../orders.js";
import { dayMs, type WallClock } from "../zone.js";
import { groupOrders, type Names, Totals } from "./groups.js";
import type { GroupedSummaryRequest, QueryContext, SummaryPeriod, SummaryRequest } from "./query.js";

type FiguresContext = Pick<QueryContext, "clock" | "readings">;

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

/** Section 4.7. */
export function summarizeGrouped(
  orders: Iterable<OrderRecord>,
  query: GroupedSummaryRequest,
  context: FiguresContext,
  names: Names,
): GroupedSummary {
  const { groupBy, period } = query;
  const counted = selectOrders(orders, query, context);
  return { group_by: groupBy, groups: groupOrders(counted, groupBy, period.dateField, context, names) };
}

type Condition = (order: OrderRecord) => boolean;

function* selectOrders(
  orders: Iterable<OrderRecord>,
  { period, filters }: SummaryRequest,
  { clock, readings = usualReadings }: FiguresContext,
): Generator<OrderRecord> {
  const isFiltered =
    readings.canceled_orders === "counted" || filters.some(({ field }) => field === "status");
  const isInPeriod = periodCondition(period, clock);
  const conditions = filters.map((filter) => conditionOf(filter, clock));
  for (const order of orders) {
    if (!isFiltered && order.status === "canceled") continue;
    if (isInPeriod(order) && conditions.every((holds) => holds(order))) yield order;
  }
}

function periodCondition(period: SummaryPeriod, clock: WallClock): Condition {
  if (period.dateField === "created_at") {
    const { start, end } = period;
    return ({ createdAt }) => createdAt >= start && createdAt <= end;
  }
  const { firstDay, lastDay } = period;
  return ({ scheduledStart }) => {
    if (scheduledStart === null) return false;
    const day = clock.dayAt(scheduledStart);
    return day >= firstDay && day <= lastDay;
  };
}

function conditionOf({ field, operator, values }: Filter, clock: WallClock): Condition {
  const [value = ""] = values;
  switch (field) {
    case "order_type":
      return membership(operator, values, (order) => order.orderType);
    case "order_timing":
      return membership(operator, values, (order) => order.timing);
    case "sales_channel":
      return membership(operator, values, (order) => order.salesChannel);
    case "status":
      return membership(operator, values, (order) => order.status);
    case "customer_origin":
      return membership(operator, values, (order) => order.customerOrigin);
    case "driver_id":
      return membership(operator, values.map(Number), (order) => order.driverId);
    case "payment_method_id": {
      // Ids are compared as text: their form is not shown, and an id that no order has selects nothing.
      const ids = new Set(values);
      const isPaidByAny: Condition = (order) => order.paymentMethodIds.some((id) => ids.has(String(id)));
      return operator === "in" ? isPaidByAny : (order) => !isPaidByAny(order);
    }
    case "created_at_time":
      return comparison(operator, minuteOf(value), (order) => minuteOfDay(clock.at(order.createdAt)));
    case "total":
      return comparison(operator, boundOf(value), (order) => order.total);
    case "delivery_fee":
      return comparison(operator, boundOf(value), (order) => order.deliveryFee);
  }
}

function membership<Value extends string | number>(
  operator: FilterOperator,
  values: readonly Value[],
  valueOf: (order: OrderRecord) => Value | null,
): Condition {
  const valueSet = new Set<Value | null>(values);
  switch (operator) {
    case "null":
      return (order) => valueOf(order) === null;
    case "not_null":
      return (order) => valueOf(order) !== null;
    case "in":
      return (order) => valueSet.has(valueOf(order));
    case "not_in":
      return (order) => !valueSet.has(valueOf(order));
    default:
      throw new RangeError(`${operator} doesn't compare lists`);
  }
}

function comparison(
  operator: FilterOperator,
  limit: number,
  valueOf: (order: OrderRecord) => number,
): Condition {
  switch (operator) {
    case "eq":
      return (order) => valueOf(order) === limit;
    case "not_eq":
      return (order) => valueOf(order) !== limit;
    case "gt":
      return (order) => valueOf(order) > limit;
    case "lt":
      return (order) => valueOf(order) < limit;
    case "gteq":
      return (order) => valueOf(order) >= limit;
    case "lteq":
      return (order) => valueOf(order) <= limit;
    default:
      throw new RangeError(`${operator} doesn't compare numbers`);
  }
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
