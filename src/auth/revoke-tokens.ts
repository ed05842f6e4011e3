/** Makes the service forget a sign-in's tokens: section 4.11 and RFC 7009. */
import type { Tokens } from "../state/sessions/session.js";
import { ComandaError } from "../shared/errors.js";
import type { Call } from "./protocol.js";
import { refusalError, transportFault } from "./refusals.js";
import { revokeToken } from "./token-endpoint.js";

/**
 * @returns what stood against it; `undefined` where the service accepts the tokens no more
 * @throws the signal's reason
 */
export async function revokeTokens(
  call: Call,
  tokens: Pick<Tokens, "access_token" | "refresh_token">,
): Promise<ComandaError | undefined> {
  // The refresh token first: it outlives the other, and its end usually is the other's too (RFC 7009, 2.1).
  for (const token of [tokens.refresh_token, tokens.access_token]) {
    if (token === undefined) continue;
    try {
      const answer = await revokeToken(call, token);
      if (answer.kind === "refused") return refusalError(answer, "the revocation", call.environment);
    } catch (error) {
      call.signal?.throwIfAborted();
      const fault = transportFault(error, "the revocation");
      if (fault instanceof ComandaError) return fault;
      throw fault;
    }
  }
  return undefined;
}
