/**
 * With `comanda/oauth` the Owners of many stores authorise one server (section 5.2), and their tokens stay valid.
 *
 * ```js
 * import { createOAuth } from "comanda/oauth";
 *
 * // `store` is a {@link TokenStore}: examples/sql-token-store.mjs has one for a table of your own database.
 * const oauth = createOAuth({ authUrl, baseUrl, clientId, redirectUri, store });
 *
 * // 1. Send the Owner to `url`; keep `pending` in the session of that browser.
 * const { url, pending } = await oauth.authorizationUrl();
 * // 2. At the redirect address: take `pending` out of the session again.
 * const { key } = await oauth.callback(request.url, pending);
 * // 3. Whenever you call for that store, on any server:
 * await oauth.client(key).dispatchOrder(4711);
 * ```
 *
 * Importing it does nothing. It runs wherever there is a `fetch` and Web Crypto.
 *
 * @packageDocumentation
 */
import { authorizationUrl, createOneTimeValues, judgeParameters } from "../auth/authorize.js";
import { createAccessTokenSource } from "../auth/renewal.js";
import { isLoopbackHost, isObject } from "../base/basics.js";
import type { Client } from "../client/client.js";
import { checkOptions, type ClientOptions, type Credentials } from "../client/options.js";
import { fetchTransport, normalizeBaseUrl, type Transport } from "../client/transport.js";
import { systemClock, type Clock } from "../base/clock.js";
import { ComandaError, completeHint } from "../base/errors.js";
import { callbackFailed, guardedTransport } from "./callbacks.js";
import { authorizeAgain, oauthHint, withHints } from "./hints.js";
import { createClient } from "./index.js";
import { openTokenSessions, type TokenStore } from "./token-store.js";

export {
  createMemoryTokenStore,
  type LoadedTokens,
  type StoredTokens,
  type TokenStore,
} from "./token-store.js";
export { ComandaError, type ErrorCode } from "../base/errors.js";
export type { Credentials } from "../client/options.js";

export interface OAuthOptions {
  /** The service gave this `auth_url` of the portal (section 1); a query of its own stays. */
  readonly authUrl: string;
  /** Tokens are asked for at the API's `base_url` (section 1), and never sent elsewhere. */
  readonly baseUrl: string;
  /** Allows `http:` to another machine, for tests against an emulator alone. The default is false. */
  readonly allowInsecure?: boolean;
  /** The app has this public id (section 5.2). There is no secret. */
  readonly clientId: string;
  /** The redirect address is written as it was registered, to the letter (section 5.2). */
  readonly redirectUri: string;
  readonly store: TokenStore;
  /** Requests for tokens go through this transport. The default is the platform's `fetch`. */
  readonly transport?: Transport;
  readonly clock?: Clock;
  /**
   * Further options of a store's client, such as a rate limiter that several servers share. Called once for each store, with its
   * key.
   */
  readonly clientOptions?: (key: string) => StoreClientOptions;
  /** One request for tokens may take this many milliseconds (default: 20,000). All servers must have the same value. */
  readonly timeoutMs?: number;
}

/**
 * An authorization needs this until the Owner comes back. It is plain data for the session of that browser. Keep it
 * from everybody else (section 5.2, step 1), and encrypt it where it lies in a cookie. Take it out in one step when the Owner
 * comes back: of two callbacks with the same one the second sends a code that was used, for which a service may revoke the tokens
 * of the first (RFC 6749, 4.1.2).
 */
export interface PendingAuthorization {
  /** The tokens will be kept under this key. */
  readonly key: string;
  readonly state: string;
  readonly codeVerifier: string;
  /** The authorization expires at this time, in milliseconds since the epoch, ten minutes after it began. */
  readonly expiresAt: number;
}

export interface AuthorizedStore {
  /** Every other call takes this key. Keep it with what you know of this store. It is no secret. */
  readonly key: string;
  /** The service granted these scopes (section 5.3); the list is empty where it named none. */
  readonly scopes: readonly string[];
}

/** Options of `createClient`, except those that belong to a store. */
export type StoreClientOptions = Omit<Partial<ClientOptions>, "baseUrl" | "allowInsecure" | "credentials">;

/** `createClient` takes these credentials of one store. */
export interface StoreCredentials extends Credentials {
  bearer(): Promise<string>;
  renew(refused: string): Promise<string>;
}

const optionKinds = {
  authUrl: "a string",
  baseUrl: "a string",
  allowInsecure: "a boolean",
  clientId: "a string",
  redirectUri: "a string",
  store: "an object",
  transport: "an object",
  clock: "an object",
  clientOptions: "a function",
  timeoutMs: "a number of at least 0",
} as const;

/** @throws {ComandaError} `configuration`: RFC 6749, 3.1.2, forbids a fragment */
function parsed(field: "authUrl" | "redirectUri", text: string): URL {
  if (URL.canParse(text) && !text.includes("#")) return new URL(text);
  throw new ComandaError("configuration", `${field} must be a URL without a fragment.`, {
    field,
    hint: "Use the address that is registered for the app.",
  });
}

function baseUrlOf({ baseUrl, allowInsecure }: OAuthOptions): string {
  try {
    return normalizeBaseUrl(baseUrl, allowInsecure);
  } catch (error) {
    throw completeHint(error, oauthHint);
  }
}

/** @throws {ComandaError} `invalid_input` */
function checkKey(key: unknown): void {
  if (typeof key !== "string")
    throw new ComandaError("invalid_input", "key must be a string.", { field: "key" });
}

/**
 * Makes everything that a server needs to act for stores by OAuth. Make one for each environment.
 *
 * The service takes the second use of a refresh token for a theft: two servers that refresh at once, or one that is ended
 * before it has stored the answer, lose the store. So a refresh is noted in `store` before it goes out, and its tokens are
 * stored before they are used.
 *
 * @throws {ComandaError} `invalid_input` for an option that isn't valid, `configuration` for an address that can't be used
 */
export function createOAuth(options: OAuthOptions) {
  checkOptions(options, optionKinds, ["clientId", "store"]);
  const { store, clientId, clock = systemClock, timeoutMs = 20_000 } = options;
  const transport = options.transport ? guardedTransport(options.transport) : fetchTransport();
  const { allowInsecure = false } = options;
  const authUrl = parsed("authUrl", options.authUrl);
  const isOpen = authUrl.protocol === "http:" && (allowInsecure || isLoopbackHost(authUrl.hostname));
  if ((!isOpen && authUrl.protocol !== "https:") || authUrl.username + authUrl.password !== "")
    throw new ComandaError("configuration", "authUrl must start with https://, and contain no user name.", {
      field: "authUrl",
      hint: "http:// is allowed for this machine's loopback addresses, and in tests with allowInsecure.",
    });
  const address = parsed("redirectUri", options.redirectUri);
  const environment = {
    name: clientId,
    base_url: baseUrlOf(options),
    allow_insecure: allowInsecure,
    auth_url: options.authUrl,
    client_id: clientId,
    redirect_uri: options.redirectUri,
  };
  const sessions = openTokenSessions(store, environment, { clock, timeoutMs });
  const sources = new Map<string, ReturnType<typeof createAccessTokenSource>>();
  const clients = new Map<string, Client>();

  /** Each store has one source: however many clients of it there are, one of them refreshes. */
  function sourceOf(key: string) {
    checkKey(key);
    const source =
      sources.get(key) ??
      createAccessTokenSource({
        session: { version: 1, store: key, environment },
        sessions,
        transport,
        clock,
        // The note of a refresh holds this in the place of a process id: two machines' processes may have the same.
        pid: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
        timeoutMs,
        // A token that lives for seconds only would be renewed at each call.
        leastLifeMs: ({ issued_at = -Infinity, expires_at }) =>
          Math.min(60_000, (expires_at - issued_at) / 4),
      });
    sources.set(key, source);
    return source;
  }

  function clientOptionsOf(key: string): StoreClientOptions | undefined {
    let given: StoreClientOptions | undefined;
    try {
      given = options.clientOptions?.(key);
    } catch (error) {
      throw callbackFailed("clientOptions", error);
    }
    if (!(given instanceof Promise)) return given;
    given.catch(() => undefined);
    throw new ComandaError("invalid_input", "clientOptions must return an object, not a promise.", {
      field: "clientOptions",
    });
  }

  const credentials = (key: string): StoreCredentials => ({
    bearer: () => withHints(oauthHint, () => sourceOf(key).bearer()),
    renew: (refused) => withHints(oauthHint, () => sourceOf(key).renew(refused)),
    isAdopted: (token) => sourceOf(key).isAdopted(token),
  });

  return {
    /**
     * Begins an authorization: section 5.2, steps 1 and 2. Nothing is kept here.
     *
     * @param options `key`: of a store that is authorised anew, whose tokens are replaced; by default a new, random one
     * @returns `url` is where the Owner's browser goes; `pending` is for `callback`
     */
    async authorizationUrl(options: { readonly key?: string } = {}) {
      checkOptions(options, { key: "a string" });
      const { state, codeVerifier, codeChallenge } = await createOneTimeValues();
      const { key = crypto.randomUUID() } = options;
      // Ten minutes.
      const expiresAt = clock.now() + 600_000;
      const pending: PendingAuthorization = { key, state, codeVerifier, expiresAt };
      return { url: authorizationUrl(environment, { state, codeChallenge }), pending };
    },

    /**
     * Ends the authorization: checks what came back, exchanges the code and saves the tokens (section 5.2, steps 3 to
     * 6). Tokens that can't be saved are revoked, and so are those that these replace.
     *
     * @param url the address that the browser came back to, or its path and query as a server's request has it
     * @returns `key`, which every other call takes and which is no secret, and the `scopes` that were granted
     * @throws {ComandaError} `invalid_input` where the address is no answer to `pending` (another `state`): answer 400;
     * `access_denied`: the Owner refused, or it was no Owner; `token_refused`: the code was used or has expired;
     * `not_signed_in`: it took longer than ten minutes; `state_unusable`: the store failed
     */
    callback: (url: string | URL, pending: PendingAuthorization): Promise<AuthorizedStore> =>
      withHints(oauthHint, async () => {
        if (!isObject(pending))
          throw new ComandaError("invalid_input", "pending must be an object.", { field: "pending" });
        const { key, state, expiresAt } = pending;
        const text = String(url);
        const answer = URL.canParse(text, options.redirectUri)
          ? judgeParameters(new URL(text, options.redirectUri).searchParams, { state, address })
          : undefined;
        // Quotes nothing of the address, since anybody may have written it.
        if (!answer)
          throw new ComandaError("invalid_input", "This is no answer to the authorization.", {
            hint: "Begin anew with authorizationUrl(), and keep pending in the session of the same browser.",
          });
        if (clock.now() > expiresAt)
          throw new ComandaError("not_signed_in", "The authorization took longer than ten minutes.", {
            hint: authorizeAgain,
          });
        const { exchangeAndStore } = await import("../auth/exchange.js");
        const kept = { environment, store: key, sessions, transport, clock, timeoutMs };
        const session = await exchangeAndStore(kept, pending, answer);
        sources.delete(key);
        return { key, scopes: session.tokens?.scopes ?? [] };
      }),

    /**
     * Returns the client of a store, the same for each call with its key: its requests are counted against the rate limits of
     * section 8 together.
     *
     * @throws {ComandaError} `invalid_input` for a key that isn't a string
     */
    client(key: string): Client {
      checkKey(key);
      const client =
        clients.get(key) ??
        createClient({
          ...clientOptionsOf(key),
          baseUrl: environment.base_url,
          allowInsecure,
          credentials: credentials(key),
        });
      clients.set(key, client);
      return client;
    },

    /**
     * Makes credentials for `createClient`: the access token of a store, refreshed where needed, once among all servers
     * that share the store of tokens. A call throws `not_signed_in` for a key that isn't authorised, and `token_refused` where
     * the service accepts it no more, say since the store has uninstalled the app: then the Owner authorises it anew.
     */
    credentials,

    /**
     * Revokes a store's tokens at the service (section 4.11) and forgets them, whatever the service says.
     *
     * @throws {ComandaError} `not_signed_in` for a key that isn't known; the failure of the service or of the store
     */
    revoke: (key: string) =>
      withHints(oauthHint, async () => {
        checkKey(key);
        const { signOut } = await import("../auth/exchange.js");
        try {
          const { error } = await signOut(key, sessions, { transport, timeoutMs });
          if (error) throw error;
        } finally {
          sources.delete(key);
          clients.delete(key);
        }
      }),

    /** Resolves when no refresh is under way. Wait for it before you end the process: a refresh's answer exists nowhere else. */
    idle: () => sessions.idle(),
  };
}

/** Each method throws {@link ComandaError}, and nothing else. */
export type OAuth = ReturnType<typeof createOAuth>;
