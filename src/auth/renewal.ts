/** Renews a store's access token once for all processes that use it (RFC 6749, section 6; RFC 9700, section 4.14). */
import type { Clock } from "../base/clock.js";
import { ComandaError, isComandaError } from "../base/errors.js";
import { TransportError } from "../client/transport.js";
import { t } from "../languages/language.js";
import type { Session, SessionLease, SessionStore, Tokens } from "../state/sessions.js";
import type { IssuedTokens, OAuthCall, Refusal } from "./tokens.js";

export interface RenewalOptions extends Pick<OAuthCall, "transport"> {
  /** The session as it was read at the start. Its tokens are sent only to its environment. */
  readonly session: Session;
  readonly sessions: Pick<SessionStore, "read" | "update">;
  readonly clock: Clock;
  /** Process id that is recorded in the mark of a pending refresh. */
  readonly pid: number;
  /** Shortest remaining lifetime of a usable token, in milliseconds, to allow for slow calls and wrong clocks (default: 60,000). */
  readonly leastLifeMs?: (tokens: Tokens) => number;
  /** Milliseconds for one refresh request (default: 60,000). */
  readonly timeoutMs?: number;
  readonly debug?: ((message: string) => void) | undefined;
}

type SignedIn = Session & { readonly tokens: Tokens };

/**
 * Creates a source of valid access tokens. Callers in this process share one refresh at a time; the store's lease ensures the
 * same between processes. A refresh is never aborted, because its response may contain the only refresh token that still works.
 * Its functions throw `not_signed_in`, also after a new sign-in if the given session has tokens, `token_refused` (sign in again),
 * `state_unusable`, or the error of the request, which leaves the tokens unchanged.
 */
export function createAccessTokenSource(options: RenewalOptions) {
  const { sessions, transport, clock, pid, timeoutMs: mostMs = 60_000, debug } = options;
  const { store, environment } = options.session;
  const signInHint = () => signInAgain(options.session);
  /** The newest tokens that this process has read. */
  let latest = options.session.tokens;
  /** Pending renewals by the token that the API has rejected, if any. */
  const renewals = new Map<string | undefined, Promise<string>>();
  const ownTokens = new Set<string>();
  /** Responses that aren't stored yet, by refresh token, so that restarted work doesn't send a second request. */
  const answers = new Map<string, IssuedTokens>();

  // A token without a refresh token is used until it expires.
  const isUsable = (tokens: Tokens, refused: string | undefined) => {
    const leastMs = tokens.refresh_token === undefined ? 0 : (options.leastLifeMs?.(tokens) ?? 60_000);
    return tokens.access_token !== refused && tokens.expires_at - clock.now() > leastMs;
  };

  function signedIn(current: Session | undefined): SignedIn {
    const { base_url, client_id } = current?.environment ?? environment;
    const isElsewhere = base_url !== environment.base_url || client_id !== environment.client_id;
    if (current?.tokens === undefined || isElsewhere) {
      const message = t`The store ${store} is not signed in.`;
      throw new ComandaError("not_signed_in", message, signInHint());
    }
    const { tokens, signed_in_at: signedInAt } = options.session;
    if (tokens && current.signed_in_at !== signedInAt) throw newSignIn(store);
    return { ...current, tokens: current.tokens };
  }

  /** Refreshes the stored token, unless another process has done so before this one got the lease. */
  async function renewed(refused: string | undefined): Promise<string> {
    let { tokens } = signedIn(await sessions.read(store));
    try {
      if (!isUsable(tokens, refused))
        await sessions.update(store, async (current, lease) => {
          const session = signedIn(current);
          tokens = isUsable(session.tokens, refused) ? session.tokens : await refresh(session, lease);
          return undefined;
        });
    } catch (error) {
      const isUnusable = isComandaError(error, "state_unusable") || isComandaError(error, "unreachable");
      if (!isUnusable || answers.size === 0) throw error;
      const message = t`The service renewed the tokens of the store ${store}, but they could not be saved, and the saved ones may no longer work. ${error.message}`;
      throw error.reworded(message, signInHint());
    }
    latest = tokens;
    return tokens.access_token;
  }

  /**
   * Marks the session as being refreshed, sends the request, and stores the result in disk space that was reserved with the mark.
   */
  async function refresh(session: SignedIn, lease: SessionLease): Promise<Tokens> {
    const { tokens } = session;
    const spent = tokens.refresh_token;
    const expired = t`The access token of the store ${store} has expired and can't be renewed: the sign-in has no refresh token.`;
    if (spent === undefined) throw new ComandaError("token_refused", expired, signInHint());
    // The service has rejected this refresh token, so only a new sign-in helps.
    if (session.refused_at !== undefined && !answers.has(spent)) throw signInRefused(session);
    const { Refusal } = await import("./tokens.js");
    if (!answers.has(spent)) {
      await lease.write({ ...session, refresh_in_flight: { started_at: clock.now(), pid } });
      try {
        answers.set(spent, await requestRefresh(session, spent, lease));
      } catch (error) {
        if (!(error instanceof Refusal && refusesToken(error))) {
          // The mark is removed only if the refresh token is certainly unused. An older mark stays as it was.
          if (error instanceof Refusal || isUnsent(error)) await lease.write(session);
          throw error;
        }
        // While this process has the lease, the stored generation is newer only if a backup was restored.
        const stored = await sessions.read(store);
        if (stored?.tokens && stored.tokens.generation > tokens.generation) return stored.tokens;
        // A rejection without a reason may come from a proxy, so the next run tries again.
        const isFinal = error.serviceMessage !== null;
        await lease.write(isFinal ? { ...session, refused_at: clock.now() } : session);
        throw signInRefused(session, error);
      }
    }
    const now: Tokens = { ...tokens, ...answers.get(spent), generation: tokens.generation + 1 };
    const next: Session = { ...session, tokens: now };
    delete next.refresh_in_flight;
    delete next.refused_at;
    await lease.write(next);
    answers.delete(spent);
    ownTokens.add(now.access_token);
    debug?.(t`The access token of the store ${store} was renewed.`);
    return now;
  }

  /** Sends the refresh request. Retries only if it certainly wasn't sent; otherwise waits up to a minute for the response, as gateways do. */
  async function requestRefresh(session: Session, spent: string, lease: SessionLease): Promise<IssuedTokens> {
    const { requestTokens } = await import("./tokens.js");
    for (let attempt = 1; ; attempt += 1) {
      try {
        // After the lease has expired, another machine may send the same refresh token.
        lease.assertHeld();
        const timeoutMs = Math.min(mostMs, lease.leftMs());
        const call = { environment: session.environment, transport, clock, timeoutMs };
        return await requestTokens(call, "refresh_token", { refresh_token: spent });
      } catch (error) {
        const fault = error instanceof ComandaError ? error.cause : undefined;
        const canRetry = fault instanceof TransportError && !fault.sent && fault.failure !== "tls";
        if (!canRetry || attempt === 3) throw error;
        await clock.sleep(Math.random() * 125 * 2 ** attempt);
      }
    }
  }

  /** Returns a token that is valid for more than a minute. `refused` is a token that the API has rejected with 401. */
  async function token(refused?: string): Promise<string> {
    if (latest !== undefined && isUsable(latest, refused)) return latest.access_token;
    const renewal = renewals.get(refused) ?? renewed(refused).finally(() => renewals.delete(refused));
    renewals.set(refused, renewal);
    return renewal;
  }

  /** `isAdopted` returns whether another process obtained this token. */
  return { bearer: token, renew: token, isAdopted: (given: string) => !ownTokens.has(given) };
}

/** Returns whether only a new sign-in helps: after any rejection except those that would also fail a new sign-in. */
function refusesToken({ code, httpStatus }: Refusal): boolean {
  if (code === "configuration" || code === "server_error") return false;
  return code === "token_refused" || httpStatus === 400 || httpStatus === 401;
}

/** Returns whether the refresh token is certainly unused despite the error. */
function isUnsent(error: unknown): boolean {
  if (!(error instanceof ComandaError)) return false;
  if (error.cause instanceof TransportError) return !error.cause.sent;
  return ["rate_limited", "configuration", "lock_timeout"].includes(error.code);
}

/**
 * Creates the error for a store that was signed in again. The orders and figures of a program belong to one store, even if someone signs
 * in to another one with its alias meanwhile, so the rest of its work needs another connection.
 */
export function newSignIn(store: string): ComandaError {
  return new ComandaError("not_signed_in", t`Someone has signed in to ${store} again.`, {
    hint: t`Nothing more was sent, because the new sign-in may be for another store.`,
    hintFacts: { about: "new_sign_in", store },
  });
}

/** Returns the options of an error whose only hint is to sign in again. */
function signInAgain({ store, environment }: Session) {
  return { hint: undefined, hintFacts: { about: "sign_in", store, environment: environment.name } } as const;
}

/** @param refusal the service's rejection; `undefined` if it rejected an earlier run */
function signInRefused(session: Session, refusal?: Refusal): ComandaError {
  const { httpStatus = null, serviceMessage = null, details = null } = refusal ?? {};
  const why = t`The service no longer accepts the sign-in of the store ${session.store}. Possible causes: the sign-in was restored from a backup or copied to another machine, the app was uninstalled, its access was revoked, or comanda was killed during a renewal.`;
  const message = refusal ? `${refusal.message} ${why}` : why;
  const facts = { ...signInAgain(session), httpStatus, serviceMessage, details };
  return new ComandaError("token_refused", message, facts);
}
