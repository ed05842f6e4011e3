/** What became of one order, in the words that scripts rely on. */
import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Earlier } from "../../state/journal/resume.js";
import { outcomeOf, type Outcome } from "../writes.js";

/** One line of `--json` output. */
export interface OrderOutcome {
  readonly order_id: string;
  readonly action: StatusChange;
  readonly outcome: Outcome;
  readonly http_status: number | null;
  /** The API's code where the service gave one, comanda's own otherwise; null where all went well. */
  readonly code: number | string | null;
  readonly message: string | null;
  readonly details: string | null;
  /** Requests that were sent. */
  readonly attempts: number;
  /** An earlier process of the same run sent it; absent where this one did. */
  readonly resumed?: true;
}

/** Of an order that an earlier process of the same run sent. What the service said then is not kept. */
export function resumedOutcome(order: string, action: StatusChange, earlier: Earlier): OrderOutcome {
  const { outcome, http_status, code, attempts } = earlier;
  const isUnknown = outcome === "unknown";
  return {
    order_id: order,
    action,
    outcome,
    http_status,
    code: isUnknown ? (code ?? "outcome_unknown") : code,
    message: isUnknown
      ? t`An earlier part of the run may have sent it, and nothing tells whether it was done.`
      : null,
    details: null,
    attempts,
    resumed: true,
  };
}

export function doneOutcome(
  order: string,
  action: StatusChange,
  result: { httpStatus: number; attempts: number },
): OrderOutcome {
  return {
    order_id: order,
    action,
    outcome: "done",
    http_status: result.httpStatus,
    code: null,
    message: null,
    details: null,
    attempts: result.attempts,
  };
}

export function failedOutcome(order: string, action: StatusChange, error: ComandaError): OrderOutcome {
  return {
    order_id: order,
    action,
    outcome: outcomeOf(error),
    http_status: error.answer?.httpStatus ?? null,
    code: error.answer?.code ?? error.code,
    message: error.answer?.message ?? error.message,
    details: error.answer?.details ?? null,
    attempts: error.attempts ?? 0,
  };
}

/**
 * The error of one order, which names it.
 *
 * @param place as `Target` has it
 */
export function aboutOrder(error: ComandaError, order: string, place: string): ComandaError {
  if (error.code === "output_closed" || error.code === "output_failed") return error;
  const { code, message, hint, answer, attempts, cause } = error;
  // "The service …" goes on in the middle of a sentence; "HTTP …" stays as it is.
  const rest = message.replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLowerCase());
  return new ComandaError(code, t`Order ${order} ${place}: ${rest}`, {
    ...(hint !== undefined && { hint }),
    ...(answer !== undefined && { answer }),
    ...(attempts !== undefined && { attempts }),
    ...(cause !== undefined && { cause }),
  });
}

export function skippedOutcome(order: string, action: StatusChange, because: ComandaError): OrderOutcome {
  return {
    order_id: order,
    action,
    outcome: "skipped",
    http_status: null,
    code: because.code,
    message: t`Not tried: ${because.message}`,
    details: null,
    attempts: 0,
  };
}
