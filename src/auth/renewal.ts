/** A store's access token, good for the next call, however many processes use the store: RFC 6749, 6, and RFC 9700, 4.14. */
import type { Clock } from "../base/clock.js";
import { ComandaError } from "../base/errors.js";
import { TransportError } from "../client/transport.js";
import { t } from "../languages/language.js";
import type { Lease } from "../state/leases.js";
import type { Session, SessionStore, SessionWrite, Tokens } from "../state/sessions.js";
import type { IssuedTokens, OAuthCall, Refusal } from "./tokens.js";

export interface RenewalOptions extends Pick<OAuthCall, "transport"> {
  /** The session as it was read at the start: its environment is the only one its tokens are for. */
  readonly session: Session;
  readonly sessions: Pick<SessionStore, "read" | "update">;
  readonly clock: Clock;
  /** The mark that a refresh is out names this process. */
  readonly pid: number;
  /** Milliseconds that a token must have left to be used: a slow call, or clocks that differ, must not outlast it. */
  readonly leastLifeMs?: (tokens: Tokens) => number;
  /** Milliseconds for one refresh request; 60,000 by default. */
  readonly timeoutMs?: number;
  readonly debug?: ((message: string) => void) | undefined;
}

type SessionLease = Omit<Lease, "keep">;
type SignedIn = Session & { readonly tokens: Tokens };

/**
 * Callers in this process share one refresh at a time; between processes the store's lease does the same. A refresh that is out is
 * never cut off: its answer may hold the only refresh token that still works. Its functions throw `not_signed_in`, `token_refused`
 * (sign in again), `state_unusable`, or an error of the request, which leaves the tokens as they were.
 */
export function createAccessTokenSource(options: RenewalOptions) {
  const { sessions, transport, clock, pid, timeoutMs: mostMs = 60_000, debug } = options;
  const { store, environment } = options.session;
  const signInHint = () => signInAgain(options.session);
  /** The newest that this process knows, and when its sign-in took place (milliseconds since the epoch), where that is kept. */
  const own = { latest: options.session.tokens, signedInAt: options.session.signed_in_at };
  /** By the token that the API has refused, if any. */
  const requests = new Map<string | undefined, Promise<string>>();
  const ownTokens = new Set<string>();
  /** What the service gave for a refresh token, until it is stored: work that starts again doesn't ask twice. */
  const answers = new Map<string, IssuedTokens>();

  // A token that can't be renewed is used until it expires.
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
    own.signedInAt = current.signed_in_at;
    return { ...current, tokens: current.tokens };
  }

  /** Takes the stored token where it is usable: another process may have refreshed it before this one had the lease. */
  async function renewed(refused: string | undefined): Promise<string> {
    let { tokens } = signedIn(await sessions.read(store));
    try {
      if (!isUsable(tokens, refused))
        await sessions.update(store, async (current, write, lease) => {
          const session = signedIn(current);
          tokens = isUsable(session.tokens, refused) ? session.tokens : await refresh(session, write, lease);
          return undefined;
        });
    } catch (error) {
      const isLost = error instanceof ComandaError && error.code === "state_unusable" && answers.size > 0;
      if (!isLost) throw error;
      const message = t`The service renewed the tokens of the store ${store}, but they could not be saved, and the saved ones may no longer work. ${error.message}`;
      throw error.reworded(message, signInHint());
    }
    own.latest = tokens;
    return tokens.access_token;
  }

  /**
   * The session is marked while the request is out, and kept whatever its outcome. What it becomes is written into room that was
   * taken together with the mark.
   */
  async function refresh(session: SignedIn, write: SessionWrite, lease: SessionLease): Promise<Tokens> {
    const { tokens } = session;
    const spent = tokens.refresh_token;
    const over = t`The access token of the store ${store} is no longer valid, and there is no refresh token to renew it.`;
    if (spent === undefined) throw new ComandaError("token_refused", over, signInHint());
    // The token was refused for good until the next sign-in: another request would only be refused, too.
    if (session.refused_at !== undefined && !answers.has(spent)) throw signInRefused(session);
    const { Refusal } = await import("./tokens.js");
    if (!answers.has(spent)) {
      await write({ ...session, refresh_in_flight: { started_at: clock.now(), pid } });
      try {
        answers.set(spent, await ask(session, spent, lease));
      } catch (error) {
        if (!(error instanceof Refusal && refusesToken(error))) {
          // The mark is removed only where the token is certainly unspent; an older mark keeps its meaning.
          if (error instanceof Refusal || isUnsent(error)) await write(session);
          throw error;
        }
        // The lease should make this impossible; a restored backup does not.
        const stored = await sessions.read(store);
        if (stored?.tokens && stored.tokens.generation > tokens.generation) return stored.tokens;
        // An unexplained refusal may come from a proxy instead of the service: the next run tries again.
        const isFinal = error.serviceMessage !== null;
        await write(isFinal ? { ...session, refused_at: clock.now() } : session);
        throw signInRefused(session, error);
      }
    }
    const now: Tokens = { ...tokens, ...answers.get(spent), generation: tokens.generation + 1 };
    const next: Session = { ...session, tokens: now };
    delete next.refresh_in_flight;
    delete next.refused_at;
    await write(next);
    answers.delete(spent);
    ownTokens.add(now.access_token);
    debug?.(t`The access token of the store ${store} was refreshed.`);
    return now;
  }

  /** Repeats the request only where it certainly was not sent; else it is awaited as long as gateways await one, a minute. */
  async function ask(session: Session, spent: string, lease: SessionLease): Promise<IssuedTokens> {
    const { requestTokens } = await import("./tokens.js");
    for (let attempt = 1; ; attempt += 1) {
      try {
        // When the lease has ended, another machine may send the refresh token.
        lease.assertHeld();
        const timeoutMs = Math.min(mostMs, lease.leftMs());
        const call = { environment: session.environment, transport, clock, timeoutMs };
        return await requestTokens(call, "refresh_token", { refresh_token: spent });
      } catch (error) {
        const fault = error instanceof ComandaError ? error.cause : undefined;
        const isWorthwhile = fault instanceof TransportError && !fault.sent && fault.failure !== "tls";
        if (!isWorthwhile || attempt === 3) throw error;
        await clock.sleep(Math.random() * 125 * 2 ** attempt);
      }
    }
  }

  /**
   * A token that is good for more than a minute, and another one than the API has answered 401 to: what this process has, what
   * another one wrote meanwhile, or what a refresh gives.
   */
  async function token(refused?: string): Promise<string> {
    if (own.latest !== undefined && isUsable(own.latest, refused)) return own.latest.access_token;
    const request = requests.get(refused) ?? renewed(refused).finally(() => requests.delete(refused));
    requests.set(refused, request);
    return request;
  }

  /** `isAdopted`: did another process get this token? */
  return { own, bearer: token, renew: token, isAdopted: (given: string) => !ownTokens.has(given) };
}

/** Does only a new sign-in help? The specification names no identifier for that: all count but those that a sign-in would meet. */
function refusesToken({ code, httpStatus }: Refusal): boolean {
  if (code === "configuration" || code === "server_error") return false;
  return code === "token_refused" || httpStatus === 400 || httpStatus === 401;
}

/** Is the refresh token certainly unspent, in spite of this error? */
function isUnsent(error: unknown): boolean {
  if (!(error instanceof ComandaError)) return false;
  if (error.cause instanceof TransportError) return !error.cause.sent;
  return ["rate_limited", "configuration", "lock_timeout"].includes(error.code);
}

/** Returns the hint, which is all of an error's. */
export function signInAgain({ store, environment }: Session) {
  return { hint: undefined, hintFacts: { about: "sign_in", store, environment: environment.name } } as const;
}

/** @param refusal absent where an earlier run was refused */
function signInRefused(session: Session, refusal?: Refusal): ComandaError {
  const { httpStatus = null, serviceMessage = null, details = null } = refusal ?? {};
  const why = t`The service no longer accepts the sign-in of the store ${session.store}. Possible causes: the app was uninstalled, its access was revoked, or comanda was killed during a refresh.`;
  const message = refusal ? `${refusal.message} ${why}` : why;
  const facts = { ...signInAgain(session), httpStatus, serviceMessage, details };
  return new ComandaError("token_refused", message, facts);
}
