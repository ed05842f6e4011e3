/** Decides whether a request to the redirect address answers the sign-in: section 5.2, step 3. Pure. */
import * as z from "zod/mini";

import { tokenSchema } from "../contract/oauth.js";

/** What the wait is for. */
export interface PendingCallback {
  readonly state: string;
  /** The redirect address's own query, which comes back with the answer. */
  readonly query: URLSearchParams;
}

/** The service's answer to the sign-in. */
export type Callback =
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "error"; readonly error: string; readonly description: string | undefined };

/** Why parameters are not an answer to the sign-in. The wait goes on. */
export interface NoCallback {
  readonly kind: "none";
  readonly reason: "wrong_state" | "wrong_address" | "repeated" | "incomplete";
}

/**
 * State is checked before anything else: without it any web page could end a sign-in with an image tag.
 * Parameters that nobody knows are ignored (RFC 6749, 4.1.2), `iss` included: the service defines none.
 */
export function judgeParameters(
  parameters: URLSearchParams,
  { state, query }: PendingCallback,
): Callback | NoCallback {
  const states = parameters.getAll("state");
  // All are compared, so that the time it takes reveals nothing.
  if (!(states.map((given) => sameSecret(given, state)).every(Boolean) && states.length === 1)) {
    return { kind: "none", reason: "wrong_state" };
  }
  for (const name of new Set(query.keys())) {
    if (!sameValues(parameters.getAll(name), query.getAll(name))) {
      return { kind: "none", reason: "wrong_address" };
    }
  }
  for (const name of new Set(parameters.keys())) {
    // RFC 6749, section 3.1: parameters must not be included more than once.
    if (!query.has(name) && parameters.getAll(name).length > 1) return { kind: "none", reason: "repeated" };
  }
  const code = parameters.get("code");
  const error = parameters.get("error");
  if (error !== null && error !== "" && code === null) {
    return { kind: "error", error, description: parameters.get("error_description") ?? undefined };
  }
  if (code !== null && error === null && z.safeParse(tokenSchema(), code).success) {
    return { kind: "code", code };
  }
  return { kind: "none", reason: "incomplete" };
}

/** What a request is made of, as far as it matters. */
export interface CallbackRequest {
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  /** Every `Host` header. */
  readonly hosts: readonly string[];
}

export interface RefusedRequest {
  readonly kind: "refused";
  readonly status: 400 | 404 | 405;
  readonly reason: string;
}

/** Only `GET` on the exact path with the right `Host` can be an answer. */
export function judgeRequest(
  request: CallbackRequest,
  address: { readonly host: string; readonly path: string },
  pending: PendingCallback,
): Callback | RefusedRequest {
  const refused = refuseRequest(request, address);
  if (refused !== undefined) return refused;
  const judged = judgeParameters(new URLSearchParams(splitTarget(request.target).query), pending);
  return judged.kind === "none" ? { kind: "refused", status: 400, reason: judged.reason } : judged;
}

/** `undefined` for a `GET` on the exact path with the right `Host`. */
export function refuseRequest(
  { method, target, hosts }: CallbackRequest,
  address: { readonly host: string; readonly path: string },
): RefusedRequest | undefined {
  // Another name that leads here is a page of somebody else's (DNS rebinding).
  if (hosts.length !== 1 || hosts[0]?.toLowerCase() !== address.host) {
    return { kind: "refused", status: 400, reason: "wrong_host" };
  }
  if (splitTarget(target).path !== address.path)
    return { kind: "refused", status: 404, reason: "wrong_path" };
  return method === "GET" ? undefined : { kind: "refused", status: 405, reason: "wrong_method" };
}

function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf("?");
  return mark === -1
    ? { path: target, query: "" }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** Takes as long whatever is given: only the length of what is expected shows, which is no secret. */
function sameSecret(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let index = 0; index < expected.length; index += 1)
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
  return difference === 0;
}

function sameValues(given: readonly string[], expected: readonly string[]): boolean {
  return given.length === expected.length && given.every((value, index) => value === expected[index]);
}
