/** The query of the two summary endpoints: sections 4.6 to 4.8. */
import * as z from "zod/mini";

import {
  filterFields,
  filterParameter,
  filterParameters,
  isFilterValue,
  type Filter,
  type FilterValues,
} from "../contract/filters.js";
import { customerOriginLength } from "../contract/limits.js";
import {
  groupedSummaryQuerySchema,
  summaryQuerySchema,
  type DateField,
  type Dimension,
} from "../contract/summary.js";
import { checkInput, invalidInput } from "./check-input.js";

/** The fields have the names of the API's parameters (sections 4.6 to 4.8). */
export interface SummaryQuery {
  /** ISO 8601 date-time with offset; with `date_field` `scheduled_date` a date, YYYY-MM-DD. */
  readonly start_date: string;
  /** As `start_date`, at most 6 months later. */
  readonly end_date: string;
  /** Which date counts: when the order was made, or when it is scheduled for. Default `created_at`. */
  readonly date_field?: DateField;
  /** All of them must hold. Values that section 4.8 closes are checked here, others are left to the service. */
  readonly filters?: readonly Filter[];
}

export interface GroupedSummaryQuery extends SummaryQuery {
  /** Section 4.7; temporal ones go by the store's time zone. */
  readonly group_by: Dimension;
}

/** Names and values in the order in which they go out; several values of a filter repeat its name. */
export type QueryParameters = readonly (readonly [name: string, value: string])[];

/** @throws {ComandaError} `invalid_input` */
export function summaryParameters(query: SummaryQuery): QueryParameters {
  checkInput(summaryQuerySchema, query);
  return [...period(query), ...filters(query.filters)];
}

/** @throws {ComandaError} `invalid_input` */
export function groupedSummaryParameters(query: GroupedSummaryQuery): QueryParameters {
  checkInput(groupedSummaryQuerySchema, query);
  if (query.group_by === "hour" && query.date_field === "scheduled_date")
    throw invalidInput("group_by hour can't be used with date_field scheduled_date.");
  return [...period(query), ["group_by", query.group_by], ...filters(query.filters)];
}

const dateTime = z.iso.datetime({ offset: true });
const date = z.iso.date();

function period({ start_date, end_date, date_field }: SummaryQuery): QueryParameters {
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

const filtersSchema = z.array(
  z.looseObject({ field: z.string(), operator: z.string(), values: z.array(z.string()) }),
);

function filters(list: readonly Filter[] | undefined): QueryParameters {
  if (list === undefined) return [];
  checkInput(filtersSchema, list);
  return list.flatMap(({ field, operator, values }) => {
    const name = filterParameter(field, operator);
    if (!filterParameters.has(name)) throw invalidInput(`There is no filter ${name}.`);
    if (values.length === 0) throw invalidInput(`${name} needs a value.`);
    const expected: FilterValues =
      operator === "null" || operator === "not_null"
        ? { kind: "closed", values: ["true"] }
        : filterFields[field].values;
    for (const value of values)
      if (!isFilterValue(expected, value)) throw invalidInput(`${name} must be ${describe(expected)}.`);
    return values.map((value) => [name, value] as const);
  });
}

function describe(expected: FilterValues): string {
  switch (expected.kind) {
    case "closed":
      return expected.values.length === 1 ? expected.values.join() : `one of ${expected.values.join(", ")}`;
    case "open":
      return "a name";
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
