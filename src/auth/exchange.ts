/** Tokens from the service into the stored session, and back to the service at the sign-out: section 5.2, steps 4 to 6, and 4.11. */
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
  /** A sentence for the person about what goes on; holds no secret. */
  readonly notify?: (message: string) => void;
}

/**
 * Tokens that can't be stored are revoked, and so are those of the sign-in that this one replaces.
 *
 * @throws {ComandaError} `access_denied`, `token_refused` (the code), and as {@link requestTokens} and the store of sessions
 * @throws the signal's reason; nothing is written then
 */
export async function exchangeAndKeep(
  options: ExchangeOptions,
  { state, codeVerifier }: { readonly state: string; readonly codeVerifier: string },
  callback: Callback,
): Promise<Session> {
  const { environment, store, sessions, transport, signal, notify } = options;
  if ("error" in callback) throw new Refusal("the sign-in", environment, [state, codeVerifier], callback);
  const secrets = { code: callback.code, code_verifier: codeVerifier };
  const tokens = await requestTokens(options, "authorization_code", secrets);
  // A person or a browser waits for a revocation.
  const revocation = { environment, transport, timeoutMs: 5000 };
  let former: Session | undefined;
  let written: Session | undefined;
  try {
    written = await sessions.update(store, (current) => {
      signal?.throwIfAborted();
      refuseForeign(current, store, environment);
      former = current;
      // Another process may still hold the older tokens: the number tells it that these are newer.
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
  const end = { ...revocation, environment: former?.environment ?? environment };
  if (former?.tokens && (await revokeTokens(end, former.tokens)))
    notify?.(t`The previous sign-in to ${store} could not be revoked and may stay valid until it expires.`);
  return written;
}

/** @throws {ComandaError} `invalid_input`: a token or key of one environment must never meet another's addresses (section 1) */
export function refuseForeign(current: Session | undefined, store: string, environment: Environment): void {
  if (current === undefined) return;
  const { name, base_url } = current.environment;
  const hasKey = (current.api_key ?? current.partner_key) !== undefined;
  if (name === environment.name && (base_url === environment.base_url || !hasKey)) return;
  const message = t`The store ${store} belongs to the environment ${name} (${base_url}).`;
  throw new ComandaError("invalid_input", message, { hintFacts: { about: "other_environment", store } });
}

/**
 * Tokens and keys are forgotten even if the service fails. Alias and environment stay.
 *
 * @returns `error`: why the tokens were not revoked, so that they may work until they expire
 * @throws {ComandaError} `not_signed_in` where the store isn't known, `state_unusable` where its file can't be used
 */
export async function signOut(
  store: string,
  sessions: Pick<SessionStore, "update">,
  call: Omit<OAuthCall, "environment">,
) {
  let result: { readonly former: Session; readonly error: ComandaError | undefined } | undefined;
  // Under the lease, or a refresh of another process could bring new tokens that nobody revokes.
  await sessions.update(store, async (former) => {
    if (former === undefined)
      throw new ComandaError("not_signed_in", t`There is no store "${store}" on this machine.`, {
        hintFacts: { about: "stores" },
      });
    const { environment, tokens } = former;
    result = { former, error: tokens && (await revokeTokens({ ...call, environment }, tokens)) };
    return { version: 1, store, environment };
  });
  if (result === undefined) throw new TypeError("the store of sessions did not read");
  return result;
}
