/** Any call below the base URL, for what the specification names and doesn't show (section 4.12). */
import { isObject, parseJson, parseOrderId } from "../base/basics.js";
import { credentialHeaders, operations, type AuthScheme, type Operation } from "../api/operations.js";
import { t } from "../languages/language.js";
import type { BuiltCall, Result } from "./call.js";
import type { Client } from "./client.js";
import { ComandaError } from "../base/errors.js";
import { inputError } from "./explain.js";
import { anyCallId, isPage } from "./judge.js";
import { secretsOf, type CallOptions } from "./options.js";
import { isSafe, type HttpRequest } from "./transport.js";

/** A call of any path, for {@link request}. */
export interface AnyRequest {
  /**
   * The method in capitals. GET and HEAD have no body. POST and PATCH are never repeated once they may have been
   * received.
   */
  readonly method: HttpMethod;
  /**
   * Below the base URL, for example `/api/partner/v1/orders/history`. It may carry a query.
   */
  readonly path: string;
  /** Added to the path's own, in this order; a name may repeat. */
  readonly query?: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];
  /** One line of ASCII each; none that carries a credential or frames the message. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is. Its type is `application/json` unless `headers` says otherwise. */
  readonly body?: string | Uint8Array;
  /**
   * Default: what the contract has for an operation that it knows, else the access token, else the API key.
   * `bearer`: the access token; `api_key`: the API key; `partner`: the API key and the partner key, as order creation
   * needs them (section 5.1).
   */
  readonly auth?: AuthScheme;
}

export type HttpMethod = HttpRequest["method"];

export const httpMethods: readonly HttpMethod[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Makes any call below the client's base URL: section 4.12 names operations that it doesn't show. A GET, HEAD, PUT or DELETE is
 * repeated as RFC 9110, section 9.2.2, allows; a POST or PATCH never, once it may have been received. It counts towards the rate
 * limits as section 8 has it for the path.
 *
 * @returns status, headers and body of the 2xx as they came, our own credentials masked in the headers
 * @throws {ComandaError} for every answer but a 2xx, and as each method of the client; `invalid_input` also for a path that
 *   leads elsewhere, a header that isn't the caller's to set, or a body where the method has none
 */
export async function request(
  client: Client,
  input: AnyRequest,
  options?: CallOptions,
): Promise<Result<null>> {
  return client.call(buildAnyRequest(input), options);
}

/** @throws {ComandaError} `invalid_input` as {@link request} */
export function buildAnyRequest(input: AnyRequest): BuiltCall<null> {
  try {
    const { method, query = [], headers: added = {}, body, auth } = input;
    // Not every program has types.
    const isBody = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    if (!httpMethods.includes(method) || (auth && !Object.hasOwn(secretsOf, auth)) || !isBody)
      throw refusal(
        t`A request requires a method in capitals and a path. Its values are strings.`,
        t`To send an object, use JSON.stringify.`,
      );
    if (body !== undefined && isSafe({ method }))
      throw refusal(t`A ${method} has no body.`, t`Use query parameters instead.`);
    const headers: Record<string, string> = {};
    if (body !== undefined) headers["content-type"] = "application/json";
    for (const [name, value] of Object.entries(added)) headers[name.toLowerCase()] = checked(name, value);
    const url = locate(input.path);
    const pairs: readonly (readonly [string, string])[] = Array.isArray(query)
      ? query
      : Object.entries(query);
    for (const [name, value] of pairs) url.searchParams.append(name, value);
    const { pathname: path, search } = url;
    const segments = segmentsOf(path);
    const operation: Operation | undefined = Object.values(operations).find((each) => {
      const names = segmentsOf(each.path);
      const fits = (name: string, index: number) => name.startsWith("{") || name === segments[index];
      return each.method === method && names.length === segments.length && names.every(fits);
    });
    const isOfAnOrder = operation?.path.includes("{order_id}") ?? true;
    // The order is the segment behind `orders`, where something follows it: `…/orders/4711/…`.
    const place = segments.indexOf("orders") + 1;
    const hasOrder = isOfAnOrder && place > 0 && segments.length > place + 1;
    const segment = hasOrder ? segments[place] : undefined;
    // The path goes out as it was given, but the journal has one name for each order.
    const order = parseOrderId(segment) ?? segment ?? null;
    // Only the answer that the contract describes tells that an order was changed. That to a call of any other path is not
    // shown; but the API's bodies are JSON (section 4), and a page in the answer to a write is no sign that it was done.
    const described = isOfAnOrder ? operation?.response.read : undefined;
    const fields = parseJson(body instanceof Uint8Array ? new TextDecoder().decode(body) : (body ?? ""));
    const asked = {
      orderId: order,
      driverId: isObject(fields) ? fields["driver_id"] : undefined,
      leadsTo: operation?.leadsTo ?? [],
    };
    // Section 8 counts further ones below `summary` apart, too: with it they come too early rather than are refused.
    const [, counted] = /\borders\/(summary|history)(?![^/])/.exec(segments.join("/")) ?? [];
    const bucket = counted === "summary" || counted === "history" ? counted : "general";
    return {
      operation: {
        id: operation?.id ?? anyCallId,
        method,
        scopes: operation?.scopes ?? [],
        bucket: operation?.bucket ?? bucket,
        // RFC 9110, section 9.2.2, and nothing that only this service might promise.
        repeatable: method !== "POST" && method !== "PATCH",
        credentials: auth ? [auth] : (operation?.credentials ?? ["bearer", "api_key"]),
      },
      order,
      path,
      read: (response, json) => {
        if (!described) return isPage(response) && !isSafe({ method }) ? undefined : null;
        const isCut = response.body === "" && isPage(response);
        return isCut || described(json, response.body, asked) === undefined ? undefined : null;
      },
      request: { method, search, headers, ...(body !== undefined && { body }) },
    };
  } catch (error) {
    throw inputError(error, { ...(isObject(input) && input), id: anyCallId });
  }
}

function refusal(message: string, hint: string): ComandaError {
  return new ComandaError("invalid_input", message, { hint });
}

/** A credential goes to the origin and the path that it was given for, and nowhere else: so this is joined to their end. */
function locate(path: string): URL {
  const [beforeQuery = ""] = path.split("?");
  // Does it leave its place upwards, also where a proxy or a server would only see that after decoding?
  const climbs = beforeQuery
    .replaceAll(/%2e/gi, ".")
    .split(/\/|%2f|%5c/i)
    .some((segment) => segment === "." || segment === "..");
  // A URL parser drops tabs and line ends and takes a backslash for a slash. What has a scheme or a host leads elsewhere.
  if (!climbs && /^(?!\/\/|[a-z][a-z\d+.-]*:)[\x21-\x7e]+$/i.test(path) && !/[\\#]/.test(path))
    try {
      const url = new URL(`http://host${path.startsWith("/") ? "" : "/"}${path}`);
      decodeURIComponent(url.pathname);
      return url;
    } catch {
      // What isn't UTF-8 behind its % is told below, with the rest.
    }
  const [, changed] = /^[a-z]:[\\/].*[\\/](api\/.*)$/i.exec(path) ?? [];
  throw refusal(
    t`The path must be below the store's base URL, without a fragment and without . or .. as a segment.`,
    changed === undefined
      ? t`The path is appended to the base URL, so omit scheme and host. Encode everything except visible ASCII with % (UTF-8).`
      : t`Git Bash changes a path that starts with a slash. Omit the first slash: ${changed}`,
  );
}

/** Beside those of credentials: they carry a secret, or frame the message. */
const ownHeaders =
  "cookie proxy-authorization accept-encoding connection content-length expect host keep-alive " +
  "proxy-connection te trailer transfer-encoding upgrade";

/** @returns the value of a header as it goes out */
function checked(typed: string, value: string): string {
  const name = typed.toLowerCase();
  // RFC 9110, section 5.6.2.
  const isToken = /^[!#$%&'*+.^_`|~\w-]+$/.test(name);
  const own: readonly string[] = [...Object.values(credentialHeaders), ...ownHeaders.split(" ")];
  if (!isToken || own.includes(name) || !/^[\t\x20-\x7e]*$/.test(value))
    throw refusal(
      t`The header ${typed} can't be set.`,
      t`A header must be one line of ASCII, and must not sign the call or frame the message.`,
    );
  return value.trim();
}

/** Gives what stands between the slashes, decoded once, without empty segments. */
function segmentsOf(path: string): readonly string[] {
  return path
    .split("/")
    .filter(Boolean)
    .map((segment) => decodeURIComponent(segment));
}
