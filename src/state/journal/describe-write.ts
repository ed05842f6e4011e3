/** What the journal says of a request: recognised by the contract, whichever way it came to be sent. */
import { isSafe } from "../../client/call/retry.js";
import type { HttpRequest } from "../../client/http/transport.js";
import { operations, type Operation } from "../../contract/operations.js";
import { isObject, parseJson } from "../../shared/json.js";
import type { Write } from "./entries.js";

interface KnownWrite {
  readonly operation: keyof typeof operations;
  readonly method: string;
  readonly path: RegExp;
}

const knownWrites: readonly KnownWrite[] = (
  ["dispatchOrder", "deliverOrder", "finalizeOrder", "cancelOrder", "assignDriver"] as const
).map(known);
const prefilledOrder = known("createPrefilledOrder");

function known(operation: keyof typeof operations): KnownWrite {
  const { method, path }: Operation = operations[operation];
  return { operation, method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "([^/]+)")}/*$`) };
}

/**
 * @param baseUrl what the request's URL begins with
 * @returns `undefined` for a request that changes nothing
 */
export function describeWrite(request: HttpRequest, baseUrl: string): Write | undefined {
  if (isSafe(request)) return undefined;
  const { method, url, body } = request;
  const path = pathOf(url, baseUrl);
  const data = typeof body === "string" && body !== "" ? parseJson(body) : undefined;
  const fields = isObject(data) ? data : {};
  if (method === prefilledOrder.method && prefilledOrder.path.test(path))
    return { operation: prefilledOrder.operation, order_id: null, arguments: prefilledArguments(fields) };
  for (const write of knownWrites) {
    const order = write.method === method ? write.path.exec(path)?.[1] : undefined;
    if (order !== undefined)
      return { operation: write.operation, order_id: decoded(order), arguments: orderArguments(fields) };
  }
  const order = /\/orders\/([^/]+)\/[^/]+/.exec(path)?.[1];
  return {
    operation: "request",
    order_id: order === undefined ? null : decoded(order),
    arguments: { method, path },
  };
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

function decoded(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
