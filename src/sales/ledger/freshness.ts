/**
 * Decides which of the kept answers may be used, and when the service has to be asked again. Orders settle late: they
 * stay open for weeks, a cancellation is taken back, a driver changes. So figures of a window that is over still
 * change, and only answers tell when they have stopped.
 */
import { sameFigures, type SalesAnswer } from "./figures.js";

/** The time is the moment before the question went out, in milliseconds since the epoch. */
export interface DatedAnswer<Answer> {
  readonly askedAt: number;
  readonly answer: Answer;
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
export function usable<Answer extends SalesAnswer>(
  history: readonly DatedAnswer<Answer>[],
  freshness: Freshness,
  circumstances: Circumstances,
): DatedAnswer<Answer> | undefined {
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
export function usableRunning<Answer extends SalesAnswer>(
  answer: DatedAnswer<Answer>,
  freshness: Freshness,
  circumstances: Omit<Circumstances, "endsAt">,
): DatedAnswer<Answer> | undefined {
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
export function rightlyDated<Dated extends Pick<DatedAnswer<unknown>, "askedAt">>(
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
export function isFinal<Answer extends SalesAnswer>(
  history: readonly DatedAnswer<Answer>[],
  circumstances: Pick<Circumstances, "endsAt" | "doubtedAt">,
): boolean {
  const [before, last] = history.slice(-2);
  if (before === undefined || last === undefined || isDoubtful(last, circumstances)) return false;
  const isLate = before.askedAt - circumstances.endsAt >= finalAfterMs;
  return isLate && last.askedAt > before.askedAt && sameFigures(before.answer, last.answer);
}

function isDoubtful(
  { askedAt }: DatedAnswer<unknown>,
  { doubtedAt }: Pick<Circumstances, "doubtedAt">,
): boolean {
  return doubtedAt !== undefined && askedAt <= doubtedAt;
}

/** Tells whether the service may be asked where no answer can be used. */
export function mayAsk({ kind }: Freshness): boolean {
  return kind === "usual" || kind === "fresh";
}
