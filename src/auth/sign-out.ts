/** Revokes at the service, then forgets the tokens and keys: section 4.11 and RFC 7009. */
import type { Transport } from "../client/http/transport.js";
import { ComandaError } from "../client/errors.js";
import type { Session, SessionStore } from "../state/sessions/session.js";
import { noSession } from "./session-errors.js";
import { revokeTokens } from "./token-endpoint.js";

export interface SignOutOptions {
  readonly store: string;
  readonly sessions: Pick<SessionStore, "remove">;
  readonly transport: Transport;
  /** Milliseconds for each request; 20,000 by default. */
  readonly requestTimeoutMs?: number | undefined;
  /** Ends the wait for the service; the session is kept then. */
  readonly signal?: AbortSignal | undefined;
}

export interface SignOutResult {
  /**
   * `nothing_to_revoke`: there was an API key alone, which is issued and withdrawn in the store portal. `failed`: the
   * tokens may work until they expire.
   */
  readonly revocation: "revoked" | "nothing_to_revoke" | "failed";
  /** Why the revocation failed. The program ends with its exit code. */
  readonly error?: ComandaError;
  /** Why the tokens and keys are still stored. The program ends with its exit code. */
  readonly storageError?: ComandaError;
}

/**
 * The tokens and keys are forgotten even if the service fails, and revoked even if the disk fails. The store's alias and
 * environment stay.
 *
 * @throws the signal's reason
 * @throws {ComandaError} `not_signed_in` where the store isn't known, `state_unusable` where its file can't be used
 */
export async function signOut(options: SignOutOptions): Promise<SignOutResult> {
  const { store, sessions } = options;
  let result: SignOutResult | undefined;
  try {
    // Under the lock, or a refresh of another process could bring new tokens that nobody revokes.
    await sessions.remove(store, async (current) => {
      if (current === undefined) throw noSession(store);
      result = await revoke(options, current);
      return { version: 1, store, environment: current.environment };
    });
  } catch (error) {
    if (result === undefined || !(error instanceof ComandaError)) throw error;
    return { ...result, storageError: error };
  }
  return result ?? { revocation: "nothing_to_revoke" };
}

async function revoke(options: SignOutOptions, session: Session): Promise<SignOutResult> {
  const { transport, requestTimeoutMs: timeoutMs, signal } = options;
  const { environment, tokens } = session;
  if (tokens === undefined) return { revocation: "nothing_to_revoke" };
  const error = await revokeTokens({ environment, transport, timeoutMs, signal }, tokens);
  return error === undefined ? { revocation: "revoked" } : { revocation: "failed", error };
}
