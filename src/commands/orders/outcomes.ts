/** The outcome of one order, and how the outcomes of two parts of a run are joined. */
import { doneOrRefusedText, earlierRequest } from "../../client/call/outcome.js";
import type { StatusChangeResult } from "../../client/client.js";
import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { isSettled, type Earlier } from "../../state/journal/resume.js";
import { doneWrite, type WriteOutcome } from "../../toolkit/outcomes.js";

import type { OrderAction } from "./actions.js";

/** One line of `--json` output. */
export interface OrderOutcome extends WriteOutcome {
  readonly order_id: string;
  readonly action: OrderAction;
  /** Present where the service refused a change that was done before (`--ok-if-already`). */
  readonly already?: true;
  /** An earlier process of the same run sent it; absent where this one did. */
  readonly resumed?: true;
}

export function changedOutcome(
  order: string,
  action: StatusChange,
  { httpStatus, attempts, already }: StatusChangeResult,
): OrderOutcome {
  return {
    ...{ order_id: order, action },
    ...doneWrite(httpStatus, attempts),
    ...(already && {
      message: t`It was done before.`,
      details: already.details ?? already.message ?? null,
      already: true,
    }),
  };
}

/** Gives the outcome of an order that an earlier process of the run sent. The journal doesn't keep the service's texts. */
export function resumedOutcome(
  order: string,
  action: OrderOutcome["action"],
  earlier: Earlier,
): OrderOutcome {
  const { outcome, http_status, code, attempts, evidence } = earlier;
  const isUnknown = outcome === "unknown";
  const unknownText = isSettled(earlier)
    ? doneOrRefusedText()
    : t`An earlier part of the run may have sent it, and nothing tells whether it was done.`;
  return {
    ...{ order_id: order, action, outcome, http_status },
    code: isUnknown ? (code ?? "outcome_unknown") : code,
    message: isUnknown ? unknownText : null,
    ...{ details: null, attempts, evidence, resumed: true },
  };
}

/**
 * Joins the outcomes of two parts of a run for one order. Where the earlier outcome is unknown, only an answer of the
 * service about the order can settle it.
 */
export function mergeWithEarlier(earlier: Earlier, row: OrderOutcome): OrderOutcome {
  if (row.outcome === "done" || row.outcome === "unknown") return row;
  if (earlier.outcome !== "unknown") {
    // Where nothing went out, the earlier evidence still holds.
    return row.outcome === "failed" ? { ...row, evidence: row.evidence ?? earlier.evidence } : row;
  }
  const before = resumedOutcome(row.order_id, row.action, earlier);
  if (row.attempts === 0) return before;
  switch (earlierRequest(row)) {
    case "was_refused":
      return row;
    case "was_done_or_refused": {
      const details = row.details ?? row.message;
      return { ...row, outcome: "unknown", message: doneOrRefusedText(), details };
    }
    case "unknown": {
      const { http_status, code, message, evidence } = before;
      return { ...row, outcome: "unknown", http_status, code, message, details: row.message, evidence };
    }
  }
}

/**
 * Puts the order and its store into the error's message.
 *
 * @param place as in `StoreAddress`
 */
export function orderError(error: ComandaError, order: string, place: string): ComandaError {
  if (error.code === "output_closed" || error.code === "output_failed") return error;
  const { code, message, hint, answer, evidence, attempts, cause } = error;
  // "The service …" continues a sentence, so its capital goes; "HTTP …" stays as it is.
  const rest = message.replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLowerCase());
  return new ComandaError(code, t`Order ${order} ${place}: ${rest}`, {
    ...(hint !== undefined && { hint }),
    ...(answer !== undefined && { answer }),
    evidence,
    ...(attempts !== undefined && { attempts }),
    ...(cause !== undefined && { cause }),
  });
}
