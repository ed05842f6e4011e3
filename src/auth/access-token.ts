/** A store's access token, good for the next call, however many processes use the store at once. */
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Session, Tokens } from "../state/sessions/session.js";
import type { RefreshAnswer, RefreshTools, SignedInSession } from "./refresh.js";
import { notRenewed, signedOutMeanwhile, signedInElsewhere, notSignedIn } from "./session-errors.js";

export interface AccessTokenOptions extends RefreshTools {
  /** The session as it was read at the start: its environment is the only one its tokens are for. */
  readonly session: Session;
  /** Milliseconds that a token must have left to be used; a minute by default. */
  readonly leastLifeMs?: (tokens: Tokens) => number;
}

/** Every function throws {@link ComandaError} of `not_signed_in`, `token_refused`, or as the refresh does. */
export interface AccessTokenSource {
  /** A token that is good for more than a minute, refreshed where needed. */
  fresh(): Promise<string>;
  /**
   * Another token than `refused`, which the API answered 401 to: the one that another process wrote meanwhile,
   * or else the outcome of one refresh.
   */
  renew(refused: string): Promise<string>;
  /** Did another process get this token? */
  isAdopted(token: string): boolean;
  /**
   * When the sign-in of the newest token took place, in milliseconds since the epoch. `undefined` where that isn't
   * kept.
   */
  signedInAt(): number | undefined;
}

/** A slow call, or clocks that differ, must not outlast the token. */
const usualLeastLifeMs = 60_000;

/** Takes a quarter of a token's life where that is less than a minute: a short token would be renewed at each call. */
export function leastLifeOfShortTokens({
  issued_at: issuedAt = -Infinity,
  expires_at: expiresAt,
}: Tokens): number {
  return Math.min(usualLeastLifeMs, (expiresAt - issuedAt) / 4);
}

/**
 * Callers in this process share one refresh at a time; between processes the store's lock does the same.
 * A refresh that is out is never cut off: its answer may hold the only refresh token that still works.
 */
export function createAccessTokenSource(options: AccessTokenOptions): AccessTokenSource {
  const { sessions, clock, leastLifeMs = () => usualLeastLifeMs } = options;
  const { store, environment } = options.session;
  let latest: Tokens | undefined = options.session.tokens;
  let signedInAt = options.session.signed_in_at;
  const requests = new Map<string, Promise<string>>();
  const issued = new Set<string>();

  // A token that can't be renewed is used until it expires.
  const isFresh = (tokens: Tokens) =>
    tokens.expires_at - clock.now() > (tokens.refresh_token === undefined ? 0 : leastLifeMs(tokens));

  const usableSession = (current: Session | undefined): SignedInSession => {
    const wasSignedIn = options.session.tokens !== undefined;
    if (wasSignedIn && current?.tokens === undefined) throw signedOutMeanwhile(store, environment);
    if (current?.tokens === undefined) throw notSignedIn(store, environment);
    const { base_url, client_id } = current.environment;
    if (base_url !== environment.base_url || client_id !== environment.client_id)
      throw signedInElsewhere(store);
    signedInAt = current.signed_in_at;
    return { ...current, tokens: current.tokens };
  };

  /** Takes the stored token where it is usable, since another process may have refreshed it before this one had the lock. */
  const refreshUnderLock = async (isUsable: (tokens: Tokens) => boolean): Promise<string> => {
    let tokens: Tokens | undefined;
    const answers = new Map<string, RefreshAnswer>();
    let hasBegun = false;
    const renewal = sessions.update(store, async (current, write, lease) => {
      hasBegun = true;
      const session = usableSession(current);
      tokens = session.tokens;
      if (isUsable(tokens)) return undefined;
      // Loaded only when a refresh is due, once in two hours.
      const { refreshSession } = await import("./refresh.js");
      tokens = await refreshSession({ ...options, session, write, lease, answers });
      issued.add(tokens.access_token);
      return undefined;
    });
    await renewal.catch((error: unknown) => {
      throw hasBegun ? error : notRenewed(options.session, error);
    });
    latest = tokens ?? usableSession(await sessions.read(store)).tokens;
    return latest.access_token;
  };

  /**
   * A token that is due for renewal but still valid is used if nothing can be written. The service was not asked then:
   * the mark of a refresh is written first.
   */
  const validDespiteFailure = async (failure: unknown): Promise<string> => {
    if (!(failure instanceof ComandaError && failure.code === "state_unusable")) throw failure;
    const { tokens, refresh_in_flight: flight } = usableSession(await sessions.read(store));
    if (flight !== undefined || tokens.expires_at <= clock.now()) throw failure;
    options.debug?.(t`The access token of the store ${store} is used up to its end. ${failure.message}`);
    return tokens.access_token;
  };

  const shareRequest = (key: string, run: () => Promise<string>): Promise<string> => {
    const pending = requests.get(key);
    if (pending !== undefined) return pending;
    const request = run().finally(() => requests.delete(key));
    requests.set(key, request);
    return request;
  };

  return {
    signedInAt: () => signedInAt,
    isAdopted: (token) => !issued.has(token),

    async fresh() {
      if (latest !== undefined && isFresh(latest)) return latest.access_token;
      return shareRequest("fresh", async () => {
        const { tokens } = usableSession(await sessions.read(store));
        if (isFresh(tokens)) {
          latest = tokens;
          return tokens.access_token;
        }
        return refreshUnderLock(isFresh).catch(validDespiteFailure);
      });
    },

    async renew(refused) {
      // The refresh of the first call serves all others that were refused together with it.
      if (latest !== undefined && latest.access_token !== refused && isFresh(latest))
        return latest.access_token;
      return shareRequest(`renew ${refused}`, () =>
        refreshUnderLock((tokens) => tokens.access_token !== refused && isFresh(tokens)),
      );
    },
  };
}
