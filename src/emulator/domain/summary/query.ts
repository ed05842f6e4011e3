/** The query of the two summary endpoints, checked as the service checks it: sections 4.6 to 4.8. */
import type { Filter } from "../../../contract/filters.js";
import { dateFields, type Dimension, dimensions } from "../../../contract/summary.js";
import { parseFilter } from "./filters.js";
import { InvalidQuery } from "./invalid-query.js";
import { type FiguresPeriod, parsePeriod } from "./period.js";
import type { WallClock } from "./wall-clock.js";

export interface FiguresQuery {
  readonly period: FiguresPeriod;
  readonly filters: readonly Filter[];
}

export interface GroupedFiguresQuery extends FiguresQuery {
  readonly groupBy: Dimension;
}

/** What a query is judged by. */
export interface QueryContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The store's. */
  readonly clock: WallClock;
}

const parameters = ["start_date", "end_date", "date_field", "group_by"];

/** `GET …/summary`. @throws {InvalidQuery} */
export function parseSummaryQuery(search: URLSearchParams, context: QueryContext): FiguresQuery {
  if (search.has("group_by")) throw new InvalidQuery("group_by is not accepted here");
  return parseQuery(search, context);
}

/** `GET …/summary/grouped`. @throws {InvalidQuery} */
export function parseGroupedQuery(search: URLSearchParams, context: QueryContext): GroupedFiguresQuery {
  const given = single(search, "group_by");
  if (given === undefined) throw new InvalidQuery("group_by is required");
  const groupBy = oneOf("group_by", given, dimensions);
  const query = parseQuery(search, context);
  if (groupBy === "hour" && query.period.dateField === "scheduled_date") {
    throw new InvalidQuery("group_by=hour is not accepted with date_field=scheduled_date");
  }
  return { ...query, groupBy };
}

function parseQuery(search: URLSearchParams, { now, clock }: QueryContext): FiguresQuery {
  const filters = [...new Set(search.keys())].flatMap((name) => {
    if (parameters.includes(name)) return [];
    return [parseFilter(name, search.getAll(name)) ?? unknownParameter(name)];
  });
  const dateField = oneOf("date_field", single(search, "date_field") ?? "created_at", dateFields);
  const start = required(search, "start_date");
  const end = required(search, "end_date");
  return { period: parsePeriod({ start, end, dateField }, now, clock), filters };
}

function unknownParameter(name: string): never {
  const shown = name.slice(0, 80);
  if (/^filters\[[^\]]*\]\[/.test(name)) {
    throw new InvalidQuery(`${shown}: filters are flat, filters[field_operator]=value`);
  }
  throw new InvalidQuery(
    name.startsWith("filters") ? `${shown} is no filter of this service` : `${shown} is no known parameter`,
  );
}

/** A value that may be given once. An empty one counts as absent. */
function single(search: URLSearchParams, name: string): string | undefined {
  const values = search.getAll(name);
  if (values.length > 1) throw new InvalidQuery(`${name} is given more than once`);
  return values[0] === "" ? undefined : values[0];
}

function required(search: URLSearchParams, name: string): string {
  const value = single(search, name);
  if (value === undefined) throw new InvalidQuery(`${name} is required`);
  return value;
}

function oneOf<const Value extends string>(name: string, text: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new InvalidQuery(`${name} must be one of ${values.join(", ")}`);
  return found;
}
