/** Feeds the journal: no write goes out without its row, whichever command, layer or repetition sends it. */
import { isOfAnOrder } from "../../client/call/of-orders.js";
import type { CallObserver, ObservedCall } from "../../client/call/observer.js";
import type { Outcome } from "../../client/errors.js";
import { isSafe } from "../../client/http/transport.js";
import { operations } from "../../api/operations.js";
import { isObject, parseJson } from "../../api/json.js";
import type { Journal, JournalRow } from "./journal.js";
import type { AttemptResult, Write } from "./write.js";

/** It serves one client alone, since each client numbers its calls by itself. */
export function journalObserver(journal: Pick<Journal, "row">): CallObserver {
  const rows = new Map<number, JournalRow>();
  return {
    async sends(call) {
      let row = rows.get(call.number);
      if (!row) {
        const write = describeWrite(call);
        if (!write) return;
        row = journal.row(write);
        rows.set(call.number, row);
      }
      await row.sent();
    },
    attempted: ({ number }, { verdict }) => rows.get(number)?.outcome(resultOf(verdict)),
    ended: ({ number }) => void rows.delete(number),
  };
}

function resultOf({ outcome, httpStatus, code, serviceCode, evidence }: Outcome): AttemptResult {
  return { outcome, http_status: httpStatus, code: serviceCode ?? code, evidence };
}

/** @returns `undefined` for a call that changes nothing */
function describeWrite(call: ObservedCall): Write | undefined {
  if (isSafe(call)) return undefined;
  const { operation, order, method, path } = call;
  if (operation === operations.createPrefilledOrder.id)
    return { operation, order_id: null, arguments: prefilledArguments(fieldsOf(call)) };
  // A call that the contract doesn't know may change an order all the same.
  const spelled = isOfAnOrder(operation) ? {} : { method, path };
  return { operation, order_id: order, arguments: { ...spelled, ...orderArguments(fieldsOf(call)) } };
}

function fieldsOf({ body }: ObservedCall): Readonly<Record<string, unknown>> {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  const data = typeof text === "string" && text !== "" ? parseJson(text) : undefined;
  return isObject(data) ? data : {};
}

function orderArguments(fields: Readonly<Record<string, unknown>>): Write["arguments"] {
  const { cancellation_reason: reason, driver_id: driver, driver_fee: fee } = fields;
  return {
    ...(typeof reason === "string" && { reason }),
    ...(typeof driver === "number" && { driver_id: driver }),
    ...((typeof fee === "number" || fee === null) && { driver_fee: fee }),
  };
}

/** The customer and the address stay out. */
function prefilledArguments({
  order_type: type,
  cart,
}: Readonly<Record<string, unknown>>): Write["arguments"] {
  return {
    ...(typeof type === "string" && { order_type: type }),
    items: Array.isArray(cart) ? cart.length : 0,
  };
}
