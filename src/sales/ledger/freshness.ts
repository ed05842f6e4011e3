/**
 * Decides which of the kept answers may be used, and when the service has to be asked again. Orders settle late: they
 * stay open for weeks, a cancellation is taken back, a driver changes. So figures of a window that is over still
 * change, and only answers tell when they have stopped.
 */
import { haveSameSums, totalOf } from "../merge/members.js";
import { isSameSum } from "../merge/sums.js";
import { membersOf, type SalesAnswer } from "./figures.js";

/** The time is the moment before the question went out, in milliseconds since the epoch. */
export interface DatedAnswer {
  readonly askedAt: number;
  readonly answer: SalesAnswer;
}

export type Freshness =
  /** An answer about a younger window is asked for again when it is older than this; the default is a day. */
  | { readonly kind: "usual"; readonly maxAgeMs: number | undefined }
  | { readonly kind: "fresh" }
  | { readonly kind: "offline" }
  /** Answers count that were known at that moment; nothing is asked. */
  | { readonly kind: "as of"; readonly at: number };

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** An answer that was asked for sooner after the window's end is not used again: its last orders are on their way. */
export const settledAfterMs = 6 * hourMs;
/** Orders of a window may still change for this long after its end. */
export const finalAfterMs = 35 * dayMs;
const usualMaxAgeMs = dayMs;

export interface Circumstances {
  /** All times are in milliseconds since the epoch. */
  readonly now: number;
  /** This run began then. An answer that another run has had since is as good as one of this run. */
  readonly startedAt: number;
  readonly endsAt: number;
  /** This machine last changed an order of the store then; `undefined` where it did not. */
  readonly doubtedAt: number | undefined;
}

/** @param history holds every answer to one question, in the order in which they came */
export function usable(
  history: readonly DatedAnswer[],
  freshness: Freshness,
  circumstances: Circumstances,
): DatedAnswer | undefined {
  if (freshness.kind === "as of") return history.findLast(({ askedAt }) => askedAt <= freshness.at);
  if (freshness.kind === "offline") return history.at(-1);
  const { now, startedAt } = circumstances;
  const dated = rightlyDated(history, now);
  const last = dated.at(-1);
  if (last === undefined || last.askedAt > startedAt) return last;
  if (freshness.kind === "fresh" || isDoubtful(last, circumstances)) return undefined;
  if (isFinal(dated, circumstances)) return last;
  const { maxAgeMs } = freshness;
  const isSettled = last.askedAt - circumstances.endsAt >= settledAfterMs;
  if (!isSettled && maxAgeMs === undefined) return undefined;
  return now - last.askedAt <= (maxAgeMs ?? usualMaxAgeMs) ? last : undefined;
}

/** An answer about a window that ended when it was asked may be this old: `live` and `summary` share theirs. */
const runningMaxAgeMs = 15_000;

/** @param answer is about a window that ended when it was asked */
export function usableRunning(
  answer: DatedAnswer,
  freshness: Freshness,
  circumstances: Omit<Circumstances, "endsAt">,
): DatedAnswer | undefined {
  if (!mayAsk(freshness)) return undefined;
  const maxAgeMs = Math.min(
    (freshness.kind === "usual" ? freshness.maxAgeMs : undefined) ?? runningMaxAgeMs,
    runningMaxAgeMs,
  );
  const young: Freshness = freshness.kind === "usual" ? { kind: "usual", maxAgeMs } : freshness;
  return usable([answer], young, { ...circumstances, endsAt: answer.askedAt });
}

/**
 * Leaves out answers that a clock dated which ran ahead. The age of such an answer can't be told, even when its time
 * has come, since the answer after it is of an earlier time.
 *
 * @param history holds the answers to one question, in the order in which they came
 */
export function rightlyDated<Dated extends Pick<DatedAnswer, "askedAt">>(
  history: readonly Dated[],
  now: number,
): readonly Dated[] {
  let next = now;
  return history
    .toReversed()
    .filter(({ askedAt }) => {
      if (askedAt > next) return false;
      next = askedAt;
      return true;
    })
    .toReversed();
}

/**
 * An answer is final where nothing has changed between the last two answers, and both were asked for long after
 * orders of the window had settled.
 */
export function isFinal(
  history: readonly DatedAnswer[],
  circumstances: Pick<Circumstances, "endsAt" | "doubtedAt">,
): boolean {
  const [before, last] = history.slice(-2);
  if (before === undefined || last === undefined || isDoubtful(last, circumstances)) return false;
  const isLate = before.askedAt - circumstances.endsAt >= finalAfterMs;
  return (
    isLate && last.askedAt > before.askedAt && haveSameSums(membersOf(before.answer), membersOf(last.answer))
  );
}

function isDoubtful({ askedAt }: DatedAnswer, { doubtedAt }: Pick<Circumstances, "doubtedAt">): boolean {
  return doubtedAt !== undefined && askedAt <= doubtedAt;
}

/**
 * The orders of a window have one total, however they are split. So an answer is out of date where the youngest of
 * the others has another total. A change that was taken back leaves it as it was.
 *
 * @param others are about the same orders
 * @throws {ComandaError} `unexpected_answer` where a sum is too large to be exact
 */
export function isContradicted({ askedAt, answer }: DatedAnswer, others: readonly DatedAnswer[]): boolean {
  const [newest] = others.toSorted((a, b) => b.askedAt - a.askedAt);
  if (newest === undefined || newest.askedAt <= askedAt) return false;
  return !isSameSum(totalOf(membersOf(newest.answer)), totalOf(membersOf(answer)));
}

/** Tells whether the service may be asked where no answer can be used. */
export function mayAsk({ kind }: Freshness): boolean {
  return kind === "usual" || kind === "fresh";
}
