/** Any call below the base URL, for what the specification names and doesn't show (section 4.12). */
import * as z from "zod/mini";

import { checkInput, invalidInput } from "./checks.js";
import { isObject, parseJson } from "../api/json.js";
import { t } from "../languages/language.js";
import { once } from "../api/once.js";
import type { RateBucket } from "../api/limits.js";
import { credentialHeaders, operations, type Operation } from "../api/operations.js";
import { signatures, type Signature } from "./credentials.js";
import { anyCallId, readerOf, readerOfAny } from "./judge.js";
import { isOfAnOrder, userAgent, type BuiltCall, type CalledOperation, type Destination } from "./request.js";
import type { HttpRequest } from "./transport.js";

/** A call of `client.request`. */
export interface AnyRequest {
  /**
   * The method in capitals. GET and HEAD have no body. POST and PATCH are never repeated once they may have been
   * received.
   */
  readonly method: HttpMethod;
  /**
   * Below the base URL, for example `/api/partner/v1/orders/history`. It may carry a query, and may be an absolute
   * URL as long as that lies below the base URL too.
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
  readonly auth?: Signature;
}

/**
 * @throws {ComandaError} `invalid_input` for a path that leads elsewhere, a header that isn't the caller's to set,
 *   or a body where the method has none
 */
export function buildAnyRequest({ baseUrl }: Destination, input: AnyRequest): BuiltCall<null> {
  const checked = checkInput(requestSchema(), input, { owner: t`A request`, kind: "field" });
  const { method, path, query = [], headers = {}, body, auth } = checked;
  const url = locate(baseUrl, path);
  const pairs = isTexts(query) ? Object.entries(query) : query;
  for (const [name, value] of pairs) url.searchParams.append(name, value);
  const below = url.pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, "").length);
  const { operation, order, response } = recogniseCall(method, below, auth);
  const read = response?.read;
  // Only the answer that the contract describes tells that an order was changed.
  const readOrder = read && readerOf(read, { orderId: order, driverId: driverIn(body) });
  return {
    operation,
    order,
    path: below,
    read: readOrder
      ? (answer, json) => (readOrder(answer, json) ? { value: null } : undefined)
      : readerOfAny({ method }),
    request: {
      method,
      url: url.href,
      headers: {
        accept: "application/json",
        "user-agent": userAgent,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...checkedHeaders(headers),
      },
      ...(body === undefined ? {} : { body }),
    },
  };
}

function driverIn(body: AnyRequest["body"]): unknown {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  const fields = text === undefined ? undefined : parseJson(text);
  return isObject(fields) ? fields["driver_id"] : undefined;
}

/** It checks what the types promise, since not every program has types. */
const requestSchema = once(() =>
  z
    .strictObject({
      method: z.enum(httpMethods),
      path: z.string(),
      query: z.optional(
        z.custom<NonNullable<AnyRequest["query"]>>(
          isQuery,
          t`must hold names with their values as texts\nFor example: { page: "2" }`,
        ),
      ),
      headers: z.optional(z.custom<Readonly<Record<string, string>>>(isTexts, t`must be an object of texts`)),
      body: z.optional(
        z.custom<string | Uint8Array>(
          (value) => typeof value === "string" || value instanceof Uint8Array,
          t`must be a text or a Uint8Array\nAn object becomes a text with JSON.stringify.`,
        ),
      ),
      auth: z.optional(z.enum(signatures)),
    } satisfies Record<keyof AnyRequest, z.ZodMiniType>)
    .check(
      z.refine(({ method, body }) => body === undefined || (method !== "GET" && method !== "HEAD"), {
        error: () =>
          t`can't be there, since a GET or HEAD has no body\nWhat a GET asks for goes into its query.`,
        path: ["body"],
      }),
    ),
);

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((text) => typeof text === "string");
}

function isQuery(value: unknown): boolean {
  if (!Array.isArray(value)) return isTexts(value);
  return value.every(
    (pair) => Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string"),
  );
}

/** A credential goes to the origin and the path that it was given for, and nowhere else. */
function locate(baseUrl: string, path: string): URL {
  const refuse = (why: string) =>
    invalidInput(t`The path ${why}.`, t`It begins with a slash and is joined to ${baseUrl}.`);
  // A URL parser drops tabs and line ends and takes a backslash for a slash.
  if (path === "" || /[^\x21-\x7e]|\\/.test(path))
    throw refuse(t`must be visible ASCII without spaces and backslashes; encode the rest with %`);
  const absolute = /^[a-z][a-z\d+.-]*:/i.test(path);
  const whole = absolute ? path : `${baseUrl}${path.startsWith("/") ? "" : "/"}${path}`;
  const [beforeQuery = ""] = path.split("?");
  const isPlain = !path.includes("#") && !path.startsWith("//") && !climbs(beforeQuery);
  if (isPlain && URL.canParse(whole)) {
    const url = new URL(whole);
    if (liesBelow(url, new URL(baseUrl))) return url;
  }
  throw refuse(t`must lie below the store's base URL, without a fragment and without . or .. as a segment`);
}

function liesBelow({ origin, username, password, pathname }: URL, base: URL): boolean {
  const prefix = base.pathname.replace(/\/*$/, "/");
  return origin === base.origin && username + password === "" && pathname.startsWith(prefix);
}

/** Does it leave its place upwards, also where a proxy or a server would only see that after decoding? */
function climbs(path: string): boolean {
  return path
    .replaceAll(/%2e/gi, ".")
    .split(/\/|%2f|%5c/i)
    .some((segment) => segment === "." || segment === "..");
}

/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/** They carry credentials, or frame the message. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...Object.values(credentialHeaders),
  ..."cookie proxy-authorization".split(" "),
  ..."accept-encoding connection content-length expect host keep-alive proxy-connection te trailer transfer-encoding upgrade".split(
    " ",
  ),
]);

function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([typed, value]) => {
      const name = typed.toLowerCase();
      if (!token.test(name))
        throw invalidInput(
          t`"${typed}" can't be the name of a header.`,
          t`A name is letters, digits and dashes.`,
        );
      if (ownHeaders.has(name))
        throw invalidInput(
          t`The header ${name} can't be set.`,
          t`Leave it out: calls are signed with the store's own credentials, and what frames a message is made from the address and the body.`,
        );
      if (!/^[\t\x20-\x7e]*$/.test(value))
        throw invalidInput(
          t`The header ${name} must be one line of ASCII.`,
          t`Encode what isn't, for example with %.`,
        );
      return [name, value.trim()];
    }),
  );
}

export type HttpMethod = HttpRequest["method"];

export const httpMethods: readonly HttpMethod[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** RFC 9110, section 9.2.2, and nothing that only this service might promise. */
const repeatableMethods: ReadonlySet<HttpMethod> = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/**
 * @param path below the base URL, as it goes out
 * @param signature in place of what the operation takes
 */
export function recogniseCall(method: HttpMethod, path: string, signature?: Signature) {
  const segments = segmentsOf(path);
  const operation: Operation | undefined = Object.values(operations).find(
    (each) => each.method === method && isPathOf(each, segments),
  );
  return {
    operation: {
      id: operation?.id ?? anyCallId,
      scopes: operation?.scopes ?? [],
      bucket: bucketOf(segments.join("/").toLowerCase()),
      repeatable: repeatableMethods.has(method),
      credentials: signature === undefined ? (operation?.credentials ?? ["bearer", "api_key"]) : [signature],
    } satisfies CalledOperation,
    order: orderIn(segments),
    /** Of an operation that changes an order: only the answer that the contract describes tells that it was done. */
    response: operation && isOfAnOrder(operation.id) ? operation.response : undefined,
  };
}

type Segments = readonly string[];

/** Gives what stands between the slashes, decoded once, without empty segments and an extension at the end. */
function segmentsOf(path: string): Segments {
  const [beforeQuery = ""] = path.split("?");
  return beforeQuery
    .replace(/\.[a-z]+\/*$/i, "")
    .split("/")
    .filter((each) => each !== "")
    .map(decodedOnce);
}

/** May the service take a path of these segments for the operation's? Capital letters make no difference. */
function isPathOf({ path }: Operation, segments: Segments): boolean {
  const names = segmentsOf(path);
  return (
    names.length === segments.length &&
    names.every((name, index) => name.startsWith("{") || name === segments[index]?.toLowerCase())
  );
}

/** The order is the segment behind `orders`, where something follows it: `…/orders/4711/…`. */
function orderIn(segments: Segments): string | null {
  const place = segments.findIndex((each) => each.toLowerCase() === "orders");
  const isNamed = place !== -1 && segments.length > place + 2;
  return isNamed ? (segments[place + 1] ?? null) : null;
}

/**
 * Section 8 gives 5 a minute to each of `/orders/summary`, `/orders/summary/*` and `/orders/history`. Further ones
 * below `summary` are counted with it: too early is better than refused.
 */
function bucketOf(path: string): RateBucket {
  const [, name, rest] = /\borders\/(summary|history)(\/.*)?$/.exec(path) ?? [];
  if (name === "history") return "history";
  if (name === undefined) return "general";
  return rest === "/grouped" ? "summary_grouped" : "summary";
}

function decodedOnce(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
