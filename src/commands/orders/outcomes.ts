/** The outcome of one order, in a form that scripts rely on. */
import type { StatusChange } from "../../contract/operations.js";
import { doneOrRefusedText, earlierRequest } from "../../client/call/outcome.js";
import type { StatusChangeResult } from "../../client/client.js";
import { ComandaError, type Evidence } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { isSettled, type Earlier } from "../../state/journal/resume.js";
import { outcomeOf, type Outcome } from "../../toolkit/writes.js";

type OrderAction = StatusChange | "assign";

/** One line of `--json` output. */
export interface OrderOutcome {
  readonly order_id: string;
  /** The counter assigns drivers alone, too: `assign`. */
  readonly action: OrderAction;
  readonly outcome: Outcome;
  readonly http_status: number | null;
  /** The API's code where the service gave one, comanda's own otherwise; null where all went well. */
  readonly code: number | string | null;
  readonly message: string | null;
  readonly details: string | null;
  /** Requests that were sent. */
  readonly attempts: number;
  /** The source of the outcome; null where nothing was sent. */
  readonly evidence: Evidence | null;
  /** Present where the service refused a change that was done before (`--ok-if-already`). */
  readonly already?: true;
  /** An earlier process of the same run sent it; absent where this one did. */
  readonly resumed?: true;
}

/** Gives the outcome of an order that an earlier process of the run sent. The journal doesn't keep the service's texts. */
export function resumedOutcome(order: string, action: OrderAction, earlier: Earlier): OrderOutcome {
  const { outcome, http_status, code, attempts, evidence } = earlier;
  const isUnknown = outcome === "unknown";
  return {
    order_id: order,
    action,
    outcome,
    http_status,
    code: isUnknown ? (code ?? "outcome_unknown") : code,
    message: isUnknown ? earlierText(earlier) : null,
    details: null,
    attempts,
    evidence,
    resumed: true,
  };
}

function earlierText(earlier: Earlier): string {
  return isSettled(earlier)
    ? doneOrRefusedText()
    : t`An earlier part of the run may have sent it, and nothing tells whether it was done.`;
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
  if (row.attempts === 0) return resumedOutcome(row.order_id, row.action, earlier);
  switch (earlierRequest(row)) {
    case "was_refused":
      return row;
    case "was_done_or_refused":
      return {
        ...row,
        outcome: "unknown",
        message: doneOrRefusedText(),
        details: row.details ?? row.message,
      };
    case "unknown": {
      const { http_status, code, message, evidence } = resumedOutcome(row.order_id, row.action, earlier);
      return { ...row, outcome: "unknown", http_status, code, message, details: row.message, evidence };
    }
  }
}

export function doneOutcome(
  order: string,
  action: OrderAction,
  { httpStatus, attempts, already }: StatusChangeResult,
): OrderOutcome {
  return {
    order_id: order,
    action,
    outcome: "done",
    http_status: httpStatus,
    code: null,
    message: already ? t`It was done before.` : null,
    details: already ? (already.details ?? already.message ?? null) : null,
    attempts,
    evidence: "api",
    ...(already && { already: true }),
  };
}

/** The service's texts tell the outcome of a write, except where that is unknown. */
export function errorTexts({
  code,
  message,
  answer,
}: ComandaError): Pick<OrderOutcome, "message" | "details"> {
  if (code === "outcome_unknown") return { message, details: answer?.details ?? answer?.message ?? null };
  return { message: answer?.message ?? message, details: answer?.details ?? null };
}

export function failedOutcome(order: string, action: OrderAction, error: ComandaError): OrderOutcome {
  return {
    order_id: order,
    action,
    outcome: outcomeOf(error),
    http_status: error.answer?.httpStatus ?? null,
    code: error.answer?.code ?? error.code,
    ...errorTexts(error),
    attempts: error.attempts ?? 0,
    evidence: error.evidence,
  };
}

/**
 * Puts the order and its store into the error's message.
 *
 * @param place as in `Target`
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

export function skippedOutcome(order: string, action: OrderAction, reason: ComandaError): OrderOutcome {
  return {
    order_id: order,
    action,
    outcome: "skipped",
    http_status: null,
    code: reason.code,
    message: t`Not tried: ${reason.message}`,
    details: null,
    attempts: 0,
    evidence: null,
  };
}
