/** A write as the journal holds it: as it goes out, and with its outcome. Pure. */
import { earlierRequest } from "../../client/call/outcome.js";
import type { Evidence } from "../../client/errors.js";

/** It says where a write was done. */
export interface Place {
  /** The alias; `null` for a store whose credential came from the environment. */
  readonly store: string | null;
  /** The environment's name; the host where there is none. */
  readonly environment: string;
}

/** A request as it goes out. It holds no header, no secret, and nothing of a customer. */
export interface Write {
  /** The operation's id in the contract; `request` for a call that the contract doesn't know. */
  readonly operation: string;
  /** `null` where the path names no order. */
  readonly order_id: string | null;
  /** The few that matter later: the reason, the driver, the fee. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

export const attemptOutcomes = ["done", "refused", "failed", "unknown"] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** The outcome of one request, or of all requests of a write together. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly http_status: number | null;
  /** The API's code where the service gave one, comanda's own otherwise; null where all went well. */
  readonly code: number | string | null;
  /** The one whose word it is; null where it never went out. */
  readonly evidence: Evidence | null;
}

/** A request that went out: its process was killed, or it still runs. */
export const noAnswer: AttemptResult = {
  outcome: "unknown",
  http_status: null,
  code: null,
  evidence: "nobody",
};

/**
 * The last request of a write decides what the write has come to. Where an earlier one may have done it, that stays
 * unknown until an answer says what became of it.
 *
 * @param before what the earlier ones have come to; `undefined` where there is none
 */
export function concluded(before: AttemptResult | undefined, next: AttemptResult): AttemptResult {
  if (before === undefined) return next;
  // A request that never went out changes nothing of what earlier ones have come to.
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
