/** Reads and checks the query of the two summary endpoints as the service does it: sections 4.6 to 4.8. */
import type * as z from "zod/mini";

import { defaultDateField, hasDates, type Dimension, summaryHistoryYears } from "../../api/values.js";
import type { Filter } from "../../api/filters.js";
import { addMonths, checkWire, detailsOf, periodLengthRules, querySchemas } from "../../api/input.js";
import { usualReadings, type Readings } from "../readings.js";
import { invalid } from "./refused.js";
import { dayMs, type WallClock } from "./time.js";

export type SummaryPeriod =
  /** The instants are in milliseconds since the epoch, both included. */
  | { readonly dateField: "created_at"; readonly start: number; readonly end: number }
  /** The local days are counted from 1970-01-01, both included. */
  | { readonly dateField: "scheduled_date"; readonly firstDay: number; readonly lastDay: number };

export interface SummaryRequest {
  readonly period: SummaryPeriod;
  readonly filters: readonly Filter[];
}

export interface GroupedSummaryRequest extends SummaryRequest {
  readonly groupBy: Dimension;
}

/** A query is judged by the time, in milliseconds since the epoch, and by the clock on the store's wall. */
export interface QueryContext {
  readonly now: number;
  readonly clock: WallClock;
  readonly readings?: Readings;
}

/** @throws {Refused} with what is wrong in its details */
export function readSummaryQuery(search: URLSearchParams, context: QueryContext): SummaryRequest {
  const query = readFields(querySchemas().summaryQuery, search);
  return { period: readPeriod(query, context), filters: query.filters ?? [] };
}

/** @throws {Refused} with what is wrong in its details */
export function readGroupedQuery(search: URLSearchParams, context: QueryContext): GroupedSummaryRequest {
  const query = readFields(querySchemas().groupedQuery, search);
  return { period: readPeriod(query, context), filters: query.filters ?? [], groupBy: query.group_by };
}

/** An empty parameter counts as absent, but an empty value of a filter doesn't. */
function readFields<Schema extends z.ZodMiniType>(schema: Schema, search: URLSearchParams): z.output<Schema> {
  const fields: Record<string, unknown> = {};
  const filters: Record<string, unknown> = {};
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    const shown = name.slice(0, 80);
    const [, filter, nested] = /^filters\[([^\]]*)\](\[)?/.exec(name) ?? [];
    if (nested) throw invalid(`${shown}: filters are flat, filters[field_operator]=value`);
    if (filter !== undefined && name.endsWith("]")) filters[filter] = values.length > 1 ? values : values[0];
    else if (values.length > 1) throw invalid(`${shown} is given more than once`);
    else if (values[0] !== "") fields[name] = values[0];
  }
  if (Object.keys(filters).length > 0) fields["filters"] = filters;
  const result = checkWire(schema, fields, "The query");
  if (result.ok) return result.value;
  // The commonest slip is a plus sign, which stands for a space in a query.
  const isPlus = [...search.values()].some((value) => / \d{2}:\d{2}$/.test(value));
  throw invalid(detailsOf(result) + (isPlus ? "; a plus sign is written %2B in a query" : ""));
}

function readPeriod(
  {
    start_date,
    end_date,
    date_field = defaultDateField,
  }: z.output<ReturnType<typeof querySchemas>["summaryQuery"]>,
  { now, clock, readings = usualReadings }: QueryContext,
): SummaryPeriod {
  const [start, end] = [Date.parse(start_date), Date.parse(end_date)];
  if (end < start) throw invalid("end_date must not be before start_date");
  const isDated = hasDates(date_field);
  // A date is the same date everywhere.
  const timeOf = {
    written: asWritten,
    store: (text: string) => clock.at(Date.parse(text)),
    utc: (text: string) => Date.parse(text),
  }[isDated ? "utc" : readings.six_months_clock];
  const startDay = isDated ? start : clock.at(start);
  const span = { start: timeOf(start_date), end: timeOf(end_date), now: timeOf(start_date) };
  const age = { start: startDay, end: startDay, now: clock.at(now) };
  const broken =
    periodLengthRules.find(({ holds }) => !holds(span)) ?? periodLengthRules.find(({ holds }) => !holds(age));
  const earliest = addMonths(now, -12 * summaryHistoryYears);
  if (readings.three_years === "instant" && !isDated && start < earliest)
    throw invalid(`start_date must not go back more than ${summaryHistoryYears} years`);
  if (broken) throw invalid(`${broken.field} ${broken.message}`);
  if (isDated) return { dateField: "scheduled_date", firstDay: start / dayMs, lastDay: end / dayMs };
  return { dateField: "created_at", start, end: readings.period_end === "included" ? end : end - 1 };
}

/** Gives what a clock with the text's offset shows. */
function asWritten(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return Date.parse(text) + (sign === "-" ? -1 : 1) * offset * 60_000;
}
