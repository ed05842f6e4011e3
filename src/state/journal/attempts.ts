/** What became of a write, from the lines of its attempts: in any order, and cut off at any line. Pure. */
import type { AttemptKey, AttemptResult } from "./entries.js";
import { isSettled } from "./resume.js";

const noAnswer: AttemptResult = { outcome: "unknown", http_status: null, code: null };

/** Stands between the number of an attempt and that of the next. */
const lacking = 0.5;

/** What a write came to, all its attempts together. */
export interface WriteResult extends Pick<AttemptResult, "outcome" | "http_status" | "code"> {
  /** Requests that were sent. */
  readonly attempts: number;
}

/** Collects the attempts of one write. A month has a hundred thousand of these, so there is little to each. */
export class WriteLines {
  /** What is known of each attempt, in the order of their numbers. */
  readonly #attempts: number[] = [];
  readonly #results: AttemptResult[] = [];

  has(attempt: number): boolean {
    return this.#attempts.includes(attempt);
  }

  /** After the attempts so far, and before those to come, there may have been one of which no line is left. */
  mayLackOne(): void {
    if (this.#results.length > 0 && isSettled(this.result())) return;
    this.#set((this.#attempts.at(-1) ?? 0) + lacking, noAnswer);
  }

  sent(attempt: number): void {
    if (!this.has(attempt)) this.#set(attempt, noAnswer);
  }

  /** @param result a line may give the same one to many writes */
  outcome(attempt: number, result: AttemptResult): void {
    this.#set(attempt, result);
  }

  #set(attempt: number, result: AttemptResult): void {
    const place = this.#attempts.filter((other) => other < attempt).length;
    const known = this.#attempts[place] === attempt ? 1 : 0;
    this.#attempts.splice(place, known, attempt);
    this.#results.splice(place, known, result);
  }

  /** An attempt without an outcome is `unknown`: the process was killed, or it still runs. */
  result(): WriteResult {
    const { outcome, http_status, code } = combined(this.#results);
    return { outcome, http_status, code, attempts: this.#attempts.filter(Number.isInteger).length };
  }
}

/**
 * The last attempt decides where its answer is the service's word on the write itself. Where it isn't, an earlier
 * attempt of which nothing is known stays in doubt.
 */
function combined(inTurn: readonly AttemptResult[]): AttemptResult {
  const last = inTurn.at(-1) ?? noAnswer;
  if (last.unprocessed !== true) return last;
  return inTurn.findLast(({ outcome }) => outcome === "unknown") ?? last;
}

/** Which write of its run a line belongs to. */
export function writeKey({ operation, order_id: order, call = 0 }: Omit<AttemptKey, "attempt">): string {
  return `${operation} ${call} ${order ?? ""}`;
}
