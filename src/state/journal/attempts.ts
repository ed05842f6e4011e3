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

/** Collects the attempts of one write. */
export class WriteLines {
  readonly #results = new Map<number, AttemptResult>();

  has(attempt: number): boolean {
    return this.#results.has(attempt);
  }

  /** After the attempts so far, and before those to come, there may have been one of which no line is left. */
  mayLackOne(): void {
    if (this.#results.size > 0 && isSettled(this.result())) return;
    this.#results.set(Math.max(0, ...this.#results.keys()) + lacking, noAnswer);
  }

  sent(attempt: number): void {
    if (!this.#results.has(attempt)) this.#results.set(attempt, noAnswer);
  }

  outcome(attempt: number, { outcome, unprocessed, http_status, code }: AttemptResult): void {
    this.#results.set(attempt, { outcome, ...(unprocessed && { unprocessed }), http_status, code });
  }

  /** An attempt without an outcome is `unknown`: the process was killed, or it still runs. */
  result(): WriteResult {
    const { outcome, http_status, code } = combined(this.#results);
    const attempts = [...this.#results.keys()].filter((attempt) => Number.isInteger(attempt)).length;
    return { outcome, http_status, code, attempts };
  }
}

/**
 * The last attempt decides where its answer is the service's word on the write itself. Where it isn't, an earlier
 * attempt of which nothing is known stays in doubt.
 */
function combined(results: ReadonlyMap<number, AttemptResult>): AttemptResult {
  const inTurn = [...results].sort(([one], [other]) => one - other).map(([, result]) => result);
  const last = inTurn.at(-1) ?? noAnswer;
  if (last.unprocessed !== true) return last;
  return inTurn.findLast(({ outcome }) => outcome === "unknown") ?? last;
}

/** Which write of its run a line belongs to. */
export function writeKey({ operation, order_id: order, call = 0 }: Omit<AttemptKey, "attempt">): string {
  return `${operation} ${call} ${order ?? ""}`;
}
