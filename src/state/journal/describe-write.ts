/** What the journal says of a request: recognised by the contract, whichever way it came to be sent. */
import { isPathOf, segmentsOf } from "../../client/any-operation.js";
import { isSafe } from "../../client/call/retry.js";
import type { HttpRequest } from "../../client/http/transport.js";
import { operations, type Operation } from "../../contract/operations.js";
import { isObject, parseJson } from "../../shared/json.js";
import type { Write } from "./entries.js";

const changes: readonly Operation[] = [
  operations.dispatchOrder,
  operations.deliverOrder,
  operations.finalizeOrder,
  operations.cancelOrder,
  operations.assignDriver,
];

/**
 * @param baseUrl what the request's URL begins with
 * @returns `undefined` for a request that changes nothing
 */
export function describeWrite(request: HttpRequest, baseUrl: string): Write | undefined {
  if (isSafe(request)) return undefined;
  const { method, url, body } = request;
  const path = pathOf(url, baseUrl);
  const segments = segmentsOf(path);
  const isCallOf = (operation: Operation) => operation.method === method && isPathOf(operation, segments);
  const data = typeof body === "string" && body !== "" ? parseJson(body) : undefined;
  const fields = isObject(data) ? data : {};
  if (isCallOf(operations.createPrefilledOrder)) {
    const { id: operation } = operations.createPrefilledOrder;
    return { operation, order_id: null, arguments: prefilledArguments(fields) };
  }
  const order = orderOf(segments);
  const change = changes.find(isCallOf);
  if (change) return { operation: change.id, order_id: order, arguments: orderArguments(fields) };
  return { operation: "request", order_id: order, arguments: { method, path } };
}

/** Of `…/orders/4711/…`. */
function orderOf(segments: readonly string[]): string | null {
  const place = segments.findIndex((each) => each.toLowerCase() === "orders");
  const isNamed = place !== -1 && segments.length > place + 2;
  return isNamed ? (segments[place + 1] ?? null) : null;
}

/** Without its query: what stands there may be anybody's. */
function pathOf(url: string, baseUrl: string): string {
  const end = url.indexOf("?");
  const whole = end === -1 ? url : url.slice(0, end);
  return whole.startsWith(baseUrl) ? whole.slice(baseUrl.length) : new URL(whole).pathname;
}

function orderArguments(fields: Readonly<Record<string, unknown>>): Write["arguments"] {
  const { cancellation_reason: reason, driver_id: driver, driver_fee: fee } = fields;
  return {
    ...(typeof reason === "string" && { reason }),
    ...(typeof driver === "number" && { driver_id: driver }),
    ...((typeof fee === "number" || fee === null) && { driver_fee: fee }),
  };
}

/** Who ordered, and where it goes, stays out. */
function prefilledArguments({
  order_type: type,
  cart,
}: Readonly<Record<string, unknown>>): Write["arguments"] {
  return {
    ...(typeof type === "string" && { order_type: type }),
    items: Array.isArray(cart) ? cart.length : 0,
  };
}
