/** The calls for one store's figures: each answer comes from what is kept on this machine, else from the service. */
import { isNullCheck, takesSeveral, type Filter, type Filters } from "../../contract/filters.js";
import {
  hasDates,
  type Dimension,
  type GroupedSummary,
  type GroupedSummaryQuery,
  type Summary,
  type SummaryQuery,
} from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Figured } from "../ledger/figures.js";
import { mayAsk, usable, type Freshness, type Known } from "../ledger/freshness.js";
import { restatements } from "../ledger/restatements.js";
import { businessGroups, dayParts, isByDays } from "../merge/business-groups.js";
import type { GroupList } from "../merge/groups.js";
import { addMetrics } from "../merge/sums.js";
import { splitWindow, type Window } from "../period/windows.js";
import { oldest, type Age } from "../results.js";
import { fetchGrouped, fetchSummary, type FetchOptions } from "./fetch.js";
import { withFilters } from "./filters.js";
import type { AskedPeriod, SalesRequest } from "./request.js";

/** One of the things that are asked: the summary of a period, or its groups. */
export interface Question {
  readonly asked: AskedPeriod;
  /** Absent: the summary. */
  readonly dimension?: Dimension;
  /** Beside those of the request; only groups are asked for by them. */
  readonly filters?: readonly Filter[] | undefined;
}

/** Figures, and how old they are. */
export interface Aged<Figures> {
  readonly figures: Figures;
  readonly age: Age;
}

export interface StoreCalls {
  /** May the service be asked at all? */
  readonly mayAsk: boolean;
  /** How many calls these questions would take. */
  count(questions: readonly Question[]): number;
  /** @throws {ComandaError} `not_found` where something isn't kept and nothing may be asked; it says what */
  assertAnswerable(questions: readonly Question[]): void;
  summary(asked: AskedPeriod, signal: AbortSignal): Promise<Aged<Summary>>;
  /** @param filters beside those of the request */
  grouped(
    asked: AskedPeriod,
    dimension: Dimension,
    signal: AbortSignal,
    filters?: readonly Filter[],
  ): Promise<Aged<GroupList>>;
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
  /** IANA name. */
  readonly zone: string;
}

export function createStoreCalls(options: StoreCallsOptions): StoreCalls {
  const { summary, grouped, request, freshness, doubtedAt, onWarning } = options;
  const startedAt = options.now();
  let refusesHalfYears = false;
  const summaryOf = (window: Window) => summaryQuery(window, request);
  /** A day that starts later than midnight is asked for in two parts. */
  const inParts = (question: Question): readonly Question[] => {
    const { asked, dimension, filters = [] } = question;
    const { dayStarts } = asked.period;
    if (dayStarts === undefined || !isByDays(dimension)) return [question];
    return dayParts(dayStarts).map((part) => ({
      asked,
      dimension: "day",
      filters: withFilters(filters, part),
    }));
  };
  const groupedOf = (window: Window, dimension: Dimension, filters: readonly Filter[] = []) =>
    groupedQuery(window, dimension, { ...request, filters: withFilters(request.filters, filters) });

  const kept = <Query, Answer extends Figured>(
    endpoint: Endpoint<Query, Answer>,
    query: Query,
    window: Window,
  ): Known<Answer> | undefined => {
    const endsAt = endOf(window, request);
    return usable(endpoint.history(query), freshness, { now: options.now(), startedAt, endsAt, doubtedAt });
  };

  /** With what has changed since the answer before it. */
  const ageOf = (
    history: readonly Known<Figured>[],
    answer: Known<Figured>,
    asked: AskedWindow & { readonly dimension?: Dimension; readonly wasKept: boolean },
  ): Age => {
    const before = history.findLast((one) => one.askedAt < answer.askedAt);
    const { window, zone, dimension = null, wasKept } = asked;
    const { firstDay, lastDay } = window;
    const over = { dimension, firstDay, lastDay, endsAt: endOf(window, request), zone };
    const restated = before ? restatements(before, answer, over) : [];
    return { askedAt: answer.askedAt, kept: wasKept, ...(restated.length > 0 && { restated }) };
  };

  /** All days of a window are the window: where it is kept by day, that is its summary. */
  const keptByDay = (asked: AskedWindow): Aged<Summary> | undefined => {
    const query = groupedOf(asked.window, "day");
    if (kept(summary, summaryOf(asked.window), asked.window)) return undefined;
    const days = kept(grouped, query, asked.window);
    if (days === undefined) return undefined;
    const age = ageOf(grouped.history(query), days, { ...asked, dimension: "day", wasKept: true });
    return { figures: addMetrics(days.answer.groups), age };
  };

  const ask = async <Query, Answer extends Figured>(
    endpoint: Endpoint<Query, Answer>,
    query: Query,
    asked: AskedWindow & { readonly dimension?: Dimension },
    signal: AbortSignal,
  ): Promise<Aged<Answer>> => {
    const { window, endsNow, dimension } = asked;
    const aged = (answer: Known<Answer>, wasKept: boolean): Aged<Answer> => ({
      figures: answer.answer,
      age: ageOf(endpoint.history(query), answer, { ...asked, wasKept }),
    });
    const known = kept(endpoint, query, window);
    if (known) return aged(known, true);
    if (!mayAsk(freshness)) throw notKept([lacking(window, dimension)], freshness);
    return endpoint.share(
      query,
      async () => {
        const shared = kept(endpoint, query, window);
        if (shared) return aged(shared, true);
        const askedAt = options.now();
        const answer = { askedAt, answer: await endpoint.call(query, signal) };
        options.onCalled();
        if (!endsNow) await endpoint.keep(query, answer);
        return aged(answer, false);
      },
      signal,
    );
  };

  /** The windows without an answer that may be used, in words. */
  const missing = (questions: readonly Question[]): readonly string[] =>
    questions
      .flatMap(inParts)
      .flatMap(({ asked: { windows }, dimension, filters }) =>
        windows
          .filter((window) =>
            dimension === undefined
              ? (kept(summary, summaryOf(window), window) ??
                  kept(grouped, groupedOf(window, "day"), window)) === undefined
              : kept(grouped, groupedOf(window, dimension, filters), window) === undefined,
          )
          .map((window) => lacking(window, dimension)),
      );

  /** As one answer for each window. */
  const askAll = async <Answer, Figures>(
    asked: AskedPeriod,
    askOne: (window: AskedWindow) => Promise<Aged<Answer>>,
    merge: (options: FetchOptions<Answer>) => Promise<Figures>,
  ): Promise<Aged<Figures>> => {
    const ages: Age[] = [];
    const { period } = asked;
    const inParts = (window: Window) => splitWindow(window, period.zone, request.dateField);
    const fetch = async (window: Window) => {
      const endsNow = period.kind === "running" && window.end === asked.windows.at(-1)?.end;
      const answer = await askOne({ window, endsNow, zone: period.zone });
      ages.push(answer.age);
      return answer.figures;
    };
    const split = (window: Window) => {
      const parts = inParts(window);
      // The other windows would be refused as well.
      if (parts.length > 1) refusesHalfYears = true;
      return parts;
    };
    const windows = refusesHalfYears ? asked.windows.flatMap(inParts) : asked.windows;
    const figures = await merge({ windows, fetch, split, onWarning });
    return { figures, age: oldest(ages) };
  };

  const groups: StoreCalls["grouped"] = (asked, dimension, signal, filters) =>
    askAll(
      asked,
      (one) => ask(grouped, groupedOf(one.window, dimension, filters), { ...one, dimension }, signal),
      (fetching) => fetchGrouped({ ...fetching, dimension }),
    );

  return {
    mayAsk: mayAsk(freshness),
    count: (questions) => missing(questions).length,
    assertAnswerable(questions) {
      if (mayAsk(freshness)) return;
      const lacks = missing(questions);
      if (lacks.length > 0) throw notKept(lacks, freshness);
    },
    summary: (asked, signal) =>
      askAll(
        asked,
        async (one) => keptByDay(one) ?? ask(summary, summaryOf(one.window), one, signal),
        fetchSummary,
      ),
    async grouped(asked, dimension, signal, filters = []) {
      const { dayStarts } = asked.period;
      if (dayStarts === undefined || !isByDays(dimension)) return groups(asked, dimension, signal, filters);
      const [fromStart, beforeStart] = dayParts(dayStarts);
      const own = await groups(asked, "day", signal, withFilters(filters, fromStart));
      const morning = await groups(asked, "day", signal, withFilters(filters, beforeStart));
      return {
        figures: businessGroups(own.figures, morning.figures, { dimension, zone: asked.period.zone }),
        age: oldest([own.age, morning.age]),
      };
    },
  };
}

/** In words: `2026-10-01 to 2026-10-31 by day`. */
function lacking({ firstDay, lastDay }: Window, dimension: Dimension | undefined): string {
  const days = firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`;
  return dimension === undefined ? days : `${days} by ${dimension}`;
}

function notKept(missing: readonly string[], freshness: Freshness): ComandaError {
  const then = freshness.kind === "as of" ? t` was known by then` : t` is kept on this machine`;
  return new ComandaError("not_found", t`Not all of it${then}. What is lacking: ${missing.join(", ")}.`, {
    hint:
      freshness.kind === "as of"
        ? t`Figures are known from when they were first asked for.`
        : t`Leave out --offline to ask the service.`,
  });
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
  if (isNullCheck(operator)) return true;
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
  return hasDates(dateField) ? Date.parse(`${lastDay}T23:59:59-12:00`) : Date.parse(end);
}
