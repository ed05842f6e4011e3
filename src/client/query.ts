/** The query of the two summary endpoints: sections 4.6 to 4.8. */
import * as z from "zod/mini";

import { suggestion } from "../shared/nearest.js";
import {
  filterFields,
  filterParameter,
  filtersByName,
  isFilterValue,
  takesSeveral,
  type Filters,
  type FilterValues,
  type NamedFilter,
} from "../contract/filters.js";
import { customerOriginLength } from "../contract/limits.js";
import {
  groupedSummaryQuerySchema,
  summaryQuerySchema,
  type DateField,
  type Dimension,
} from "../contract/summary.js";
import { checkFields, checkNames, invalidInput } from "./check-input.js";
import { isObject } from "../shared/json.js";

/** The fields have the names of the API's parameters (sections 4.6 to 4.8). */
export interface SummaryQuery {
  /** ISO 8601 date-time with offset; with `date_field` `scheduled_date` a date, YYYY-MM-DD. */
  readonly start_date: string;
  /** As `start_date`, at most 6 months later. */
  readonly end_date: string;
  /** Which date counts: when the order was made, or when it is scheduled for. Default `created_at`. */
  readonly date_field?: DateField;
  /** All of them must hold. Values that section 4.8 closes are checked here, others are left to the service. */
  readonly filters?: Filters;
}

export interface GroupedSummaryQuery extends SummaryQuery {
  /** Section 4.7; temporal ones go by the store's time zone. */
  readonly group_by: Dimension;
}

/** Names and values in the order in which they go out; several values of a filter repeat its name. */
export type QueryParameters = readonly (readonly [name: string, value: string])[];

const withFilters = {
  filters: z.optional(
    z.custom<Filters>(isObject, 'must be an object, for example { status_in: ["closed"] }'),
  ),
};
const summaryInputSchema = z.extend(summaryQuerySchema, withFilters);
const groupedSummaryInputSchema = z.extend(groupedSummaryQuerySchema, withFilters);

/** @throws {ComandaError} `invalid_input` */
export function summaryParameters(given: SummaryQuery): QueryParameters {
  const query = checkFields(summaryInputSchema, given);
  return [...period(query), ...filters(query.filters)];
}

/** @throws {ComandaError} `invalid_input` */
export function groupedSummaryParameters(given: GroupedSummaryQuery): QueryParameters {
  const query = checkFields(groupedSummaryInputSchema, given);
  if (query.group_by === "hour" && query.date_field === "scheduled_date")
    throw invalidInput("group_by hour can't be used with date_field scheduled_date.");
  return [...period(query), ["group_by", query.group_by], ...filters(query.filters)];
}

const dateTime = z.iso.datetime({ offset: true });
const date = z.iso.date();

function period({ start_date, end_date, date_field }: z.output<typeof summaryQuerySchema>): QueryParameters {
  const [format, described] =
    date_field === "scheduled_date"
      ? [date, "a date, YYYY-MM-DD"]
      : [dateTime, "an ISO 8601 date-time with an offset"];
  const bounds = [
    ["start_date", start_date],
    ["end_date", end_date],
  ] as const;
  for (const [name, value] of bounds)
    if (!z.safeParse(format, value).success) throw invalidInput(`${name} must be ${described}.`);
  return date_field === undefined ? bounds : [...bounds, ["date_field", date_field]];
}

function filters(given: Filters | undefined): QueryParameters {
  if (given === undefined) return [];
  checkNames("filters", given, filtersByName.keys());
  return Object.entries(given).flatMap(([name, value]) => filter(name, value));
}

function filter(name: string, given: unknown): QueryParameters {
  const known = filtersByName.get(name);
  if (known === undefined || given === undefined) return [];
  const parameter = filterParameter(name);
  const values: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (values.length === 0) throw invalidInput(`${parameter} needs a value.`);
  if (Array.isArray(given) && !takesSeveral(known.operator))
    throw invalidInput(`${parameter} takes one value, not a list.`);
  const expected = expectedOf(known);
  return values.map((value) => {
    const text = textOf(value, expected);
    if (text !== undefined && isFilterValue(expected, text)) return [parameter, text] as const;
    const meant =
      expected.kind === "closed" && typeof value === "string" ? suggestion(value, expected.values) : "";
    throw invalidInput(`${parameter} must be ${describe(expected)}.${meant}`);
  });
}

function expectedOf({ field, operator }: NamedFilter): FilterValues {
  const isNullCheck = operator === "null" || operator === "not_null";
  return isNullCheck ? { kind: "closed", values: ["true"] } : filterFields[field].values;
}

/** A value as it goes out. */
function textOf(value: unknown, expected: FilterValues): string | undefined {
  if (typeof value === "string") return value;
  const takesNumbers = expected.kind === "id" || expected.kind === "amount";
  return value === true || (typeof value === "number" && takesNumbers) ? String(value) : undefined;
}

function describe(expected: FilterValues): string {
  switch (expected.kind) {
    case "closed":
      return expected.values.length === 1 ? expected.values.join() : `one of ${expected.values.join(", ")}`;
    case "open":
      return "a name";
    case "opaque":
      return "an id";
    case "id":
      return "an integer of at least 1";
    case "text":
      return `at most ${customerOriginLength} characters`;
    case "time":
      return "a time of day, HH:MM";
    case "amount":
      return "an amount with at most two decimals";
  }
}
