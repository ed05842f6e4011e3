/** The calls for one store's figures: each answer comes from what is kept on this machine, else from the service. */
import { takesSeveral, type Filter, type Filters } from "../../contract/filters.js";
import type {
  Dimension,
  GroupedSummary,
  GroupedSummaryQuery,
  Summary,
  SummaryQuery,
} from "../../contract/summary.js";
import type { Figured } from "../ledger/figures.js";
import { usable, type Freshness, type Known } from "../ledger/freshness.js";
import type { GroupList } from "../merge/groups.js";
import type { Window } from "../period/windows.js";
import { oldest, type Age } from "../results.js";
import { fetchGrouped, fetchSummary } from "./fetch.js";
import type { AskedPeriod, SalesRequest } from "./request.js";

/** One of the things that are asked: the summary of a period, or its groups. */
export interface Question {
  readonly asked: AskedPeriod;
  /** Absent: the summary. */
  readonly dimension?: Dimension;
}

/** Figures, and how old they are. */
export interface Aged<Figures> {
  readonly figures: Figures;
  readonly age: Age;
}

export interface StoreCalls {
  /** How many calls these questions will take. */
  count(questions: readonly Question[]): number;
  summary(asked: AskedPeriod, signal: AbortSignal): Promise<Aged<Summary>>;
  grouped(asked: AskedPeriod, dimension: Dimension, signal: AbortSignal): Promise<Aged<GroupList>>;
}

/** One of the two endpoints as one store's figures are asked from it, with the answers that this machine has kept. */
export interface Endpoint<Query, Answer> {
  call(query: Query, signal: AbortSignal): Promise<Answer>;
  /** Every answer to this question, in the order in which they were kept. */
  history(query: Query): readonly Known<Answer>[];
  /** Resolves when the answer is on the disk. */
  keep(query: Query, known: Known<Answer>): Promise<void>;
  /** Of all that ask this question at the same time, in whatever process, one does its work at a time. */
  share<Result>(query: Query, work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

export interface StoreCallsOptions {
  readonly summary: Endpoint<SummaryQuery, Summary>;
  readonly grouped: Endpoint<GroupedSummaryQuery, GroupedSummary>;
  readonly request: Pick<SalesRequest, "dateField" | "filters">;
  readonly freshness: Freshness;
  /** When this machine last changed an order of the store (milliseconds since the epoch). */
  readonly doubtedAt: number | undefined;
  readonly now: () => number;
  /** One call has been answered. */
  readonly onCalled: () => void;
  readonly onWarning: (message: string) => void;
}

/** A window of a period; the last one of a period that is running ends now, so it is never asked for again. */
interface AskedWindow {
  readonly window: Window;
  readonly endsNow: boolean;
}

export function createStoreCalls(options: StoreCallsOptions): StoreCalls {
  const { summary, grouped, request, freshness, doubtedAt, onWarning } = options;
  const startedAt = options.now();
  const summaryOf = (window: Window) => summaryQuery(window, request);
  const groupedOf = (window: Window, dimension: Dimension) => groupedQuery(window, dimension, request);

  const kept = <Query, Answer extends Figured>(
    endpoint: Endpoint<Query, Answer>,
    query: Query,
    window: Window,
  ): Known<Answer> | undefined => {
    const endsAt = endOf(window, request);
    return usable(endpoint.history(query), freshness, { now: options.now(), startedAt, endsAt, doubtedAt });
  };

  const ask = async <Query, Answer extends Figured>(
    endpoint: Endpoint<Query, Answer>,
    query: Query,
    { window, endsNow }: AskedWindow,
    signal: AbortSignal,
  ): Promise<Aged<Answer>> => {
    const known = kept(endpoint, query, window);
    if (known) return agedAnswer(known, true);
    return endpoint.share(
      query,
      async () => {
        const shared = kept(endpoint, query, window);
        if (shared) return agedAnswer(shared, true);
        const askedAt = options.now();
        const answer = { askedAt, answer: await endpoint.call(query, signal) };
        options.onCalled();
        if (!endsNow) await endpoint.keep(query, answer);
        return agedAnswer(answer, false);
      },
      signal,
    );
  };

  /** As one answer for each window. */
  const askAll = async <Answer, Figures>(
    asked: AskedPeriod,
    askOne: (window: AskedWindow) => Promise<Aged<Answer>>,
    merge: (windows: readonly Window[], fetch: (window: Window) => Promise<Answer>) => Promise<Figures>,
  ): Promise<Aged<Figures>> => {
    const ages: Age[] = [];
    const figures = await merge(asked.windows, async (window) => {
      const endsNow = asked.period.kind === "running" && window === asked.windows.at(-1);
      const answer = await askOne({ window, endsNow });
      ages.push(answer.age);
      return answer.figures;
    });
    return { figures, age: oldest(ages) };
  };

  return {
    count: (questions) =>
      questions
        .flatMap(({ asked: { windows }, dimension }) =>
          windows.map((window) =>
            dimension === undefined
              ? kept(summary, summaryOf(window), window)
              : kept(grouped, groupedOf(window, dimension), window),
          ),
        )
        .filter((known) => known === undefined).length,
    summary: (asked, signal) =>
      askAll(
        asked,
        (one) => ask(summary, summaryOf(one.window), one, signal),
        (windows, fetch) => fetchSummary({ windows, onWarning, fetch }),
      ),
    grouped: (asked, dimension, signal) =>
      askAll(
        asked,
        (one) => ask(grouped, groupedOf(one.window, dimension), one, signal),
        (windows, fetch) => fetchGrouped({ windows, dimension, onWarning, fetch }),
      ),
  };
}

function agedAnswer<Answer>({ askedAt, answer }: Known<Answer>, kept: boolean): Aged<Answer> {
  return { figures: answer, age: { askedAt, kept } };
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
