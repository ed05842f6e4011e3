/** The filters of section 4.8: read from the query, and as a condition on an order. */
import {
  type Filter,
  filterFields,
  type FilterOperator,
  filterParameters,
  type FilterValues,
  isFilterValue,
} from "../../../contract/filters.js";
import { customerOriginLength } from "../../../contract/limits.js";
import { parseAmount } from "../../../contract/money.js";
import type { OrderRecord } from "../orders.js";
import { InvalidQuery } from "./invalid-query.js";
import { dayMs, type WallClock } from "./wall-clock.js";

export type Condition = (order: OrderRecord) => boolean;

/**
 * @param values every value that the parameter was given
 * @returns `undefined` where the parameter is none of section 4.8
 * @throws {InvalidQuery}
 */
export function parseFilter(parameter: string, values: readonly string[]): Filter | undefined {
  const known = filterParameters.get(parameter);
  if (!known) return undefined;
  const { field, operator } = known;
  if (operator !== "in" && operator !== "not_in" && values.length > 1) {
    throw new InvalidQuery(`${parameter} takes one value`);
  }
  const isNullCheck = operator === "null" || operator === "not_null";
  const expected = filterFields[field].values;
  for (const value of values) {
    if (isNullCheck && value !== "true") throw new InvalidQuery(`${parameter} takes the value true`);
    if (!isNullCheck && !isFilterValue(expected, value))
      throw new InvalidQuery(`${parameter} ${requirement(expected)}`);
  }
  return { field, operator, values };
}

function requirement(expected: FilterValues): string {
  switch (expected.kind) {
    case "closed":
      return `must be one of ${expected.values.join(", ")}`;
    case "open":
    case "opaque":
      return "must not be empty";
    case "text":
      return `must have at most ${customerOriginLength} characters`;
    case "id":
      return "must be an integer of at least 1";
    case "time":
      return "must be a time, HH:MM";
    case "amount":
      return "must be a non-negative amount with at most two decimals";
  }
}

/** A parsed filter as a condition. */
export function conditionOf({ field, operator, values }: Filter, clock: WallClock): Condition {
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
      // As text: the form of these ids is not shown, and one that no order has selects nothing.
      const wanted = new Set(values);
      const isPaidSo: Condition = (order) => order.paymentMethodIds.some((id) => wanted.has(String(id)));
      return operator === "in" ? isPaidSo : (order) => !isPaidSo(order);
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
  const wanted = new Set<Value | null>(values);
  switch (operator) {
    case "null":
      return (order) => valueOf(order) === null;
    case "not_null":
      return (order) => valueOf(order) !== null;
    case "in":
      return (order) => wanted.has(valueOf(order));
    case "not_in":
      return (order) => !wanted.has(valueOf(order));
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

/** In cents; an amount of more digits than that is above every order's. */
function boundOf(amount: string): number {
  return parseAmount(amount) ?? Number.POSITIVE_INFINITY;
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function minuteOfDay(wall: number): number {
  return Math.floor((wall - Math.floor(wall / dayMs) * dayMs) / 60_000);
}
