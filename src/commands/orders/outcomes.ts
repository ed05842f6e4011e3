/** What is done to an order, and what came of it: in the form that scripts rely on, and in words. */
import type { CancelInput } from "../../api/models.js";
import type { StatusChange } from "../../api/operations.js";
import type { Column } from "../../cli/column.js";
import type { CallOptions } from "../../client/call.js";
import type { Client } from "../../client/client.js";
import type { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { doneWrite, lineOf, outcomeColumn, type Told } from "../outcomes.js";

/** Each with its operation's id in the contract, and with the word for an order to which it was done. */
export const orderActions = {
  dispatch: { operation: "dispatchOrder", done: "dispatched" },
  deliver: { operation: "deliverOrder", done: "delivered" },
  finalize: { operation: "finalizeOrder", done: "finalized" },
  cancel: { operation: "cancelOrder", done: "canceled" },
  assign: { operation: "assignDriver", done: "assigned" },
} as const;

export type OrderAction = keyof typeof orderActions;

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

/** @throws {ComandaError} what the client throws */
export async function sendChange(
  client: Client,
  action: StatusChange,
  order: string,
  input: CancelInput,
  options: CallOptions,
): Promise<OrderTold> {
  const done =
    action === "cancel"
      ? await client.cancelOrder(order, input, options)
      : await client[orderActions[action].operation](order, options);
  return { order, action, ...doneWrite(done) };
}

/**
 * Puts the order and its store into the error's message.
 *
 * @param place as in `Store`
 */
export function orderError(error: ComandaError, order: string, place: string): ComandaError {
  if (error.code === "output_closed" || error.code === "output_failed") return error;
  // "The service …" continues a sentence, so its capital goes; "HTTP …" stays as it is.
  const rest = error.message.replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLowerCase());
  return error.reworded(t`Order ${order} ${place}: ${rest}`);
}

export const orderColumn: Column<OrderTold> = {
  heading: "Order",
  name: "order_id",
  cell: (row) => row.order,
};

export const columns: readonly Column<OrderTold>[] = [
  orderColumn,
  { heading: "Action", name: "action", cell: (row) => row.action, isWord: true },
  outcomeColumn,
  { heading: "HTTP", name: "http_status", cell: (row) => row.httpStatus },
  { heading: "Code", name: "code", cell: (row) => row.code },
  { heading: "Service code", name: "service_code", cell: (row) => row.serviceCode },
  { heading: "Message", name: "message", cell: (row) => row.message },
  { heading: "Details", name: "details", cell: (row) => row.details },
];
