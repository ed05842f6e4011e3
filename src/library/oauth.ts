/**
 * With `comanda/oauth`, the owners of many stores authorize one server (section 5.2), whose tokens stay valid.
 *
 * ```js
 * import { createOAuth } from "comanda/oauth";
 *
 * // `store` is a {@link TokenStore}, such as examples/sql-token-store.mjs.
 * const oauth = createOAuth({ authUrl, baseUrl, clientId, redirectUri, store });
 *
 * // 1. Redirect the owner's browser to `url`, and save `pending` in its session.
 * const { url, pending } = await oauth.authorizationUrl();
 * // 2. At the redirect address, remove `pending` from the session.
 * const { key } = await oauth.callback(request.url, pending);
 * // 3. For each call of that store, on any server:
 * await oauth.client(key).dispatchOrder(4711);
 * ```
 *
 * Importing it has no effects. It runs wherever `fetch` and Web Crypto exist.
 *
 * @packageDocumentation
 */
import * as z from "zod/mini";

import { anyText } from "../api/responses.js";
import { custom } from "../api/schema.js";
import {
  authorizationUrl,
  createOneTimeValues,
  judgeParameters,
  parseAddress,
  parsePortalUrl,
} from "../auth/authorize.js";
import { createAccessTokenSource } from "../auth/renewal.js";
import type { Client } from "../client/client.js";
import {
  aNumber,
  checkInput,
  checkOptions,
  objectWith,
  optionalNumber,
  optionKinds,
  type ClientOptions,
  type Credentials,
} from "../client/options.js";
import { fetchTransport, normalizeBaseUrl, requireFunctions, type Transport } from "../client/transport.js";
import { systemClock, type Clock } from "../base/clock.js";
import { ComandaError, completeHint, isComandaError, type ErrorCode } from "../base/errors.js";
import { callbackFailed, guardedTransport, withErrors } from "./callbacks.js";
import { authorizeAgain, oauthHint } from "./hints.js";
import { createClient } from "./index.js";
import { openTokenSessions, type TokenStore } from "./token-store.js";

export { createMemoryTokenStore, type TokenStore } from "./token-store.js";
export type { LoadedTokens, StoredTokens } from "./token-store.js";
export { ComandaError, type ErrorCode } from "../base/errors.js";
export type { Credentials } from "../client/options.js";

export interface OAuthOptions {
  /** Address of the portal, `auth_url` of the specification (section 1). It may have a query. */
  readonly authUrl: string;
  /** Address of the API, `base_url` of the specification (section 1), which also issues the tokens. */
  readonly baseUrl: string;
  /** Allows `http:` to another machine, only for tests against an emulator (default: false). */
  readonly allowInsecure?: boolean | undefined;
  /** Public id of the app (section 5.2). An app has no secret. */
  readonly clientId: string;
  /** Redirect address, exactly as registered (section 5.2). */
  readonly redirectUri: string;
  readonly store: TokenStore;
  /** Transport of requests for tokens (default: the platform's `fetch`). */
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
  /** Returns further options of a store's client, such as a rate limiter that several servers share. Called for each new client. */
  readonly clientOptions?: ((key: string) => StoreClientOptions) | undefined;
  /**
   * Stores whose clients and tokens are cached, an integer of at least 1 (default: 1,000). One more removes the least recently used
   * store, with its client's own rate limiter.
   */
  readonly maxClients?: number | undefined;
  /**
   * Milliseconds for one request for tokens, at most 300,000 (default: 20,000). If a server crashes during a refresh, the others wait
   * this long, so all servers must have the same value.
   */
  readonly timeoutMs?: number | undefined;
}

/**
 * Plain data for the session of the owner's browser. It is a secret (section 5.2, step 1): encrypt it in a cookie. Remove it in
 * one step once the owner returns: if a code is sent twice, a service may revoke the tokens (RFC 6749, 4.1.2).
 */
export interface PendingAuthorization {
  /** Key that the tokens will be stored under. */
  readonly key: string;
  readonly state: string;
  readonly codeVerifier: string;
  /** Time at which the authorization expires, ten minutes after its start, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface AuthorizedStore {
  /** Key of the store for all other functions. Save it with your data of the store; it isn't secret. */
  readonly key: string;
  /** Scopes that the service granted (section 5.3), empty if it returned none. */
  readonly scopes: readonly string[];
}

/** Options of `createClient`, except those that belong to a store. */
export type StoreClientOptions = Omit<ClientOptions, "baseUrl" | "allowInsecure" | "credentials">;

/** Credentials of one store for `createClient`. */
export interface StoreCredentials extends Credentials {
  bearer(): Promise<string>;
  renew(refused: string): Promise<string>;
}

const filledText = () =>
  custom<string>((value) => typeof value === "string" && value !== "", "must be a string that isn't empty");

function optionFields() {
  const { text, boolean, callback, count, clock, transport } = optionKinds();
  return {
    authUrl: text,
    baseUrl: text,
    allowInsecure: boolean,
    clientId: filledText(),
    redirectUri: text,
    store: objectWith("load", "save", "lock"),
    transport,
    clock,
    clientOptions: callback,
    maxClients: count,
    timeoutMs: optionalNumber(
      (ms) => ms > 0 && ms <= 300_000,
      "must be a number above 0 and at most 300,000",
    ),
  };
}

const pendingSchema = () =>
  z.object({
    key: anyText(),
    state: filledText(),
    codeVerifier: filledText(),
    expiresAt: aNumber((ms) => ms >= 0, "must be a number of at least 0"),
  });

interface CachedStore {
  readonly source: ReturnType<typeof createAccessTokenSource>;
  client?: Client;
}

/** The codes of an exchange that ended without tokens, although the service may have accepted the code. */
const exchangeFailures = new Set<ErrorCode>([
  "unreachable",
  "server_error",
  "unexpected_answer",
  "rate_limited",
  "lock_timeout",
]);

const completed = (error: unknown) => completeHint(error, oauthHint);

function checkKey(key: unknown): void {
  checkOptions({ key }, { key: anyText() });
}

/**
 * Creates everything that a server requires to act for stores with OAuth. Create one for each environment.
 *
 * The service treats a second use of a refresh token as theft, for example by two servers that refresh at once. So a refresh is noted
 * in `store` before it is sent, and its tokens are saved before they are used.
 *
 * @throws {ComandaError} `invalid_input` for an option that isn't valid, `configuration` for an address that isn't valid, and in a
 *   runtime that lacks one of the web's globals
 */
export function createOAuth(options: OAuthOptions) {
  const { Response, TextEncoder } = globalThis;
  const web: { readonly crypto?: { readonly subtle?: { readonly digest: unknown } } } = globalThis;
  requireFunctions({ Response, TextEncoder, "crypto.subtle": web.crypto?.subtle?.digest });
  checkOptions(options, optionFields());
  const { store, clientId, allowInsecure = false, clock = systemClock, timeoutMs = 20_000 } = options;
  const { maxClients = 1000 } = options;
  const transport = options.transport ? guardedTransport(options.transport) : fetchTransport();
  parsePortalUrl(options.authUrl, allowInsecure);
  const address = parseAddress("redirectUri", options.redirectUri);
  const { normalize } = withErrors({ normalize: normalizeBaseUrl }, completed);
  const environment = {
    name: clientId,
    base_url: normalize(options.baseUrl, allowInsecure),
    allow_insecure: allowInsecure,
    auth_url: options.authUrl,
    client_id: clientId,
    redirect_uri: options.redirectUri,
  };
  const sessions = openTokenSessions(store, environment, { clock, timeoutMs });
  /** In the order of their last use. */
  const cache = new Map<string, CachedStore>();

  /** Returns the one source of a store's tokens, so that only one of its clients refreshes, and its client. */
  function cached(key: string): CachedStore {
    checkKey(key);
    const entry = cache.get(key) ?? {
      source: createAccessTokenSource({
        session: { version: 1, store: key, environment },
        sessions,
        transport,
        clock,
        // Replaces a process id, because processes on two machines may have the same one.
        pid: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
        timeoutMs,
        // Otherwise, a token that is valid for seconds would be refreshed at each call.
        leastLifeMs: ({ issued_at = -Infinity, expires_at }) =>
          Math.min(60_000, (expires_at - issued_at) / 4),
      }),
    };
    cache.delete(key);
    cache.set(key, entry);
    const [oldest] = cache.keys();
    if (cache.size > maxClients && oldest !== undefined) cache.delete(oldest);
    return entry;
  }

  /** Returns a token, and not the refused one. A key that isn't in the store leaves the cache, because anyone may have invented it. */
  async function tokenOf(key: string, refused?: string): Promise<string> {
    const { source } = cached(key);
    try {
      return await source.bearer(refused);
    } catch (error) {
      if (isComandaError(error, "not_signed_in") && cache.get(key)?.source === source) cache.delete(key);
      throw completed(error);
    }
  }

  /** Returns the program's options, which may be a promise if it has no types. */
  function clientOptionsOf(key: string): StoreClientOptions | undefined {
    try {
      const given: unknown = options.clientOptions?.(key);
      if (!(given instanceof Promise)) return given as StoreClientOptions | undefined;
      given.catch(() => undefined);
    } catch (error) {
      throw callbackFailed("clientOptions", error);
    }
    const message = "clientOptions must return an object, not a promise.";
    throw new ComandaError("invalid_input", message, { field: "clientOptions" });
  }

  const credentials = (key: string): StoreCredentials => ({
    bearer: () => tokenOf(key),
    renew: (refused) => tokenOf(key, refused),
    isAdopted: (token) => cached(key).source.isAdopted(token),
  });

  const members = {
    /**
     * Starts an authorization: section 5.2, steps 1 and 2. It stores nothing.
     *
     * @param options `key` of a store that is authorized again (default: a new, random one)
     * @returns `url` for the owner's browser, and `pending` for `callback`
     */
    async authorizationUrl(options: { readonly key?: string | undefined } = {}) {
      checkOptions(options, { key: optionKinds().text });
      const { state, codeVerifier, codeChallenge } = await createOneTimeValues();
      const { key = crypto.randomUUID() } = options;
      const pending: PendingAuthorization = { key, state, codeVerifier, expiresAt: clock.now() + 600_000 };
      return { url: authorizationUrl(environment, { state, codeChallenge }), pending };
    },

    /**
     * Completes the authorization: checks the address, exchanges the code and saves the tokens (section 5.2, steps 3 to 6). It revokes
     * the tokens that these replace, and tokens that can't be saved.
     *
     * @param url the redirect address that the browser requested, or its path and query
     * @throws {ComandaError} `invalid_input` if a field of `pending` isn't valid, or the address doesn't belong to `pending`, such as
     *   another `state`: respond with 400;
     *   `access_denied` if the person refused or isn't an owner; `token_refused` if the code was used or has expired; `not_signed_in`
     *   after ten minutes; `state_unusable` if the store failed, and `lock_timeout` if another process changed the tokens meanwhile;
     *   `unreachable`, `server_error`, `unexpected_answer` or `rate_limited` if the exchange failed, and `invalid_request` or
     *   `configuration` if the service refused it for another reason. After each of them, the owner must authorize the app again
     */
    callback: async (url: string | URL, pending: PendingAuthorization): Promise<AuthorizedStore> => {
      // A session may add fields of its own.
      const { pending: checked } = checkInput(z.object({ pending: pendingSchema() }), { pending });
      const { key, state, expiresAt } = checked;
      // A program without types may pass a parsed query.
      const text = typeof url === "string" || url instanceof URL ? String(url) : undefined;
      const answer =
        text !== undefined && URL.canParse(text, options.redirectUri)
          ? judgeParameters(new URL(text, options.redirectUri).searchParams, { state, address })
          : undefined;
      // The message quotes nothing of the address, which anyone may have written.
      if (!answer)
        throw new ComandaError("invalid_input", "The address doesn't belong to this authorization.", {
          hint: "Start again with authorizationUrl(), and save pending in the session of the same browser.",
        });
      if (clock.now() > expiresAt)
        throw new ComandaError("not_signed_in", "The authorization took longer than ten minutes.", {
          hint: authorizeAgain,
        });
      const { exchangeAndStore } = await import("../auth/exchange.js");
      const target = { environment, store: key, sessions, transport, clock, timeoutMs };
      const session = await exchangeAndStore(target, checked, answer).catch((error: unknown) => {
        // The code may have been used, so the owner can't try again with it.
        throw isComandaError(error) && exchangeFailures.has(error.code)
          ? error.reworded(error.message, { hint: authorizeAgain })
          : error;
      });
      cache.delete(key);
      return { key, scopes: session.tokens?.scopes ?? [] };
    },

    /**
     * Returns the client of a store, the same one for each call, so that its requests share the rate limits of section 8. A call throws
     * `not_signed_in` for a key that isn't authorized, whose client is no longer cached.
     */
    client(key: string): Client {
      const entry = cached(key);
      entry.client ??= createClient({
        ...clientOptionsOf(key),
        baseUrl: environment.base_url,
        allowInsecure,
        credentials: credentials(key),
      });
      return entry.client;
    },

    /**
     * Returns credentials for `createClient`: the access token of a store, refreshed once for all servers that share the token store.
     * A call throws `not_signed_in` for a key that isn't authorized, and `token_refused` if the service no longer accepts the tokens,
     * for example after the store has uninstalled the app. Then the owner authorizes it again.
     */
    credentials,

    /**
     * Revokes the tokens of a store at the service (section 4.11) and deletes them, whatever the service returns.
     *
     * @throws {ComandaError} `not_signed_in` for an unknown key; the error of the service or of the store
     */
    revoke: async (key: string) => {
      checkKey(key);
      const { signOut } = await import("../auth/exchange.js");
      try {
        const { error } = await signOut(key, sessions, { transport, timeoutMs });
        if (error) throw error;
      } finally {
        cache.delete(key);
      }
    },

    /** Resolves once no refresh is running. Await it before the process ends: only the response contains the new tokens. */
    idle: () => sessions.idle(),
  };
  return withErrors(members, completed);
}

/** Its methods throw only {@link ComandaError}: `invalid_input` for an argument that isn't valid, and the errors that each one documents. */
export type OAuth = ReturnType<typeof createOAuth>;
