/**
 * Reads what the API answers, for a client: where a schema would refuse too much, what can be read is. `undefined` stands for a
 * body that isn't the API's.
 */
import * as z from "zod/mini";

import { isObject } from "./json.js";
import type { GroupedSummary, PrefilledOrder, ReadOrder, Summary } from "./models.js";
import { averageCents, centsFromNumber, hasAtMostTwoDecimals, numberFromCents } from "./money.js";
import { orderSchemas, prefilledSchemas, salesSchemas } from "./schemas.js";

/** What a call about an order asked for, as it went out. */
export interface Asked {
  readonly orderId: string | null;
  /** `undefined` where the body is a stream, or names none. */
  readonly driverId: unknown;
}

/**
 * Reads the answer to a status change: an empty body (sections 4.2 to 4.5). `{}`, `null` and the order itself are taken for
 * it. Any other body doesn't show that the API did it, whatever its status.
 *
 * @returns `undefined` where nothing tells that it was done
 */
export function readStatusChange(json: unknown, text: string, asked: Asked): null | undefined {
  if (text.trim() === "" || json === null) return null;
  const isEmpty = isObject(json) && Object.keys(json).length === 0;
  return isEmpty || isOrderOf(json, asked) ? null : undefined;
}

/**
 * Reads the answer to an assignment: the order, with that driver (section 4.1).
 *
 * @returns `undefined` where nothing tells that it was done
 */
export function readAssignment(json: unknown, _text: string, asked: Asked): ReadOrder | undefined {
  if (!isObject(json) || !isOrderOf(json, asked)) return undefined;
  const { driver_id: driver } = json;
  const isTheirs = driver === undefined || asked.driverId === undefined || isSameId(driver, asked.driverId);
  return isTheirs ? readOrder(json) : undefined;
}

function isOrderOf(json: unknown, { orderId }: Asked): boolean {
  return isObject(json) && isSameId(json["id"], orderId);
}

/** An id may come as a text; leading zeros say nothing. */
function isSameId(one: unknown, other: unknown): boolean {
  const isId = typeof one === "number" || typeof one === "string";
  return isId && String(one).replace(/^0+(?=.)/, "") === String(other).replace(/^0+(?=.)/, "");
}

/**
 * Picks the fields that are as documented. A field of another shape is left out, since the order has been changed by the time
 * the answer is here, and no failure may hide that.
 */
function readOrder(answer: Readonly<Record<string, unknown>>): ReadOrder {
  const documented = new Map<string, z.ZodMiniType>(Object.entries(orderSchemas().order.shape));
  const isAsDocumented = ([name, value]: [string, unknown]) => {
    const field = documented.get(name);
    return field === undefined || z.safeParse(field, value).success;
  };
  return Object.fromEntries(Object.entries(answer).filter(isAsDocumented));
}

/** Reads a summary, and computes an average that is null or has more than two decimals. */
export function readSummary(json: unknown): Summary | undefined {
  const result = z.safeParse(salesSchemas().summary, withExactAverage(json));
  return result.success ? result.data : undefined;
}

/** Reads groups, and computes averages as {@link readSummary} does. */
export function readGroupedSummary(json: unknown): GroupedSummary | undefined {
  const groups =
    isObject(json) && Array.isArray(json["groups"]) ? json["groups"].map(withExactAverage) : undefined;
  const summary = isObject(json) && groups ? { ...json, groups } : json;
  const result = z.safeParse(salesSchemas().groupedSummary, summary);
  return result.success ? result.data : undefined;
}

/**
 * Computes revenue / orders, rounded half up to the cent. A number with at most two decimals is the service's own and
 * stays.
 */
function withExactAverage(answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  const json = withNumbers(answer);
  const { total_order_count: orders, total_revenue: revenue, average_order_value: average } = json;
  const isUsable = average !== null && (typeof average !== "number" || hasAtMostTwoDecimals(average));
  if (isUsable || typeof orders !== "number" || typeof revenue !== "number") return json;
  const cents = centsFromNumber(revenue);
  if (cents === undefined || !Number.isSafeInteger(orders) || orders < 0) return json;
  return { ...json, average_order_value: numberFromCents(averageCents(cents, orders)) };
}

/** Reads amounts that came as texts, where these are decimal numbers. */
function withNumbers(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const amounts: [string, number][] = ["total_revenue", "average_order_value"].flatMap((name) => {
    const amount = json[name];
    return typeof amount === "string" && /^-?\d{1,15}(?:\.\d+)?$/.test(amount)
      ? [[name, Number(amount)]]
      : [];
  });
  return { ...json, ...Object.fromEntries(amounts) };
}

export function readPrefilledOrder(json: unknown): PrefilledOrder | undefined {
  const result = z.safeParse(prefilledSchemas().prefilledOrder, json);
  return result.success ? result.data : undefined;
}
