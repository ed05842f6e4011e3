/** Reads and checks the query of the two summary endpoints as the service does it: sections 4.6 to 4.8. */
import type * as z from "zod/mini";

import type { Filter } from "../../../contract/filters.js";
import { brokenRule, check, detailsOf } from "../../../contract/input.js";
import { summaryHistoryYears } from "../../../contract/limits.js";
import {
  addMonths,
  groupedSummaryQuerySchema,
  periodLengthRules,
  summaryQuerySchema,
} from "../../../contract/summary.js";
import { hasDates, defaultDateField, type Dimension } from "../../../contract/enums.js";
import { usualReadings, type Readings } from "../../readings.js";
import { dayMs, type WallClock } from "../zone.js";

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

/** A query is judged by these. */
export interface QueryContext {
  /** The time is in milliseconds since the epoch. */
  readonly now: number;
  /** The clock is on the store's wall. */
  readonly clock: WallClock;
  readonly readings?: Readings;
}

/** The service takes the query, or refuses it with this text in the error body's `details`. */
export type Read<Request> =
  { readonly ok: true; readonly value: Request } | { readonly ok: false; readonly details: string };

/** Reads the query of `GET …/summary`. */
export function readSummaryQuery(search: URLSearchParams, context: QueryContext): Read<SummaryRequest> {
  const query = readFields(summaryQuerySchema(), search);
  if (!query.ok) return query;
  const period = readPeriod(query.value, context);
  return period.ok
    ? { ok: true, value: { period: period.value, filters: query.value.filters ?? [] } }
    : period;
}

/** Reads the query of `GET …/summary/grouped`. */
export function readGroupedQuery(
  search: URLSearchParams,
  context: QueryContext,
): Read<GroupedSummaryRequest> {
  const query = readFields(groupedSummaryQuerySchema(), search);
  if (!query.ok) return query;
  const period = readPeriod(query.value, context);
  if (!period.ok) return period;
  const { group_by: groupBy, filters = [] } = query.value;
  return { ok: true, value: { period: period.value, filters, groupBy } };
}

/** Messages call the query as a whole so. */
const words = { owner: "The query", kind: "field" } as const;

function readFields<Schema extends z.ZodMiniType>(
  schema: Schema,
  search: URLSearchParams,
): Read<z.output<Schema>> {
  const nested = [...search.keys()].find((name) => /^filters\[[^\]]*\]\[/.test(name));
  if (nested !== undefined)
    return refusal(`${nested.slice(0, 80)}: filters are flat, filters[field_operator]=value`);
  const repeated = parameterNames(search).find((name) => search.getAll(name).length > 1);
  if (repeated !== undefined) return refusal(`${repeated.slice(0, 80)} is given more than once`);
  const result = check(schema, fieldsOf(search), words);
  if (result.ok) return result;
  // The commonest slip is a plus sign, which stands for a space in a query.
  const isPlus = [...search.values()].some((value) => / \d{2}:\d{2}$/.test(value));
  return refusal(detailsOf(result) + (isPlus ? "; a plus sign is written %2B in a query" : ""));
}

function refusal(details: string): { ok: false; details: string } {
  return { ok: false, details };
}

const filterName = /^filters\[([^\]]*)\]$/;

/** Lists the names that stand for one value: an empty one counts as absent. */
function parameterNames(search: URLSearchParams): string[] {
  return [...new Set(search.keys())].filter((name) => !filterName.test(name));
}

function fieldsOf(search: URLSearchParams): Record<string, unknown> {
  const parameters = parameterNames(search).map((name) => [name, search.get(name)] as const);
  const filters = [...new Set(search.keys())].flatMap((parameter) => {
    const name = filterName.exec(parameter)?.[1];
    const values = search.getAll(parameter);
    return name === undefined ? [] : [[name, values.length > 1 ? values : values[0]] as const];
  });
  return {
    ...Object.fromEntries(parameters.filter(([, value]) => value !== "")),
    ...(filters.length > 0 && { filters: Object.fromEntries(filters) }),
  };
}

function readPeriod(
  { start_date, end_date, date_field = defaultDateField }: z.output<ReturnType<typeof summaryQuerySchema>>,
  { now, clock, readings = usualReadings }: QueryContext,
): Read<SummaryPeriod> {
  const [start, end] = [Date.parse(start_date), Date.parse(end_date)];
  if (end < start) return refusal("end_date must not be before start_date");
  // A date is the same date everywhere.
  const timeOf = {
    written: asWritten,
    store: (text: string) => clock.at(Date.parse(text)),
    utc: (text: string) => Date.parse(text),
  }[hasDates(date_field) ? "utc" : readings.six_months_clock];
  const span = { start: timeOf(start_date), end: timeOf(end_date), now: timeOf(start_date) };
  const startDay = hasDates(date_field) ? start : clock.at(start);
  const brokenLengthRule =
    brokenRule(periodLengthRules, span) ??
    brokenRule(periodLengthRules, { start: startDay, end: startDay, now: clock.at(now) });
  if (
    readings.three_years === "instant" &&
    !hasDates(date_field) &&
    start < addMonths(now, -12 * summaryHistoryYears)
  )
    return refusal(`start_date must not go back more than ${summaryHistoryYears} years`);
  if (brokenLengthRule) return refusal(`${brokenLengthRule.field} ${brokenLengthRule.message}`);
  return {
    ok: true,
    value:
      date_field === "scheduled_date"
        ? { dateField: date_field, firstDay: start / dayMs, lastDay: end / dayMs }
        : { dateField: date_field, start, end: readings.period_end === "included" ? end : end - 1 },
  };
}

/** Gives what a clock with the text's offset shows. */
function asWritten(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return Date.parse(text) + (sign === "-" ? -1 : 1) * offset * 60_000;
}
