/**
 * The refusals as the emulator writes them, and what it chose where no reading (`../readings.ts`) is a switch for it.
 * Nothing here is a promise of the service: a client must do with any other choice as well.
 *
 * - **Order of checks**: 401, 403, 429, then the order (4041) and the body (4000), then the status (4002). A refusal by
 *   401 or 403 takes no place in the rate limit; a call that is let through does, whatever its answer.
 * - **OAuth calls are not counted**: the limits are counted for a store, and those calls have none.
 * - **What section 4.12 names** is answered 501, after credentials and rate limit: `partner-api/unshown.ts`.
 * - **A path parameter that is no integer** is an order that does not exist: 4041.
 * - **An order that can't be dispatched or delivered because of its type** is refused with 4002, the one error that
 *   those calls list.
 * - **A body that is needed** must be of the contract's content type; else it is invalid: 4000.
 * - **A pre-filled order** has to fit the catalog: an item, option group, option or combo step that is named and isn't
 *   there is an invalid parameter (4000). An empty cart, a combo without all of its steps and a delivery without an
 *   address are left to the customer, who goes on in the menu. A quantity is 1 where it isn't given, and at least 0 as
 *   section 2.3 has it for an order's items; no most is shown. Its links lead to the address that the call was made to.
 */
import { errorCodes } from "../../api/errors.js";

/** A request, or a program in the emulator's own process, asked for what can't be. */
export class Refused extends RangeError {
  constructor(readonly refusal: Refusal) {
    super(refusal.body.details ?? refusal.body.message);
  }
}

export function invalid(details: string): Refused {
  const code = errorCodes.invalidParameters;
  return new Refused({ status: 400, body: { code, message: "Invalid parameters", details } });
}

/** A refusal has a code where section 7 names one. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 501;
  readonly body: { readonly code?: number; readonly message: string; readonly details?: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Section 7 says "no details field in the shown case". */
export const unauthenticated: Refusal = {
  status: 401,
  body: { code: errorCodes.invalidToken, message: "Invalid token" },
};

export function missingScope(scope: string): Refusal {
  return {
    status: 403,
    body: { message: "Insufficient scope", details: `The scope ${scope} is missing` },
  };
}

/** @param retryAfter in whole seconds, or a date as HTTP writes it */
export function rateLimited(retryAfter?: number | string): Refusal {
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return { status: 429, body: { message: "Rate limit exceeded" }, headers };
}

export const notFound: Refusal = {
  status: 404,
  body: { code: errorCodes.notFound, message: "Resource not found" },
};

/** The service has this path, but only with these methods. */
export function methodNotAllowed(allow: readonly string[]): Refusal {
  return { status: 405, body: { message: "Method not allowed" }, headers: { allow: allow.join(", ") } };
}

export function forbidden(details: string): Refusal {
  return { status: 403, body: { message: "Forbidden", details } };
}

export const bodyTooLarge: Refusal = { status: 413, body: { message: "Body too large" } };

/** @param name as section 4.12 calls it */
export function notShown(name: string): Refusal {
  const details = `The specification names ${name} (section 4.12) and doesn't show it; a test can put an answer here`;
  return { status: 501, body: { message: "Not shown", details } };
}

export const internalError: Refusal = { status: 500, body: { message: "Internal error" } };

export function statusCannotChange(details: string): Refusal {
  return {
    status: 409,
    body: { code: errorCodes.statusCannotChange, message: "Order status cannot be changed", details },
  };
}
