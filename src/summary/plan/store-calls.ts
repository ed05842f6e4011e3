/** The calls for one store's figures: each answer comes from what is kept on this machine, else from the service. */
import type { GroupedSummaryQuery, SummaryQuery } from "../../client/index.js";
import { takesSeveral, type Filter, type Filters } from "../../contract/filters.js";
import type { Dimension, GroupedSummary, Summary } from "../../contract/summary.js";
import type { GroupList } from "../merge/groups.js";
import type { Window } from "../period/windows.js";
import { fetchGrouped, fetchSummary } from "./fetch.js";
import type { AskedPeriod, SalesRequest } from "./request.js";

/** One of the things that are asked: the summary of a period, or its groups. */
export interface Question {
  readonly asked: AskedPeriod;
  /** Absent: the summary. */
  readonly dimension?: Dimension;
}

export interface StoreCalls {
  /** How many calls these questions will take. */
  count(questions: readonly Question[]): number;
  summary(asked: AskedPeriod, signal: AbortSignal): Promise<Summary>;
  grouped(asked: AskedPeriod, dimension: Dimension, signal: AbortSignal): Promise<GroupList>;
}

/** One of the two endpoints as one store's figures are asked from it. */
export interface Endpoint<Query, Answer> {
  call(query: Query, signal: AbortSignal): Promise<Answer>;
  /** The answer that is kept on this machine, if there is one that may be used. */
  kept(query: Query): Answer | undefined;
  keep(query: Query, answer: Answer): void;
}

export interface StoreCallsOptions {
  readonly summary: Endpoint<SummaryQuery, Summary>;
  readonly grouped: Endpoint<GroupedSummaryQuery, GroupedSummary>;
  readonly request: Pick<SalesRequest, "dateField" | "filters">;
  /** Milliseconds after which the answer for a window that is over won't change any more. */
  readonly settledAfterMs: number;
  readonly now: () => number;
  /** One call has been answered. */
  readonly onCalled: () => void;
  readonly onWarning: (message: string) => void;
}

export function createStoreCalls(options: StoreCallsOptions): StoreCalls {
  const { summary, grouped, request, onWarning } = options;
  const summaryOf = (window: Window) => summaryQuery(window, request);
  const groupedOf = (window: Window, dimension: Dimension) => groupedQuery(window, dimension, request);

  const ask = async <Query, Answer>(
    endpoint: Endpoint<Query, Answer>,
    query: Query,
    { window, signal }: { readonly window: Window; readonly signal: AbortSignal },
  ): Promise<Answer> => {
    const known = endpoint.kept(query);
    if (known !== undefined) return known;
    const askedAt = options.now();
    const answer = await endpoint.call(query, signal);
    options.onCalled();
    if (askedAt - endOf(window, request) >= options.settledAfterMs) endpoint.keep(query, answer);
    return answer;
  };

  return {
    count: (questions) =>
      questions
        .flatMap(({ asked: { windows }, dimension }) =>
          windows.map((window) =>
            dimension === undefined
              ? summary.kept(summaryOf(window))
              : grouped.kept(groupedOf(window, dimension)),
          ),
        )
        .filter((known) => known === undefined).length,
    summary: ({ windows }, signal) =>
      fetchSummary({
        windows,
        onWarning,
        fetch: (window) => ask(summary, summaryOf(window), { window, signal }),
      }),
    grouped: ({ windows }, dimension, signal) =>
      fetchGrouped({
        windows,
        dimension,
        onWarning,
        fetch: (window) => ask(grouped, groupedOf(window, dimension), { window, signal }),
      }),
  };
}

export function summaryQuery(
  { start, end }: Window,
  { dateField, filters }: Pick<SalesRequest, "dateField" | "filters">,
): SummaryQuery {
  return {
    start_date: start,
    end_date: end,
    ...(dateField === undefined ? {} : { date_field: dateField }),
    ...(filters.length === 0 ? {} : { filters: named(filters) }),
  };
}

function named(filters: readonly Filter[]): Filters {
  return filters.reduce<Filters>(
    (all, filter) => ({ ...all, [`${filter.field}_${filter.operator}`]: valueOf(filter) }),
    {},
  );
}

function valueOf({ operator, values }: Filter): readonly string[] | string | true | undefined {
  if (operator === "null" || operator === "not_null") return true;
  return takesSeveral(operator) ? values : values[0];
}

export function groupedQuery(
  window: Window,
  dimension: Dimension,
  request: Pick<SalesRequest, "dateField" | "filters">,
): GroupedSummaryQuery {
  return { ...summaryQuery(window, request), group_by: dimension };
}

function endOf({ end, lastDay }: Window, { dateField }: Pick<SalesRequest, "dateField">): number {
  // A day of unknown zone ends at the latest where the date line is.
  return dateField === "scheduled_date" ? Date.parse(`${lastDay}T23:59:59-12:00`) : Date.parse(end);
}
