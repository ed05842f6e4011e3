/** A store's access token, good for the next call, however many processes use the store at once. */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import type { Session, Tokens } from "../state/sessions/session.js";
import type { Answered, RefreshTools, SignedInSession } from "./refresh.js";
import { gone, moved, notSignedIn } from "./session-errors.js";

export interface AccessTokenOptions extends RefreshTools {
  /** The session as it was read at the start: its environment is the only one its tokens are for. */
  readonly session: Session;
  /** Milliseconds that a token must have left to be used; a minute by default. */
  readonly mustHaveMs?: (tokens: Tokens) => number;
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
  /**
   * When the sign-in of the newest token took place, in milliseconds since the epoch. `undefined` where that isn't
   * kept.
   */
  signedInAt(): number | undefined;
}

/** Milliseconds that a token must have left to be used: time for a slow call, and for clocks that differ. */
const leastMs = 60_000;

/** Of a token that lives for less than four minutes a quarter of its life, or it would be renewed at each call. */
export function quarterOfLifeMs({ issued_at: issuedAt = -Infinity, expires_at: expiresAt }: Tokens): number {
  return Math.min(leastMs, (expiresAt - issuedAt) / 4);
}

/**
 * One refresh at a time in this process, whoever asks; between processes the store's lock does the same.
 * A refresh that is out is never cut off: its answer may hold the only refresh token that still works.
 */
export function createAccessTokenSource(options: AccessTokenOptions): AccessTokenSource {
  const { sessions, clock, mustHaveMs = () => leastMs } = options;
  const { store, environment } = options.session;
  let latest: Tokens | undefined = options.session.tokens;
  let signedInAt = options.session.signed_in_at;
  const flights = new Map<string, Promise<string>>();

  // A token that can't be renewed is used until it expires.
  const isFresh = (tokens: Tokens): boolean =>
    tokens.expires_at - clock.now() > (tokens.refresh_token === undefined ? 0 : mustHaveMs(tokens));

  const checked = (current: Session | undefined): SignedInSession => {
    const wasSignedIn = options.session.tokens !== undefined;
    if (wasSignedIn && current?.tokens === undefined) throw gone(store, environment);
    if (current?.tokens === undefined) throw notSignedIn(store, environment);
    const { base_url, client_id } = current.environment;
    if (base_url !== environment.base_url || client_id !== environment.client_id) throw moved(store);
    signedInAt = current.signed_in_at;
    return { ...current, tokens: current.tokens };
  };

  /** Under the store's lock: takes the stored token if it will do, else refreshes. */
  const underLock = async (willDo: (tokens: Tokens) => boolean): Promise<string> => {
    let taken: Tokens | undefined;
    const answers = new Map<string, Answered>();
    await sessions.update(store, async (current, write, lease) => {
      const session = checked(current);
      taken = session.tokens;
      if (willDo(taken)) return undefined;
      // Loaded only when a refresh is due, once in two hours.
      const { refreshSession } = await import("./refresh.js");
      taken = await refreshSession({ ...options, session, write, lease, answers });
      return undefined;
    });
    latest = taken ?? checked(await sessions.read(store)).tokens;
    return latest.access_token;
  };

  /**
   * A token that is due for renewal but still valid is used if nothing can be written. The service was not asked then:
   * the mark of a refresh is written first.
   */
  const stillGood = async (failure: unknown): Promise<string> => {
    if (!(failure instanceof ComandaError && failure.code === "state_unusable")) throw failure;
    const { tokens, refresh_in_flight: flight } = checked(await sessions.read(store));
    if (flight !== undefined || tokens.expires_at <= clock.now()) throw failure;
    options.debug?.(t`The access token of the store ${store} is used up to its end. ${failure.message}`);
    return tokens.access_token;
  };

  const single = (key: string, run: () => Promise<string>): Promise<string> => {
    const running = flights.get(key);
    if (running !== undefined) return running;
    const flight = run().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };

  return {
    signedInAt: () => signedInAt,

    async fresh() {
      if (latest !== undefined && isFresh(latest)) return latest.access_token;
      return single("fresh", async () => {
        const { tokens } = checked(await sessions.read(store));
        if (isFresh(tokens)) {
          latest = tokens;
          return tokens.access_token;
        }
        return underLock(isFresh).catch(stillGood);
      });
    },

    async renew(refused) {
      // Of many calls that were refused together, the first one's refresh serves the others.
      if (latest !== undefined && latest.access_token !== refused && isFresh(latest))
        return latest.access_token;
      return single(`renew ${refused}`, () =>
        underLock((tokens) => tokens.access_token !== refused && isFresh(tokens)),
      );
    },
  };
}
