/**
 * The emulator's error responses. The specification leaves these points open, no reading (`../readings.ts`) changes them, and a
 * client must accept other choices as well:
 *
 * - **Order of checks**: 401, 403, 429, then the order (4041) and the body (4000), then the status (4002). A request that is
 *   rejected with 401 or 403 doesn't count against the rate limit; any other does. OAuth calls aren't counted.
 * - A path parameter that isn't an integer is an unknown order, 4041. An order whose type can't be dispatched is rejected with
 *   4002, and a body of another content type with 4000.
 * - The cart of a pre-filled order may contain any item.
 */
import type * as z from "zod/mini";

import { checkWire, detailsOf } from "../../api/input.js";
import { errorCodes } from "../../api/values.js";

/** Thrown for a request that the service rejects, also if a program calls the emulator in its own process. */
export class Refused extends RangeError {
  constructor(
    readonly status: number,
    readonly body: object,
    /** The reason in words, without secrets. */
    reason: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(reason);
  }
}

/** Creates a rejection, with a code if section 7 names one. */
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

/** Returns the parsed value, or throws a {@link Refused} with code 4000 that calls the value `owner`. */
export function checked<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  owner: string,
): z.output<Schema> {
  const result = checkWire(schema, value, owner);
  if (result.ok) return result.value;
  throw invalid(detailsOf(result));
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
