/** What became of a write, from the lines of its attempts: in any order, and cut off at any line. Pure. */
import { earlierRequest } from "../../client/call/retry.js";
import type { AttemptKey, AttemptResult } from "./entries.js";

const noAnswer: AttemptResult = { outcome: "unknown", http_status: null, code: null, evidence: "nobody" };

/** What a write came to, all its attempts together. */
export interface WriteResult extends AttemptResult {
  /** Requests that were sent. */
  readonly attempts: number;
}

/** Collects the attempts of one write. A month has a hundred thousand of these, so there is little to each. */
export class WriteLines {
  /** What is known of each attempt, in the order of their numbers. */
  readonly #attempts: number[] = [];
  readonly #results: AttemptResult[] = [];
  readonly #before: WriteLines | undefined;

  /** @param before what another process made of the write first */
  constructor(before?: WriteLines) {
    this.#before = before;
  }

  has(attempt: number): boolean {
    return this.#attempts.includes(attempt);
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
    const inTurn = this.#before ? [this.#before.result(), ...this.#results] : this.#results;
    const { outcome, http_status, code, evidence } = concluded(inTurn);
    return { outcome, http_status, code, evidence, attempts: this.#attempts.length };
  }
}

/**
 * What the requests of one write come to, in turn: the last one decides, but where an earlier one may have done it, that
 * stays unknown until an answer says what became of it.
 */
export function concluded(inTurn: readonly AttemptResult[]): AttemptResult {
  let result: AttemptResult | undefined;
  for (const next of inTurn) result = result ? following(result, next) : next;
  return result ?? noAnswer;
}

function following(before: AttemptResult, next: AttemptResult): AttemptResult {
  // Where nothing went out, what was said before is all that was said.
  if (before.outcome !== "unknown") return { ...next, evidence: next.evidence ?? before.evidence };
  if (next.outcome === "done" || next.outcome === "unknown") return next;
  switch (earlierRequest(next)) {
    case "was_refused":
      return next;
    case "was_done_or_refused":
      return { ...next, outcome: "unknown" };
    case "unknown":
      return before;
  }
}

/** Which write of its run a line belongs to. */
export function writeKey({ operation, order_id: order, call = 0 }: Omit<AttemptKey, "attempt">): string {
  return `${operation} ${call} ${order ?? ""}`;
}
