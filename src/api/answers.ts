/**
 * Reads what the API answers, for a client: where a schema would refuse too much, what can be read is. `undefined` stands for a
 * body that isn't the API's.
 */
import * as z from "zod/mini";

import { isObject } from "./basics.js";
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
 */
export function readStatusChange(json: unknown, text: string, asked: Asked): null | undefined {
  if (text.trim() === "" || json === null) return null;
  const isEmpty = isObject(json) && Object.keys(json).length === 0;
  return isEmpty || isOrderOf(json, asked) ? null : undefined;
}

/**
 * Reads the answer to an assignment: the order, with that driver (section 4.1). A field of another form than documented is left
 * out, since the order has been changed by the time the answer is here, and no failure may hide that.
 */
export function readAssignment(json: unknown, _text: string, asked: Asked): ReadOrder | undefined {
  if (!isOrderOf(json, asked)) return undefined;
  const { driver_id: driver } = json;
  const isAnothers =
    driver !== undefined && asked.driverId !== undefined && !isSameId(driver, asked.driverId);
  if (isAnothers) return undefined;
  const documented = new Map<string, z.ZodMiniType>(Object.entries(orderSchemas().order.shape));
  const fields = Object.entries(json).filter(([name, value]) => {
    const field = documented.get(name);
    return field === undefined || z.safeParse(field, value).success;
  });
  return Object.fromEntries(fields);
}

function isOrderOf(json: unknown, { orderId }: Asked): json is Readonly<Record<string, unknown>> {
  return isObject(json) && isSameId(json["id"], orderId);
}

/** An id may come as a text; leading zeros say nothing. */
function isSameId(one: unknown, other: unknown): boolean {
  const isId = typeof one === "number" || typeof one === "string";
  return isId && String(one).replace(/^0+(?=.)/, "") === String(other).replace(/^0+(?=.)/, "");
}

/** Reads a summary, and computes an average that is null or has more than two decimals. */
export function readSummary(json: unknown): Summary | undefined {
  const result = z.safeParse(salesSchemas().summary, withExactAverage(json));
  return result.success ? result.data : undefined;
}

/** Reads groups, and computes averages as {@link readSummary} does. */
export function readGroupedSummary(json: unknown): GroupedSummary | undefined {
  if (!isObject(json) || !Array.isArray(json["groups"])) return undefined;
  const groups = json["groups"].map(withExactAverage);
  const result = z.safeParse(salesSchemas().groupedSummary, { ...json, groups });
  return result.success ? result.data : undefined;
}

/** A number with at most two decimals is the service's own and stays. An amount may come as a text, where that is a decimal number. */
function withExactAverage(answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  const json = { ...answer };
  for (const name of ["total_revenue", "average_order_value"]) {
    const amount = json[name];
    if (typeof amount === "string" && /^-?\d{1,15}(?:\.\d+)?$/.test(amount)) json[name] = Number(amount);
  }
  const { total_order_count: orders, total_revenue: revenue, average_order_value: average } = json;
  if (average !== null && (typeof average !== "number" || hasAtMostTwoDecimals(average))) return json;
  const cents = typeof revenue === "number" ? centsFromNumber(revenue) : undefined;
  if (cents === undefined || typeof orders !== "number" || !Number.isSafeInteger(orders)) return json;
  return { ...json, average_order_value: numberFromCents(averageCents(cents, orders)) };
}

export function readPrefilledOrder(json: unknown): PrefilledOrder | undefined {
  const result = z.safeParse(prefilledSchemas().prefilledOrder, json);
  return result.success ? result.data : undefined;
}
