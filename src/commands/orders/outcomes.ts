/** The outcome of one order, in the form that scripts rely on, and its error in words. */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { WriteOutcome } from "../../toolkit/outcomes.js";

import type { OrderAction } from "./actions.js";

/** One line of `--json` output. */
export interface OrderOutcome extends WriteOutcome {
  readonly order_id: string;
  readonly action: OrderAction;
  /** An earlier command sent it; absent where this one did. */
  readonly resumed?: true;
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
