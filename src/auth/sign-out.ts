/** Revokes at the service, then forgets: section 4.11 and RFC 7009. */
import type { Transport } from "../client/transport.js";
import { ComandaError } from "../errors/index.js";
import type { Session, SessionStore } from "../state/session.js";
import { refusalError, transportFault } from "./refusals.js";
import { notKnown } from "./session-errors.js";
import { revokeToken } from "./token-endpoint.js";

export interface SignOutOptions {
  readonly store: string;
  readonly sessions: SessionStore;
  readonly transport: Transport;
  /** Milliseconds for each request; 20,000 by default. */
  readonly requestTimeoutMs?: number;
  /** Ends the wait for the service; the session is kept then. */
  readonly signal?: AbortSignal;
}

export type SignOutResult =
  /** Nothing is stored any more, and the service accepts the tokens no more. */
  | { readonly revocation: "revoked" }
  /** There was an API key alone: it is issued and withdrawn in the store portal. */
  | { readonly revocation: "nothing_to_revoke" }
  /**
   * Nothing is stored any more, but the tokens may work until they expire. The program warns with `error` and
   * ends with its exit code.
   */
  | { readonly revocation: "failed"; readonly error: ComandaError };

/**
 * The session is forgotten whatever the service says.
 *
 * @throws the signal's reason
 * @throws {ComandaError} `not_signed_in` where the store isn't known, `state_unusable` where its file can't be used
 */
export async function signOut(options: SignOutOptions): Promise<SignOutResult> {
  const { store, sessions } = options;
  let result: SignOutResult = { revocation: "nothing_to_revoke" };
  // Under the lock, or a refresh of another process could bring new tokens that nobody revokes.
  await sessions.update(store, async (current) => {
    if (current === undefined) throw notKnown(store);
    result = await revoke(options, current);
    return undefined;
  });
  await sessions.remove(store);
  return result;
}

async function revoke(options: SignOutOptions, session: Session): Promise<SignOutResult> {
  const { environment, tokens } = session;
  if (tokens === undefined) return { revocation: "nothing_to_revoke" };
  const call = {
    environment,
    transport: options.transport,
    ...(options.requestTimeoutMs === undefined ? {} : { timeoutMs: options.requestTimeoutMs }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  // The refresh token first: it outlives the other, and its end usually is the other's too (RFC 7009, 2.1).
  for (const token of [tokens.refresh_token, tokens.access_token]) {
    if (token === undefined) continue;
    try {
      const answer = await revokeToken(call, token);
      if (answer.kind === "revoked") continue;
      return { revocation: "failed", error: refusalError(answer, "the revocation", environment) };
    } catch (error) {
      options.signal?.throwIfAborted();
      const fault = transportFault(error, "the revocation");
      if (fault instanceof ComandaError) return { revocation: "failed", error: fault };
      throw fault;
    }
  }
  return { revocation: "revoked" };
}
