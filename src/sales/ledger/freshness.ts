/**
 * Which of the answers that this machine has kept may be used, and when the service has to be asked again. Orders
 * settle late: they stay open for weeks, a cancellation is taken back, a driver changes. So figures of a window that is
 * over still change, and only answers tell when they have stopped.
 */
import { sameFigures, type SalesAnswer } from "./figures.js";

/** An answer of the service, with the moment before its question went out (milliseconds since the epoch). */
export interface DatedAnswer<Answer> {
  readonly askedAt: number;
  readonly answer: Answer;
}

export type Freshness =
  /** A younger window's answer is asked again when it is older than this; the default is a day. */
  | { readonly kind: "usual"; readonly maxAgeMs: number | undefined }
  | { readonly kind: "fresh" }
  | { readonly kind: "offline" }
  /** What was known at that moment; nothing is asked. */
  | { readonly kind: "as of"; readonly at: number };

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** An answer that was asked for sooner after the window's end is not used again: its last orders are on their way. */
export const settledAfterMs = 6 * hourMs;
/** How long after a window's end orders of it may still change. */
export const finalAfterMs = 35 * dayMs;
const usualMaxAgeMs = dayMs;

export interface Circumstances {
  /** All in milliseconds since the epoch. */
  readonly now: number;
  /** When this run began: what another run has asked since is as good as asked by this one. */
  readonly startedAt: number;
  readonly endsAt: number;
  /** When this machine last changed an order of the store; `undefined` where it did not. */
  readonly doubtedAt: number | undefined;
}

/** @param history every answer to one question, in the order in which they came */
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

/** How old an answer may be about a window that ended when it was asked: `live` and `summary` share theirs. */
const runningMaxAgeMs = 15_000;

/** @param answer about a window that ended when it was asked */
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
 * Without what a clock that ran ahead has dated. How old such an answer is can't be told, also when its time has come: one
 * that came after it is of an earlier time.
 *
 * @param history of one question, in the order in which the answers came
 */
export function rightlyDated<One extends Pick<DatedAnswer<unknown>, "askedAt">>(
  history: readonly One[],
  now: number,
): readonly One[] {
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

/** Has nothing changed between the last two answers, both asked for when orders of the window had settled long ago? */
export function isFinal<Answer extends SalesAnswer>(
  history: readonly DatedAnswer<Answer>[],
  circumstances: Pick<Circumstances, "endsAt" | "doubtedAt">,
): boolean {
  const [before, last] = history.slice(-2);
  if (before === undefined || last === undefined || isDoubtful(last, circumstances)) return false;
  const late = before.askedAt - circumstances.endsAt >= finalAfterMs;
  return late && last.askedAt > before.askedAt && sameFigures(before.answer, last.answer);
}

function isDoubtful(
  { askedAt }: DatedAnswer<unknown>,
  { doubtedAt }: Pick<Circumstances, "doubtedAt">,
): boolean {
  return doubtedAt !== undefined && askedAt <= doubtedAt;
}

/** May the service be asked where no answer can be used? */
export function mayAsk({ kind }: Freshness): boolean {
  return kind === "usual" || kind === "fresh";
}
