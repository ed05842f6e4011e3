/** Calls of any path below the base URL, for operations that the specification names but doesn't show (section 4.12). */
import * as z from "zod/mini";

import { isObject, once, parseJson, parseOrderId } from "../base/basics.js";
import { authSchemes, credentialKinds, operations } from "../api/operations.js";
import type { AuthScheme, Operation } from "../api/operations.js";
import { custom, oneOf } from "../api/schema.js";
import { scopeNames } from "../api/values.js";
import { t } from "../languages/language.js";
import type { BuiltCall, Result } from "./call.js";
import type { Client } from "./client.js";
import { ComandaError } from "../base/errors.js";
import { repeated } from "../base/fields.js";
import { anyCallId, isPage, mayBeCutOff } from "./judge.js";
import { checkInput, checkOptions, inputError, objectWith, type CallOptions } from "./options.js";
import { isSafe, type HttpRequest } from "./transport.js";

/** A call of any path, for {@link request}. */
export interface AnyRequest {
  /** In capitals. GET and HEAD have no body. POST and PATCH are never retried once they may have been received. */
  readonly method: HttpMethod;
  /** Below the base URL, for example `/api/partner/v1/orders/history`, with an optional query. */
  readonly path: string;
  /** Added to the path's own query, in this order. A name may repeat. */
  readonly query?:
    Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[] | undefined;
  /** Values are one line of ASCII. Headers for credentials, the connection or the body's length can't be set. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent unchanged, as `application/json` unless `headers` has another type. */
  readonly body?: string | Uint8Array | undefined;
  /**
   * `bearer`: the access token; `api_key`: the API key; `partner`: the API key and the partner key, for creating orders (section 5.1).
   * Default: that of the contract for an operation that it describes, else the access token, else the API key.
   */
  readonly auth?: AuthScheme | undefined;
}

export type HttpMethod = HttpRequest["method"];

export const httpMethods: readonly HttpMethod[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Makes any call below the client's base URL. A GET, HEAD, PUT or DELETE is retried (RFC 9110, section 9.2.2), and a POST or PATCH never
 * once it may have been received. It counts toward the rate limit of its path (section 8).
 *
 * @returns status, headers and body of the 2xx, unchanged except that our own credentials are masked in the headers
 * @throws {ComandaError} for every response except a 2xx, and like each method of the client; also `invalid_input` for a path outside
 *   the base URL, a header that can't be set, or a body that the method doesn't have
 */
export async function request(
  client: Client,
  input: AnyRequest,
  options?: CallOptions,
): Promise<Result<null>> {
  checkOptions({ client }, { client: objectWith("call") });
  return client.call(buildAnyRequest(input), options);
}

const requestSchema = once(() => {
  const texts = z.record(z.string(), z.string(), "must be an object whose values are strings");
  return z.strictObject({
    method: oneOf(httpMethods),
    path: z.string(),
    query: z.optional(
      z.union(
        [texts, z.array(z.tuple([z.string(), z.string()]))],
        "must be an object whose values are strings, or a list of pairs of strings",
      ),
    ),
    headers: z.optional(texts),
    body: z.optional(
      custom<string | Uint8Array>(
        (body) => typeof body === "string" || body instanceof Uint8Array,
        "must be a string, such as JSON.stringify(value), or a Uint8Array",
      ),
    ),
    auth: z.optional(oneOf(authSchemes)),
  });
});

/** @throws {ComandaError} `invalid_input` like {@link request} */
export function buildAnyRequest(input: AnyRequest): BuiltCall<null> {
  try {
    const { method, query, headers: added = {}, body, auth, ...target } = checkInput(requestSchema(), input);
    if (body !== undefined && isSafe({ method }))
      throw refusal("body", t`A ${method} request has no body. Use query parameters instead.`);
    const headers = checkedHeaders(added);
    if (body !== undefined) headers["content-type"] ??= "application/json";
    const url = locate(target.path);
    for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value);
    const { pathname: path, search } = url;
    const segments = segmentsOf(path);
    const described: Operation | undefined = Object.values(operations).find((each) => {
      const names = segmentsOf(each.path);
      const fits = (name: string, index: number) => name.startsWith("{") || name === segments[index];
      return each.method === method && names.length === segments.length && names.every(fits);
    });
    const isOfAnOrder = described?.path.includes("{order_id}") ?? true;
    // The order is the segment after `orders`, if another one follows: `…/orders/4711/…`.
    const place = segments.indexOf("orders") + 1;
    const hasOrder = isOfAnOrder && place > 0 && segments.length > place + 1;
    const segment = hasOrder ? segments[place] : undefined;
    // The path is sent unchanged, but the journal has one name for each order.
    const order = parseOrderId(segment) ?? segment ?? null;
    // Only a response that the contract describes shows that an order was changed. For any other path, the API's bodies are JSON (section
    // 4), so a page doesn't show that a write was done.
    const readChange = isOfAnOrder ? described?.response.read : undefined;
    const fields = parseJson(body instanceof Uint8Array ? new TextDecoder().decode(body) : (body ?? ""));
    const asked = {
      orderId: order,
      driverId: isObject(fields) ? fields["driver_id"] : undefined,
      leadsTo: described?.leadsTo ?? [],
    };
    // Section 8 limits each path below `summary` separately. Counting them as `summary` can only delay a request.
    const counted = (["summary", "history"] as const).find((name) => place > 0 && name === segments[place]);
    const operation = described ?? {
      id: anyCallId,
      // Any of them may be missing.
      scopes: scopeNames,
      bucket: counted ?? "general",
      // RFC 9110, section 9.2.2.
      repeatable: method !== "POST" && method !== "PATCH",
      credentials: ["bearer", "api_key"],
    };
    return {
      operation: { ...operation, method, ...(auth && { credentials: [auth] }) },
      order,
      path,
      read: (response, json) => {
        if (method !== "HEAD" && mayBeCutOff(response)) return undefined;
        if (!readChange) return isPage(response) && !isSafe({ method }) ? undefined : null;
        return readChange(json, response.body, asked) === undefined ? undefined : null;
      },
      request: { method, search, headers, ...(body !== undefined && { body }) },
    };
  } catch (error) {
    throw inputError(error, { ...(isObject(input) && input), id: anyCallId });
  }
}

function refusal(field: keyof AnyRequest, message: string, hint?: string): ComandaError {
  return new ComandaError("invalid_input", message, { field, hint });
}

/** Returns the URL of a path. A credential must only be sent to its own origin and path, so the path is appended to them. */
function locate(path: string): URL {
  const [beforeQuery = ""] = path.split("?");
  // Returns whether a segment leads up, also if a proxy or server would see that only after decoding.
  const climbs = beforeQuery
    .replaceAll(/%2e/gi, ".")
    .split(/\/|%2f|%5c/i)
    .some((segment) => segment === "." || segment === "..");
  // A URL parser drops tabs and line ends, and treats a backslash as a slash. A scheme or a host would lead elsewhere.
  if (!climbs && /^(?!\/\/|[a-z][a-z\d+.-]*:)[\x21-\x7e]+$/i.test(path) && !/[\\#]/.test(path))
    try {
      const url = new URL(`http://host${path.startsWith("/") ? "" : "/"}${path}`);
      decodeURIComponent(url.pathname);
      return url;
    } catch {
      // A percent-encoding that isn't UTF-8 has the same error.
    }
  const [, changed] = /^[a-z]:[\\/].*[\\/](api\/.*)$/i.exec(path) ?? [];
  throw refusal(
    "path",
    t`Invalid value "${path.replace(/[?].*/s, "")}" for ${"path"}.`,
    changed === undefined
      ? t`The path is appended to the base URL: omit scheme, host and fragment, and don't use . or .. as a segment. Encode everything except visible ASCII with % (UTF-8).`
      : t`Git Bash changes a path that starts with a slash. Omit the first slash: ${changed}`,
  );
}

/** Besides the headers of credentials, these contain a secret or frame the message. */
const ownHeaders =
  "cookie proxy-authorization accept-encoding connection content-length expect host keep-alive " +
  "proxy-connection te trailer transfer-encoding upgrade";

function checkedHeaders(added: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {};
  const own = ownHeaders.split(" ");
  for (const { header } of Object.values(credentialKinds)) own.push(header);
  for (const [typed, value] of Object.entries(added)) {
    const name = typed.toLowerCase();
    if (Object.hasOwn(headers, name)) throw repeated("invalid_input", name);
    // RFC 9110, section 5.6.2.
    const isToken = /^[!#$%&'*+.^_`|~\w-]+$/.test(name);
    if (!isToken || own.includes(name) || !/^[\t\x20-\x7e]*$/.test(value))
      throw refusal(
        "headers",
        t`The header ${typed} can't be set.`,
        t`A header must be one line of ASCII. comanda itself sets the headers for the credentials and the body.`,
      );
    headers[name] = value.trim();
  }
  return headers;
}

/** Returns the path's segments, decoded once, without empty ones. */
function segmentsOf(path: string): readonly string[] {
  return path
    .split("/")
    .filter(Boolean)
    .map((segment) => decodeURIComponent(segment));
}
