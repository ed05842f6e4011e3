/** The filters of section 4.8: read from the query, and as a condition on an order. */
import {
  type Filter,
  filterFields,
  type FilterOperator,
  filterParameters,
  type FilterValues,
} from "../../contract/filters.js";
import { customerOriginLength } from "../../contract/limits.js";
import { parseAmount } from "../../contract/money.js";
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
  const problem = isNullCheck ? nullCheckProblem : valueProblem(filterFields[field].values);
  for (const value of values) {
    const found = problem(value);
    if (found !== undefined) throw new InvalidQuery(`${parameter} ${found}`);
  }
  return { field, operator, values };
}

function nullCheckProblem(value: string): string | undefined {
  return value === "true" ? undefined : "takes the value true";
}

function valueProblem(expected: FilterValues): (value: string) => string | undefined {
  switch (expected.kind) {
    case "closed":
      return (value) =>
        expected.values.includes(value) ? undefined : `must be one of ${expected.values.join(", ")}`;
    case "open":
      return (value) => (value === "" ? "must not be empty" : undefined);
    case "text":
      return (value) =>
        value !== "" && Array.from(value).length <= customerOriginLength
          ? undefined
          : `must have 1 to ${customerOriginLength} characters`;
    case "id":
      return (value) =>
        /^\d{1,16}$/.test(value) && Number(value) >= 1 && Number.isSafeInteger(Number(value))
          ? undefined
          : "must be an integer of at least 1";
    case "time":
      return (value) => (/^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : "must be a time, HH:MM");
    case "amount":
      return (value) =>
        parseAmount(value) === undefined
          ? "must be a non-negative amount with at most two decimals"
          : undefined;
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
      const wanted = new Set(values.map(Number));
      const isPaidSo: Condition = (order) => order.paymentMethodIds.some((id) => wanted.has(id));
      return operator === "in" ? isPaidSo : (order) => !isPaidSo(order);
    }
    case "created_at_time":
      return comparison(operator, minuteOf(value), (order) => minuteOfDay(clock.at(order.createdAt)));
    case "total":
      return comparison(operator, parseAmount(value) ?? 0, (order) => order.total);
    case "delivery_fee":
      return comparison(operator, parseAmount(value) ?? 0, (order) => order.deliveryFee);
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

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function minuteOfDay(wall: number): number {
  return Math.floor((wall - Math.floor(wall / dayMs) * dayMs) / 60_000);
}
