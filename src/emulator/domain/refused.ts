/**
 * The refusals as the emulator writes them. It chose, where no reading (`../readings.ts`) is a switch for it, and a client must do
 * with any other choice as well:
 *
 * - **Order of checks**: 401, 403, 429, then the order (4041) and the body (4000), then the status (4002). A refusal by
 *   401 or 403 takes no place in the rate limit; a call that is let through does. OAuth calls are not counted.
 * - A path parameter that is no integer is an order that does not exist, 4041; an order whose type can't be dispatched is
 *   refused with 4002; a body of another content type is invalid, 4000.
 * - The cart of a pre-filled order may name any item.
 */
import { errorCodes } from "../../api/values.js";

/** A request, or a program in the emulator's own process, asked for what can't be. */
export class Refused extends RangeError {
  constructor(
    readonly status: number,
    readonly body: object,
    /** The reason in words; no secret may be in it. */
    reason: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(reason);
  }
}

/** A refusal has a code where section 7 names one. */
export function refused(
  status: number,
  message: string,
  { code, details }: { readonly code?: number; readonly details?: string } = {},
  headers?: Readonly<Record<string, string>>,
): Refused {
  const body = { ...(code !== undefined && { code }), message, ...(details !== undefined && { details }) };
  return new Refused(status, body, details ?? message, headers);
}

export function invalid(details: string): Refused {
  return refused(400, "Invalid parameters", { code: errorCodes.invalidParameters, details });
}

/** Section 7 says "no details field in the shown case". */
export function unauthenticated(): Refused {
  return refused(401, "Invalid token", { code: errorCodes.invalidToken });
}

/** @param retryAfter in whole seconds, or a date as HTTP writes it */
export function rateLimited(retryAfter?: number | string): Refused {
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return refused(429, "Rate limit exceeded", {}, headers);
}

export function notFound(): Refused {
  return refused(404, "Resource not found", { code: errorCodes.notFound });
}

export function forbidden(details: string): Refused {
  return refused(403, "Forbidden", { details });
}
