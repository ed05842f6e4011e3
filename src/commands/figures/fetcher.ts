/** The figures of one store: from what is kept on this machine, else from the service. */
import type { Dimension, Summary } from "../../contract/summary.js";
import { fetchGrouped, fetchSummary, type FetchedGroups } from "../../summary/plan/fetch.js";
import { groupedQuery, summaryQuery } from "../../summary/plan/query.js";
import type { Window } from "../../summary/period/windows.js";
import { closedAfterMs, type AnswerCache, type FiguresCache } from "../../state/figures-cache.js";
import type { Invocation } from "../leaf.js";

import type { FiguresProgress } from "./progress.js";
import type { AskedPeriod, FiguresRequest } from "./request.js";
import type { Source } from "./sources.js";

/** One of the things that are asked: the summary of a period, or its groups. */
export interface Question {
  readonly asked: AskedPeriod;
  /** Absent: the summary. */
  readonly dimension?: Dimension;
}

export interface StoreFetcher {
  /** How many calls these questions will take. */
  callsFor(questions: readonly Question[]): number;
  summary(asked: AskedPeriod, signal: AbortSignal): Promise<Summary>;
  grouped(asked: AskedPeriod, dimension: Dimension, signal: AbortSignal): Promise<FetchedGroups>;
}

interface FetcherParts {
  readonly source: Source;
  readonly cache: FiguresCache;
  readonly request: FiguresRequest;
  readonly progress: FiguresProgress;
}

export function createFetcher(
  { context, output }: Invocation,
  { source, cache, request, progress }: FetcherParts,
): StoreFetcher {
  const { baseUrl, client, identity } = source;
  const { dateField, filters, fresh } = request;
  const keyOf = (query: object) =>
    identity === undefined ? undefined : { baseUrl, identity, query: { ...query } };
  const kept = <Answer>(answers: AnswerCache<Answer>, query: object): Answer | undefined => {
    const key = fresh ? undefined : keyOf(query);
    return key && answers.read(key);
  };
  const ask = async <Answer>(
    answers: AnswerCache<Answer>,
    { window, query, call }: { window: Window; query: object; call: () => Promise<Answer> },
  ): Promise<Answer> => {
    const known = kept(answers, query);
    if (known !== undefined) return known;
    const askedAt = context.clock.now();
    const answer = await call();
    progress.called();
    const key = keyOf(query);
    if (key && askedAt - endOf(window) >= closedAfterMs) answers.write(key, answer);
    return answer;
  };
  const endOf = ({ end, lastDay }: Window): number =>
    // A day of unknown zone ends at the latest where the date line is.
    dateField === "scheduled_date" ? Date.parse(`${lastDay}T23:59:59-12:00`) : Date.parse(end);
  const queries = {
    summary: (window: Window) => summaryQuery(window, { dateField, filters }),
    grouped: (window: Window, dimension: Dimension) =>
      groupedQuery(window, dimension, { dateField, filters }),
  };
  const onWarning = (message: string) => {
    output.warn(message);
  };

  return {
    callsFor: (questions) =>
      questions.reduce(
        (sum, { asked, dimension }) =>
          sum +
          asked.windows.filter(
            (window) =>
              (dimension === undefined
                ? kept(cache.summary, queries.summary(window))
                : kept(cache.grouped, queries.grouped(window, dimension))) === undefined,
          ).length,
        0,
      ),
    summary: ({ windows }, signal) =>
      fetchSummary({
        windows,
        onWarning,
        fetch: (window) => {
          const query = queries.summary(window);
          const call = async () => (await client.summary(query, { signal })).summary;
          return ask(cache.summary, { window, query, call });
        },
      }),
    grouped: ({ windows }, dimension, signal) =>
      fetchGrouped({
        windows,
        dimension,
        onWarning,
        fetch: (window) => {
          const query = queries.grouped(window, dimension);
          const call = async () => (await client.groupedSummary(query, { signal })).groupedSummary;
          return ask(cache.grouped, { window, query, call });
        },
      }),
  };
}
