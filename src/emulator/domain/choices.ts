/**
 * What the specification does not show and the emulator therefore chooses, in one place. Nothing here is a
 * promise of the service: a client must do with any other choice as well.
 *
 * Beside the constants:
 *
 * - **Order of checks**: 401, 403, 429, 404 (4041), 400 (4000), 409 (4002). A refusal by 401 or 403 takes
 *   no place in the rate limit; a call that is let through does, whatever its answer. A 429 takes none.
 * - **Two credentials on one call**: where the operation accepts Bearer tokens, an `Authorization` header
 *   decides, and `X-API-KEY` is looked at only without one.
 * - **OAuth calls are not counted**: the limits are counted for a store, and those calls have none.
 * - **What section 4.12 names** is answered 501, after credentials and rate limit: `partner-api/unshown.ts`.
 * - **A path parameter that is no integer** is an order that does not exist: 404 with 4041.
 * - **Statuses that each call accepts**: `transitions.ts`. An order that can't be dispatched or delivered
 *   because of its type is refused with 4002 too, the one error that those calls list.
 * - **Assigning a driver** is possible in every status, since section 4.1 lists no 4002.
 * - **Cancelling an order paid online by credit card** goes through `canceling`. It settles after
 *   {@link cancellation}`.afterSeconds` on the emulator's clock, with {@link cancellation}`.result`; both can
 *   be set through the control surface. By default it settles at once, so that the call ends in `canceled`
 *   as the table of section 3 has it.
 * - **A body where none is asked for** (dispatch, delivered, finalize) is ignored.
 * - **A body that is needed** must be of the contract's content type; else it is invalid: 400 with 4000.
 * - **A pre-filled order** has to fit the catalog: an item, option group, option or combo step that is named and
 *   isn't there is an invalid parameter (4000). One that is not named is left to the customer, who goes on in the
 *   menu; so are an empty cart, a combo without all of its steps and a delivery without an address. A quantity is 1
 *   where it isn't given, and at least 0 as section 2.3 has it for an order's items; no most is shown. Its links
 *   lead to the address that the call was made to.
 */
import { errorCodes } from "../../contract/errors.js";
import type { ErrorBody } from "../../contract/error-body.js";

/** The HTTP status of the four status changes: an empty answer. */
export const statusChangeSuccess = 204;

/** The HTTP status of a pre-filled order that was made. */
export const prefilledOrderSuccess = 201;

/** A refusal: HTTP status and body. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 501;
  readonly body: ErrorBody;
}

/** Section 7: "no details field in the shown case". */
export const unauthenticated: Refusal = {
  status: 401,
  body: { code: errorCodes.invalidToken, message: "Invalid token" },
};

/** The code and the body of 403 are not shown. */
export function missingScope(scope: string): Refusal {
  return {
    status: 403,
    body: { code: 4030, message: "Insufficient scope", details: `The scope ${scope} is missing` },
  };
}

/** The code and the body of 429 are not shown. A `Retry-After` header in whole seconds goes with it. */
export const rateLimited: Refusal = { status: 429, body: { code: 4290, message: "Rate limit exceeded" } };

export const notFound: Refusal = {
  status: 404,
  body: { code: errorCodes.notFound, message: "Resource not found" },
};

/** A path of the service, asked with a method that it does not have. An `Allow` header goes with it. */
export const methodNotAllowed: Refusal = { status: 405, body: { code: 4050, message: "Method not allowed" } };

/** Whatever was asked, under a name that is not this machine's: `host-check.ts`. */
export const foreignHost: Refusal = {
  status: 403,
  body: { code: 4030, message: "Forbidden", details: "The Host must be this machine" },
};

/** A request whose address is none. */
export const unreadableAddress: Refusal = {
  status: 400,
  body: {
    code: errorCodes.invalidParameters,
    message: "Invalid parameters",
    details: "The address or the Host of the request can't be read",
  },
};

export const bodyTooLarge: Refusal = { status: 413, body: { code: 4130, message: "Body too large" } };

/** @param name as section 4.12 calls it */
export function notShown(name: string): Refusal {
  const details = `The specification names ${name} (section 4.12) and doesn't show it; a test can put an answer here`;
  return { status: 501, body: { code: 5010, message: "Not shown", details } };
}

export const internalError: Refusal = { status: 500, body: { code: 5000, message: "Internal error" } };

export function invalidParameters(details: string): Refusal {
  return {
    status: 400,
    body: { code: errorCodes.invalidParameters, message: "Invalid parameters", details },
  };
}

/** The HTTP status of code 4002 is not shown. */
export function statusCannotChange(details: string): Refusal {
  return {
    status: 409,
    body: { code: errorCodes.statusCannotChange, message: "Order status cannot be changed", details },
  };
}

/** How a cancellation that goes through `canceling` ends, unless the control surface says otherwise. */
export const cancellation = { afterSeconds: 0, result: "succeeds" } as const;

/** The largest request body that is read, in bytes. */
export const largestBody = 1_048_576;
