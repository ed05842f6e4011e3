import type { OAuthErrorIdentifier } from "../../../contract/errors.js";

/** A refusal by the authorization server. Both texts travel to the client: no secret belongs into them. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";

  constructor(
    /** The identifier of section 7 or of RFC 6749, section 5.2. */
    readonly error: OAuthErrorIdentifier,
    /** A sentence for the developer of the client. */
    readonly description: string,
  ) {
    super(`${error}: ${description}`);
  }
}
