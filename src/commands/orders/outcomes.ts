/** The outcome of one order, in the form that scripts rely on, and its error in words. */
import type { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { lineOf, type Told } from "../../toolkit/outcomes.js";

import type { OrderAction } from "./actions.js";

/** What became of one order. */
export interface OrderTold extends Told {
  readonly order: string;
  readonly action: OrderAction;
  /** An earlier command sent it; absent where this one did. */
  readonly resumed?: true;
}

/** One line of `--json` output. */
export function orderLine(told: OrderTold) {
  const { service_code, ...line } = lineOf(told);
  return {
    order_id: told.order,
    action: told.action,
    ...line,
    ...(told.resumed && { resumed: told.resumed }),
    service_code,
  };
}

/**
 * Puts the order and its store into the error's message.
 *
 * @param place as in `StoreAddress`
 */
export function orderError(error: ComandaError, order: string, place: string): ComandaError {
  if (error.code === "output_closed" || error.code === "output_failed") return error;
  // "The service …" continues a sentence, so its capital goes; "HTTP …" stays as it is.
  const rest = error.message.replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLowerCase());
  return error.reworded(t`Order ${order} ${place}: ${rest}`);
}
