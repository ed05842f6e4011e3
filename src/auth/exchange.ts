/** Stores the tokens of a new sign-in, and revokes them at sign-out: section 5.2, steps 4 to 6, and section 4.11. */
import type { Clock } from "../base/clock.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import type { Environment, Session, SessionStore } from "../state/sessions.js";
import type { Callback } from "./authorize.js";
import { Refusal, requestTokens, revokeTokens, type OAuthCall } from "./tokens.js";

export interface ExchangeOptions extends OAuthCall {
  readonly store: string;
  readonly sessions: Pick<SessionStore, "update">;
  readonly clock: Clock;
  /** Shows a notice to the user. The message contains no secret. */
  readonly notify?: (message: string) => void;
}

/**
 * Exchanges the code for tokens and stores them. Revokes the tokens of the previous sign-in, and the new ones if they can't be
 * stored.
 *
 * @throws {ComandaError} `access_denied`, `token_refused` (the code), and the errors of {@link requestTokens} and `sessions`
 * @throws the signal's reason, before anything is written
 */
export async function exchangeAndStore(
  options: ExchangeOptions,
  { state, codeVerifier }: { readonly state: string; readonly codeVerifier: string },
  callback: Callback,
): Promise<Session> {
  const { environment, store, sessions, transport, signal, notify } = options;
  if ("error" in callback) throw new Refusal("the sign-in", environment, [state, codeVerifier], callback);
  const secrets = { code: callback.code, code_verifier: codeVerifier };
  const tokens = await requestTokens(options, "authorization_code", secrets);
  // The user and the browser wait for the revocation.
  const revocation = { environment, transport, timeoutMs: 5000 };
  let previous: Session | undefined;
  let written: Session | undefined;
  try {
    written = await sessions.update(store, (current) => {
      signal?.throwIfAborted();
      checkEnvironment(current, store, environment);
      previous = current;
      // A process that still has the previous tokens adopts the higher generation.
      const generation = (current?.tokens?.generation ?? 0) + 1;
      const { api_key, partner_key } = current ?? {};
      const keys = { ...(api_key && { api_key }), ...(partner_key && { partner_key }) };
      const signedIn = { tokens: { ...tokens, generation }, signed_in_at: tokens.issued_at };
      return Promise.resolve({ version: 1, store, environment, ...keys, ...signedIn });
    });
  } catch (error) {
    await revokeTokens(revocation, tokens);
    signal?.throwIfAborted();
    throw error;
  }
  if (written === undefined) throw new TypeError("the session was not written");
  const end = { ...revocation, environment: previous?.environment ?? environment };
  if (previous?.tokens && (await revokeTokens(end, previous.tokens)))
    notify?.(t`The previous sign-in to ${store} could not be revoked and may stay valid until it expires.`);
  return written;
}

/** @throws {ComandaError} `invalid_input`: tokens and keys must never be sent to another environment's addresses (section 1) */
export function checkEnvironment(current: Session | undefined, store: string, environment: Environment) {
  if (current === undefined) return;
  const { name, base_url } = current.environment;
  const hasKey = (current.api_key ?? current.partner_key) !== undefined;
  if (name === environment.name && (base_url === environment.base_url || !hasKey)) return;
  const message = t`The store ${store} belongs to the environment ${name} (${base_url}).`;
  throw new ComandaError("invalid_input", message, { hintFacts: { about: "alias_taken", store } });
}

/**
 * Revokes and deletes a store's tokens and keys. They are deleted even if the service fails; alias and environment stay.
 *
 * @returns `error` if the tokens were not revoked and may stay valid until they expire
 * @throws {ComandaError} `not_signed_in` if the store doesn't exist, `state_unusable` if its session can't be used
 */
export async function signOut(
  store: string,
  sessions: Pick<SessionStore, "update">,
  call: Omit<OAuthCall, "environment">,
) {
  let result: { readonly former: Session; readonly error: ComandaError | undefined } | undefined;
  // The lease prevents another process from storing refreshed tokens that would never be revoked.
  await sessions.update(store, async (former) => {
    if (!former)
      throw new ComandaError("not_signed_in", t`The store ${store} is not signed in.`, {
        hintFacts: { about: "stores" },
      });
    const { environment, tokens } = former;
    result = { former, error: tokens && (await revokeTokens({ ...call, environment }, tokens)) };
    return { version: 1, store, environment };
  });
  if (result === undefined) throw new TypeError("the store of sessions did not read");
  return result;
}
