/**
 * Every order is in one group, however orders are split. So answers about the same orders have one total, unless orders
 * changed in between: then the older answer is out of date.
 */
import { addSums, emptySum, type Sum } from "../merge/sums.js";
import { sameSum, sumsOf, type SalesAnswer } from "./figures.js";
import type { DatedAnswer } from "./freshness.js";

/** Orders and revenue of an answer, and when it was asked for. */
export interface Total extends Pick<DatedAnswer<unknown>, "askedAt"> {
  readonly sum: Sum;
}

/** @throws {ComandaError} `unexpected_answer` where the sum is too large to be exact */
export function totalOf({ askedAt, answer }: DatedAnswer<SalesAnswer>): Total {
  return { askedAt, sum: [...sumsOf(answer).values()].map(({ sum }) => sum).reduce(addSums, emptySum) };
}

/**
 * The youngest of the others tells: what changed and was taken back is as it was.
 *
 * @param others of the same orders, however these are split
 */
export function isContradicted({ askedAt, sum }: Total, others: readonly Total[]): boolean {
  const [newest] = others.toSorted((a, b) => b.askedAt - a.askedAt);
  return newest !== undefined && newest.askedAt > askedAt && !sameSum(newest.sum, sum);
}
