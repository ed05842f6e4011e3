/**
 * Implements the authorization server of sections 4.10, 4.11, 5.2 and 5.3, with the errors of RFC 6749, section 5.2. Clients must not
 * rely on these choices, for which no reading (`../readings.ts`) exists: a code stays valid after a refused exchange; a refresh token
 * expires by its own issue time; revoking it revokes all tokens of its consent; a new consent replaces the scopes of the app's only
 * installation at a store, and tokens from an earlier consent stay valid with their original scopes.
 */
import { createHash, randomBytes } from "node:crypto";

import type * as z from "zod/mini";

import { type OAuthErrorIdentifier, type Scope, accessTokenSeconds } from "../../api/values.js";
import { checkWire, detailsOf } from "../../api/input.js";
import { authorizationParameters, codeChallengeMethod, oauthOperations } from "../../api/oauth.js";
import type { TokenResponse } from "../../api/oauth.js";
import { invalid, Refused } from "../domain/refused.js";
import type { World } from "../domain/world.js";
import type { App, AppChange, Installation } from "../inputs.js";
import type { Readings } from "../readings.js";
import { localClientId } from "../seed/cast.js";
import { bodyOf, headerOf, type Incoming, jsonAnswer, type Route } from "./incoming.js";

/** Headers that RFC 6749, section 5.1, requires. */
const noStore = { "cache-control": "no-store", pragma: "no-cache" };

/** Error of section 7 or of RFC 6749, section 5.2. The client receives both texts, so they must not contain secrets. */
export class OAuthError extends Refused {
  constructor(error: OAuthErrorIdentifier, description: string) {
    super(400, { error, error_description: description }, `${error}: ${description}`, noStore);
  }
}

/** Tokens of one consent. */
interface TokenFamily {
  readonly clientId: string;
  readonly storeId: number;
  /** Scopes of the app at the time of the consent. */
  readonly scopes: readonly Scope[];
  revoked: boolean;
}

interface Issued {
  readonly family: TokenFamily;
  readonly expiresAt: number;
  /** Whether a code was exchanged, an access token revoked or a refresh token replaced. */
  isSpent: boolean;
}

/** Access that the owner allowed on the consent page. */
interface Consent {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly storeId: number;
}

const installationKey = ({ clientId, storeId }: TokenFamily) => `${storeId} ${clientId}`;

export class AuthorizationServer {
  readonly #apps = new Map<string, App>();
  readonly #installations = new Map<string, Installation>();
  readonly #codes = new Map<string, Issued & { readonly consent: Consent }>();
  readonly #tokens = new Map<string, Issued & { readonly isRefresh: boolean }>();
  /** Numbers of refreshes since the start, for tests. */
  readonly counters = { refreshes: 0, reusedRefreshTokens: 0 };

  /** @param accessSeconds lifetime of new access tokens */
  constructor(
    private readonly world: Pick<World, "apps" | "clock">,
    private readonly readings: Readings,
    public accessSeconds = accessTokenSeconds,
  ) {
    this.reset();
  }

  /** Registers an app or changes its fields. The scopes of its installations don't change. */
  setApp({ clientId = localClientId, ...change }: AppChange): App {
    const known = this.#apps.get(clientId);
    const app: App = {
      clientId,
      name: change.name ?? known?.name ?? clientId,
      redirectUris: change.redirectUris ?? known?.redirectUris ?? [],
      approved: change.approved ?? known?.approved ?? true,
      scopes: change.scopes ?? known?.scopes ?? [],
    };
    this.#apps.set(clientId, app);
    return app;
  }

  /** @throws {OAuthError} `invalid_client` */
  approvedApp(clientId: string): App {
    const app = this.#apps.get(clientId);
    if (app?.approved) return app;
    throw new OAuthError("invalid_client", "client_id isn't an approved app of this service");
  }

  /** @throws {OAuthError} `invalid_client` */
  issueCode(consent: Consent): string {
    const family = this.#family(consent.storeId, consent.clientId);
    const expiresAt = this.#in(this.readings.code_seconds);
    const code = secret("code");
    this.#codes.set(code, { consent, family, expiresAt, isSpent: false });
    return code;
  }

  /** @throws {OAuthError} `invalid_client`, `invalid_grant` */
  exchangeCode(
    request: Readonly<Record<"client_id" | "redirect_uri" | "code" | "code_verifier", string>>,
  ): TokenResponse {
    this.approvedApp(request.client_id);
    const code = this.#codes.get(request.code);
    if (code?.consent.clientId !== request.client_id)
      throw invalidGrant("the code is unknown or another client's");
    const { consent, family } = code;
    if (code.isSpent) {
      family.revoked ||= this.readings.code_reuse === "revokes_all";
      throw invalidGrant("the code was used before");
    }
    if (family.revoked || code.expiresAt <= this.#in(0)) throw invalidGrant("the code has expired");
    if (consent.redirectUri !== request.redirect_uri)
      throw invalidGrant("redirect_uri is not the one that the code was issued for");
    // RFC 7636, section 4.6.
    const challenge = createHash("sha256").update(request.code_verifier, "ascii").digest("base64url");
    if (challenge !== consent.codeChallenge)
      throw invalidGrant("code_verifier does not match the code_challenge");
    code.isSpent = true;
    return this.#install(family);
  }

  /** Issues tokens of a store, as if its owner had allowed the app. @throws {OAuthError} `invalid_client` */
  install(storeId: number, clientId = localClientId): TokenResponse {
    return this.#install(this.#family(storeId, clientId));
  }

  /**
   * Issues a new access token. Unless a reading differs, reusing a replaced refresh token revokes all tokens of its
   * consent (RFC 9700, section 4.14.2).
   *
   * @throws {OAuthError} `invalid_client`, `invalid_grant`
   */
  refresh(request: { readonly client_id: string; readonly refresh_token: string }): TokenResponse {
    this.approvedApp(request.client_id);
    const { refresh_reuse, refresh_rotation, refresh_ends_access, refresh_scope } = this.readings;
    const token = this.#tokens.get(request.refresh_token);
    if (!token?.isRefresh || token.family.clientId !== request.client_id)
      throw invalidGrant("the refresh token is unknown or another client's");
    const { family } = token;
    if (token.isSpent) {
      this.counters.reusedRefreshTokens += 1;
      family.revoked ||= refresh_reuse === "revokes_all";
      if (refresh_reuse !== "accepted") throw invalidGrant("the refresh token was used before");
    }
    if (family.revoked) throw invalidGrant("the refresh token is revoked");
    if (token.expiresAt <= this.#in(0)) throw invalidGrant("the refresh token has expired");
    token.isSpent = refresh_rotation === "rotate";
    this.counters.refreshes += 1;
    if (refresh_ends_access)
      for (const other of this.#tokens.values())
        if (!other.isRefresh && other.family === family) other.isSpent = true;
    const answer: TokenResponse = this.#accessToken(family);
    if (refresh_rotation === "rotate") answer.refresh_token = this.#token("rt", family);
    if (refresh_rotation === "same") answer.refresh_token = request.refresh_token;
    if (refresh_scope === "given") answer.scope = family.scopes.join(" ");
    return answer;
  }

  /**
   * Revokes a token. Unless a reading differs, an unknown token is a success (RFC 7009, section 2.2).
   *
   * @throws {OAuthError} `invalid_client`; `invalid_grant` if the token belongs to another client
   */
  revoke(request: { readonly client_id: string; readonly token: string }): void {
    this.approvedApp(request.client_id);
    const token = this.#tokens.get(request.token);
    if (!token && this.readings.revoke_unknown === "success") return;
    if (token?.family.clientId !== request.client_id)
      throw invalidGrant("the token is unknown or another client's");
    if (!token.isRefresh && this.readings.revoke_reach === "given") token.isSpent = true;
    else token.family.revoked = true;
  }

  /** Returns a token's store and scopes; `undefined` if it is unknown, expired or revoked, or its app uninstalled. */
  authenticate(accessToken: string): Pick<TokenFamily, "storeId" | "scopes"> | undefined {
    const token = this.#tokens.get(accessToken);
    if (!token || token.isRefresh || token.isSpent) return undefined;
    if (token.family.revoked || token.expiresAt <= this.#in(0)) return undefined;
    // A scope must be in both the token and the installation (section 5.3, rule 2).
    const installation = this.#installations.get(installationKey(token.family));
    const scopes = token.family.scopes.filter((scope) => installation?.scopes.includes(scope));
    return { storeId: token.family.storeId, scopes };
  }

  installations(): readonly Installation[] {
    return [...this.#installations.values()];
  }

  /** Deactivates the store's installations, and revokes their tokens and codes. */
  uninstall(storeId: number): void {
    for (const [key, installation] of this.#installations)
      if (installation.storeId === storeId) this.#installations.set(key, { ...installation, active: false });
    for (const issued of [this.#codes, this.#tokens])
      for (const { family } of issued.values()) family.revoked ||= family.storeId === storeId;
  }

  /** Restores the initial apps. Installations and tokens don't change. */
  reset(): void {
    this.#apps.clear();
    for (const app of this.world.apps) this.setApp(app);
  }

  #in(seconds: number): number {
    return this.world.clock.now() + seconds * 1000;
  }

  #family(storeId: number, clientId: string): TokenFamily {
    return { clientId, storeId, scopes: this.approvedApp(clientId).scopes, revoked: false };
  }

  #install(family: TokenFamily): TokenResponse {
    const { clientId, storeId, scopes } = family;
    this.#installations.set(installationKey(family), { clientId, storeId, scopes, active: true });
    const refresh_token = this.#token("rt", family);
    return { ...this.#accessToken(family), refresh_token, scope: scopes.join(" ") };
  }

  #accessToken(family: TokenFamily) {
    const access_token = this.#token("at", family);
    return { access_token, token_type: "Bearer", expires_in: this.accessSeconds };
  }

  #token(prefix: "at" | "rt", family: TokenFamily): string {
    const token = secret(prefix);
    const isRefresh = prefix === "rt";
    const seconds = isRefresh ? this.readings.refresh_days * 86_400 : this.accessSeconds;
    this.#tokens.set(token, { isRefresh, family, expiresAt: this.#in(seconds), isSpent: false });
    return token;
  }
}

const invalidGrant = (description: string) => new OAuthError("invalid_grant", description);

function secret(prefix: string): string {
  return `${prefix}_${randomBytes(33).toString("base64url")}`;
}

export function oauthRoutes(server: AuthorizationServer): readonly Route[] {
  const { token, revoke } = oauthOperations;
  return [
    {
      ...token,
      answer: async (incoming) => {
        const form = await readForm(incoming, token.body.schema());
        const isRefresh = form.grant_type === "refresh_token";
        return jsonAnswer(isRefresh ? server.refresh(form) : server.exchangeCode(form), 200, noStore);
      },
    },
    {
      ...revoke,
      answer: async (incoming) => {
        server.revoke(await readForm(incoming, revoke.body.schema()));
        return new Response(null, { status: 200, headers: noStore });
      },
    },
  ];
}

/** Parses a form, and refuses other content types and repeated parameters (RFC 6749, section 3.2). */
async function readForm<Schema extends z.core.$ZodType>(
  incoming: Incoming,
  schema: Schema,
): Promise<z.output<Schema>> {
  const form = new URLSearchParams(await bodyOf(incoming));
  const [type = ""] = (headerOf(incoming, "content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== oauthOperations.token.body.type)
    throw new OAuthError("invalid_request", `the content type must be ${oauthOperations.token.body.type}`);
  if (new Set(form.keys()).size < form.size)
    throw new OAuthError("invalid_request", "a parameter is given more than once");
  // A parameter without a value counts as absent (RFC 6749, section 3.2).
  const result = checkWire(schema, Object.fromEntries([...form].filter(([, value]) => value !== "")));
  if (result.ok) return result.value;
  const isGrantType = result.problems[0].field === "grant_type" && form.get("grant_type");
  throw new OAuthError(isGrantType ? "unsupported_grant_type" : "invalid_request", detailsOf(result));
}

export interface AuthorizationRequest {
  readonly app: App;
  readonly state: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
}

/**
 * Checks the query of an authorization request, first the parameters that make a redirect safe. Ignores unknown parameters and
 * `scope`, because an app doesn't choose its scopes (section 5.3, rule 1).
 *
 * @returns the request, or the address of a redirect that reports an error to the app
 * @throws {OAuthError} if a redirect isn't safe: the client, redirect address or `state` isn't valid, or a parameter is repeated
 */
export function checkAuthorizationRequest(
  query: URLSearchParams,
  server: AuthorizationServer,
): AuthorizationRequest | string {
  const repeated = authorizationParameters.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) throw new OAuthError("invalid_request", `${repeated} is given more than once`);
  // A parameter without a value counts as absent (RFC 6749, section 3.1).
  const value = (name: (typeof authorizationParameters)[number]) => query.get(name) ?? "";
  const app = server.approvedApp(value("client_id"));
  const redirectUri = value("redirect_uri");
  if (!app.redirectUris.includes(redirectUri))
    throw new OAuthError("invalid_request", "redirect_uri isn't registered for the app");
  const state = value("state");
  if (state === "") throw new OAuthError("invalid_request", "state is required");
  const codeChallenge = value("code_challenge");
  const request = { app, state, redirectUri, codeChallenge };
  // From here on, a redirect reports errors to the app (RFC 6749, section 4.1.2.1).
  const refused = (problem: string) =>
    redirectLocation(request, { error: "invalid_request", error_description: problem });
  if (value("code_challenge_method") !== codeChallengeMethod)
    return refused(`code_challenge_method must be ${codeChallengeMethod}`);
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge))
    return refused("code_challenge must be the Base64url of a SHA-256");
  return request;
}

/** Adds an answer to the redirect address, whose own query doesn't change (RFC 6749, section 3.1.2). */
function redirectLocation(
  { redirectUri, state }: AuthorizationRequest,
  answer: Readonly<Record<string, string>>,
): string {
  const separator = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return `${redirectUri}${separator}${new URLSearchParams({ ...answer, state }).toString()}`;
}

export interface OwnersDecision {
  /** Id of the person who signs in. The default is an owner, of `store` if it is given. */
  readonly person?: string | undefined;
  /** Id of the chosen store. The default is the person's first. */
  readonly store?: number | undefined;
  /** Whether the person allows the app. The default is `true`. */
  readonly allow?: boolean | undefined;
}

/**
 * Answers an authorization request as the portal's pages do.
 *
 * @returns the address of the redirect, with `code` or `error`; it contains a secret, so it must not be logged
 * @throws {Refused} if the portal would show an error page, or doesn't offer the person or store
 */
export function decideAsOwner(
  { world, server }: { readonly world: World; readonly server: AuthorizationServer },
  url: string,
  { person: id, store, allow = true }: OwnersDecision,
): string {
  const request = checkAuthorizationRequest(new URL(url).searchParams, server);
  if (typeof request === "string") return request;
  const person = world.people.find((each) =>
    id === undefined
      ? each.profile === "owner" && (store === undefined || each.storeIds.includes(store))
      : each.id === id,
  );
  const denied = (description: string) =>
    redirectLocation(request, { error: "access_denied", error_description: description });
  if (person && person.profile !== "owner") return denied("only the owner may authorize an app");
  if (person && !allow) return denied("the owner refused");
  const storeId = store ?? person?.storeIds[0];
  if (storeId === undefined || !person?.storeIds.includes(storeId))
    throw invalid("The portal doesn't offer this person or store");
  const { app, redirectUri, codeChallenge } = request;
  const code = server.issueCode({ clientId: app.clientId, redirectUri, codeChallenge, storeId });
  return redirectLocation(request, { code });
}
