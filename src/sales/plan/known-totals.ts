/**
 * Compares the totals of a window's orders that this machine knows. Every order is in one group, however orders are
 * split. So answers about the same orders have one total, unless orders changed in between: then the older answer is
 * out of date.
 */
import { dimensions } from "../../contract/enums.js";
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../../contract/models.js";
import { sameSum, sumsOf, type SalesAnswer } from "../ledger/figures.js";
import { rightlyDated, type DatedAnswer } from "../ledger/freshness.js";
import { dayHistories, daysOfWindow } from "../ledger/kept-days.js";
import { addSums, emptySum, type Sum } from "../merge/sums.js";
import type { KeptGroups, Remembered } from "./memory.js";
import { groupedQuery, summaryQuery, type WindowQuestion } from "./queries.js";
import type { OrderChoice } from "./request.js";

/** These answers about a store's orders are known. */
export interface KnownAnswers {
  readonly summary: Remembered<SummaryQuery, Summary>;
  readonly grouped: Remembered<GroupedSummaryQuery, GroupedSummary> & KeptGroups;
  readonly request: OrderChoice;
  /** The time is in milliseconds since the epoch. */
  readonly now: () => number;
  /** Only the answer to the very same question is taken, since the next one is to be compared with it. */
  readonly exactOnly?: boolean;
}

/** Tells whether a younger answer about the same orders has another total. */
export type OutOfDate = (total: Total, question: WindowQuestion) => Promise<boolean>;

export function knownTotals({ summary, grouped, request, now, exactOnly }: KnownAnswers): OutOfDate {
  const newest = async <Query, Answer extends SalesAnswer>(
    endpoint: Remembered<Query, Answer>,
    query: Query,
  ) => {
    const answer = endpoint.heard(query) ?? rightlyDated(await endpoint.history(query), now()).at(-1);
    return answer ? [totalOf(answer)] : [];
  };

  /** Adds up all days, where each was asked for since, in whatever windows. */
  const totalOfDays = async (
    { askedAt: since }: Total,
    { window, zone, filters }: WindowQuestion,
  ): Promise<readonly Total[]> => {
    const kept = exactOnly
      ? []
      : ((await grouped.overlapping?.(groupedQuery(window, "day", request, filters))) ?? []);
    const younger = kept.filter(({ askedAt }) => askedAt > since && askedAt <= now());
    const place = { zone, dateField: request.dateField };
    const span = younger.length > 0 ? daysOfWindow(window, place) : undefined;
    if (span === undefined) return [];
    const days = [...dayHistories(younger, span, place)].map(({ history }) => history.at(-1));
    const totals = days.flatMap((day) => (day ? [totalOf(day)] : []));
    if (totals.length < days.length) return [];
    return [
      {
        askedAt: Math.min(...totals.map(({ askedAt }) => askedAt)),
        sum: totals.map(({ sum }) => sum).reduce(addSums, emptySum),
      },
    ];
  };

  return async (total, question) => {
    const { window, filters } = question;
    const others = await Promise.all([
      newest(summary, summaryQuery(window, request, filters)),
      ...dimensions.map((dimension) => newest(grouped, groupedQuery(window, dimension, request, filters))),
      totalOfDays(total, question),
    ]);
    return isContradicted(total, others.flat());
  };
}

export interface Total extends Pick<DatedAnswer<unknown>, "askedAt"> {
  readonly sum: Sum;
}

/** @throws {ComandaError} `unexpected_answer` where the sum is too large to be exact */
export function totalOf({ askedAt, answer }: DatedAnswer<SalesAnswer>): Total {
  return { askedAt, sum: [...sumsOf(answer).values()].map(({ sum }) => sum).reduce(addSums, emptySum) };
}

/**
 * Compares a total with the youngest of the others: a change that was taken back leaves it as it was.
 *
 * @param others are of the same orders, however these are split
 */
export function isContradicted({ askedAt, sum }: Total, others: readonly Total[]): boolean {
  const [newest] = others.toSorted((a, b) => b.askedAt - a.askedAt);
  return newest !== undefined && newest.askedAt > askedAt && !sameSum(newest.sum, sum);
}
