/** From an operation and its input to the request that goes out, all but the credential. */
import { operationPath, operations, type Operation } from "../contract/operations.js";
import { ComandaError } from "../shared/errors.js";
import { invalidInput } from "./check-input.js";
import { requestParts, type CallableOperation, type OperationInputs, type RequestParts } from "./input.js";
import { isLoopbackHost } from "../shared/loopback.js";
import { baseUrlHint, ownOptionNames, type OptionNames } from "./option-names.js";
import type { HttpRequest } from "./http/transport.js";

const json = "application/json";

export interface Target {
  readonly baseUrl: string;
  readonly userAgent: string;
}

/** @throws {ComandaError} `invalid_input` */
export function buildRequest<Id extends CallableOperation>(
  { baseUrl, userAgent }: Target,
  id: Id,
  input: OperationInputs[Id],
): HttpRequest {
  const operation: Operation = operations[id];
  const parts = requestParts(id, input);
  const { method } = operation;
  const url = baseUrl + path(operation, parts) + queryString(parts);
  const { body } = parts;
  if (body === undefined) return { method, url, headers: { accept: json, "user-agent": userAgent } };
  const headers = { accept: json, "user-agent": userAgent, "content-type": json };
  return { method, url, headers, body };
}

function path(operation: Operation, { orderId }: RequestParts): string {
  if (orderId !== undefined && typeof orderId !== "string")
    throw invalidInput("An order id must be a text.", "A number becomes one with String(id).");
  try {
    return operationPath(operation, orderId === undefined ? {} : { order_id: orderId });
  } catch {
    // RangeError: empty, "." or ".."; URIError: half of a surrogate pair.
    throw invalidInput(`"${orderId ?? ""}" can't be an order id.`);
  }
}

/** Section 4.8 spells the names with plain brackets, so they go out as they are. */
function queryString({ query = [] }: RequestParts): string {
  let text = "";
  for (const [name, value] of query)
    text += `${text === "" ? "?" : "&"}${name}=${encodeURIComponent(value.toWellFormed())}`;
  return text;
}

/**
 * The base URL as requests are built on: origin and path prefix, no trailing slash.
 *
 * @param names what the hint of an error calls it
 * @throws {ComandaError} `configuration` where it is no http(s) URL, has more than a path, or would send
 *   credentials unprotected to another machine
 */
export function normalizeBaseUrl(baseUrl: string, names: OptionNames = ownOptionNames): string {
  const hint = baseUrlHint(names);
  const refuse = (why: string) => new ComandaError("configuration", `The base URL ${why}.`, { hint });
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw refuse("is not a URL");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw refuse("must start with https://");
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
    throw refuse("must start with https://, since http:// is for this machine alone");
  if (url.username !== "" || url.password !== "") throw refuse("must not hold a user name or password");
  if (url.search !== "" || url.hash !== "") throw refuse("must not have a query or a fragment");
  return url.origin + url.pathname.replace(/\/+$/, "");
}
