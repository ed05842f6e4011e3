/**
 * The specification leaves these points about authorisation open, and no reading (`../../readings.ts`) is a switch for
 * them. A client that works only with these choices is wrong: the real service may choose differently.
 */
import type { OAuthErrorIdentifier } from "../../../contract/errors.js";
import { accessTokenSeconds } from "../../../contract/limits.js";
import type { Readings } from "../../readings.js";

/** Codes and tokens live so many seconds. A refresh token lives from its own issue; each refresh begins anew. */
export function lifetimesOf({ refresh_days, code_seconds }: Readings): Lifetimes {
  return { accessTokenSeconds, refreshTokenSeconds: refresh_days * 24 * 3600, codeSeconds: code_seconds };
}

/** The two endpoints don't read on beyond so many bytes of a request body, and answer 413. */
export const maximumFormBytes = 64 * 1024;

/*
 * These choices can't be expressed as constants:
 *
 * - A code stays good after a refused exchange (wrong verifier, client or redirect address); only a successful
 *   one uses it up.
 * - Revoking a refresh token revokes its family: every token that came from the same consent. A token of another
 *   client is refused with `invalid_grant`.
 * - An app has one installation at a store. A further consent renews its scopes; tokens that came from the
 *   former consent live on with theirs, so that a call may fail on either (section 5.3, rule 2).
 * - Uninstalling also ends codes that were not exchanged yet.
 * - The authorization page answers with an error page, and never redirects, where the client or the redirect
 *   address is wrong, where a parameter is repeated, and where `state` is missing, since an app must refuse a
 *   redirect without it. Any later error goes to the redirect address with `state` (RFC 6749, section 4.1.2.1).
 * - Someone who isn't the owner sees a page that explains it; its button leads to the redirect address with
 *   `access_denied`. An owner without a store is treated alike.
 */

/** Codes and tokens live this long, in seconds. */
export interface Lifetimes {
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly codeSeconds: number;
}

/** @throws {RangeError} where a lifetime is not a positive number */
export function changeLifetimes(current: Lifetimes, change: Partial<Lifetimes>): Lifetimes {
  for (const [name, seconds] of Object.entries(change)) {
    if (!Number.isFinite(seconds) || seconds <= 0) throw new RangeError(`${name} must be a positive number`);
  }
  return { ...current, ...change };
}

/** The authorization server refuses with this error. Both texts travel to the client, so no secret may be in them. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";

  constructor(
    /** The identifier is one of section 7 or of RFC 6749, section 5.2. */
    readonly error: OAuthErrorIdentifier,
    /** The description is a sentence for the developer of the client. */
    readonly description: string,
  ) {
    super(`${error}: ${description}`);
  }
}
