/** The fields of the tools' inputs. A value that doesn't fit is an error that names the field. */
import * as z from "zod";

import { orderSchemas } from "../api/responses.js";
import { dateFields } from "../api/values.js";
import { isObject } from "../base/basics.js";
import { filterRows } from "../cli/help/topics.js";
import { comparisons, periodNames } from "../sales/period.js";

/**
 * Makes the schema of an input, or of an object in it, from its fields. Clients send null for an optional field, a single text for a
 * list, and booleans and numbers as texts, such as `"true"` and `"7.5"`, so these are accepted.
 */
export function inputOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const withoutNull = (input: unknown) =>
    isObject(input) ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) : input;
  return z.preprocess(withoutNull, z.strictObject(shape));
}

/** Longer numbers would be rounded. */
const plainNumber = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,2})?$/;

export function number<Schema extends z.ZodNumber>(schema: Schema) {
  const read = (typed: unknown) =>
    typeof typed === "string" && plainNumber.test(typed) ? Number(typed) : typed;
  return z.preprocess(read, schema);
}

export function integer(description: string, least: number, most: number) {
  return number(z.int().min(least).max(most).describe(description));
}

export function flag(description: string) {
  const read = (typed: unknown) => (typed === "true" || typed === "false" ? typed === "true" : typed);
  return z.preprocess(read, z.boolean().describe(description)).optional();
}

export function text(description: string, most = 300) {
  return z.string().min(1).max(most).describe(description);
}

export function texts(description: string, most = 1000) {
  const read = (typed: unknown) => (typeof typed === "string" ? [typed] : typed);
  return z.preprocess(read, z.array(z.string().min(1).max(300)).min(1).max(most).describe(description));
}

const addressText = z.string().max(300).optional();
const addressNames = Object.keys(orderSchemas().deliveryAddress.shape);
export const address = inputOf(Object.fromEntries(addressNames.map((name) => [name, addressText])))
  .describe("delivery address")
  .optional();

export const writeStore = text("store alias; required if there are several stores").optional();

const filtersText = `Each filter is a field, an operator and a value, such as "status!=canceled", "order_type=delivery" or "created_at_time>=22:00" (time of day). Several values of one field are alternatives (separated by commas, or in several filters). Filters of different fields must all match. Fields: ${filterRows()
  .map(([field, text]) => `${field}: ${text}`)
  .join("\n")}`;

export const moment =
  "a day (2026-10-05), a period's name, or a date-time with offset (2026-10-05T18:00:00-03:00)";

export const periodFields = {
  period: text(
    `${periodNames.join(", ")}, last-<n>-days (without today), a weekday or month (the latest that has begun), 2026, 2026-10, 2026-W48 or 2026-10-05. Weeks begin on Monday. Default: yesterday`,
  ).optional(),
  from: text(`first day, instead of period: ${moment}`).optional(),
  to: text("last day, in the same form as from; default: now").optional(),
};

export const figuresFields = {
  ...periodFields,
  filters: texts(filtersText, 100).optional(),
  net: flag("exclude canceled orders, which are counted by default"),
  compare: z
    .enum(comparisons)
    .optional()
    .describe(
      "also return an earlier period: the previous one, or the same days a week, month or year earlier",
    ),
  date_field: z
    .enum(dateFields)
    .optional()
    .describe("count orders by creation time (default) or by the day for which they are scheduled"),
  fresh: flag("ignore answers cached in the last ten minutes"),
  offline: flag("send nothing: use only cached answers, however old"),
  time_zone: text("time zone of the days, such as America/Sao_Paulo; default: the store's").optional(),
  store: text("store alias; default: the default store").optional(),
  stores: texts("aliases of several stores, instead of store", 100).optional(),
  all_stores: flag("figures of all stores, with their total"),
};
