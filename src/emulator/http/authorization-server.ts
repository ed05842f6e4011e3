/**
 * The authorization server of sections 5.2 and 5.3 has consents, codes, tokens and installations. The specification leaves
 * these points open, and no reading (`../readings.ts`) is a switch for them; a client that works only with these choices
 * is wrong:
 *
 * - A code stays good after a refused exchange (wrong verifier, client or redirect address); only a successful one uses it up.
 * - A refresh token lives from its own issue: each refresh begins anew.
 * - Revoking a refresh token revokes every token that came from the same consent. A token of another client is refused with
 *   `invalid_grant`.
 * - An app has one installation at a store. A further consent renews its scopes; tokens that came from the former consent
 *   live on with theirs, so that a call may fail on either (section 5.3, rule 2).
 * - Uninstalling also ends codes that were not exchanged yet.
 */
import { createHash, randomBytes } from "node:crypto";

import type { OAuthErrorIdentifier } from "../../api/errors.js";
import { accessTokenSeconds } from "../../api/limits.js";
import type { TokenResponse } from "../../api/oauth.js";
import type { Scope } from "../../api/operations.js";
import type { App, AppChange, Given, Installation, Lifetimes } from "../domain/model.js";
import { Refused } from "../domain/refused.js";
import type { World } from "../domain/world.js";
import type { Readings } from "../readings.js";
import { localClientId } from "../seed/cast.js";

/** RFC 6749, section 5.1, asks for these headers. */
export const noStore = { "cache-control": "no-store", pragma: "no-cache" };

/** The authorization server refuses with this error. Both texts travel to the client, so no secret may be in them. */
export class OAuthError extends Refused {
  override readonly name = "OAuthError";

  /**
   * @param error is one of section 7 or of RFC 6749, section 5.2
   * @param description is a sentence for the developer of the client
   */
  constructor(
    readonly error: OAuthErrorIdentifier,
    readonly description: string,
    status = 400,
  ) {
    super(status, { error, error_description: description }, `${error}: ${description}`, noStore);
  }
}

/** The owner allowed this at the consent page. */
export interface Consent {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly storeId: number;
  readonly personId: string;
}

/** Every token that came from one consent belongs to its family. */
interface TokenFamily {
  readonly clientId: string;
  readonly storeId: number;
  readonly installationId: number;
  readonly scopes: readonly Scope[];
  revoked: boolean;
}

interface AuthorizationCode {
  readonly consent: Consent;
  /** These were the app's scopes at the time of the consent. */
  readonly scopes: readonly Scope[];
  readonly expiresAt: number;
  /** The first exchange sets it. */
  family?: TokenFamily;
}

interface Token {
  readonly isRefresh: boolean;
  readonly family: TokenFamily;
  readonly expiresAt: number;
  /** An access token was revoked by itself, or a refresh token was replaced. */
  isSpent: boolean;
}

const noCounts = { exchanges: 0, refreshes: 0, reusedCodes: 0, reusedRefreshTokens: 0 };

export class AuthorizationServer {
  readonly #apps = new Map<string, App>();
  readonly #installations: Installation[] = [];
  readonly #codes = new Map<string, AuthorizationCode>();
  readonly #tokens = new Map<string, Token>();
  #lifetimes: Lifetimes = { accessTokenSeconds, refreshTokenSeconds: 0, codeSeconds: 0 };
  #counters = noCounts;

  /** @param firstAccessSeconds is how long an access token lives at the start */
  constructor(
    private readonly world: Pick<World, "apps" | "people" | "stores" | "clock">,
    private readonly readings: Readings,
    private readonly firstAccessSeconds = accessTokenSeconds,
  ) {
    this.reset();
  }

  findApp(clientId: string): App | undefined {
    return this.#apps.get(clientId);
  }

  /** Changes the named fields of an app; an unknown app is registered. Installations keep the scopes they have. */
  setApp({ clientId = localClientId, ...change }: AppChange): App {
    const app = this.findApp(clientId);
    const changed: App = {
      clientId,
      name: change.name ?? app?.name ?? clientId,
      redirectUris: change.redirectUris ?? app?.redirectUris ?? [],
      approved: change.approved ?? app?.approved ?? true,
      scopes: change.scopes ?? app?.scopes ?? [],
    };
    this.#apps.set(clientId, changed);
    return changed;
  }

  /** @throws {OAuthError} `invalid_client`; `access_denied` where the person doesn't own the store */
  issueCode(consent: Consent): string {
    const { scopes } = this.#approvedApp(consent.clientId);
    const { people, stores } = this.world;
    const owner = people.find(({ id, profile }) => id === consent.personId && profile === "owner");
    if (!owner?.storeIds.includes(consent.storeId) || !stores.has(consent.storeId))
      throw new OAuthError("access_denied", "only the owner may authorise an app");
    const code = secret("code");
    this.#codes.set(code, { consent, scopes, expiresAt: this.#in(this.#lifetimes.codeSeconds) });
    return code;
  }

  /** @throws {OAuthError} `invalid_client`, `invalid_grant` */
  exchangeCode(request: {
    readonly clientId: string;
    readonly redirectUri: string;
    readonly code: string;
    readonly codeVerifier: string;
  }): TokenResponse {
    const { clientId, redirectUri, codeVerifier } = request;
    this.#approvedApp(clientId);
    const code = this.#codes.get(request.code);
    if (code?.consent.clientId !== clientId) throw ungranted("the code is unknown or another client's");
    if (code.family) {
      this.#counters.reusedCodes += 1;
      if (this.readings.code_reuse === "refused") throw ungranted("the code was used before");
      code.family.revoked = true;
      throw ungranted("the code was used before; its tokens are revoked");
    }
    const { consent, scopes } = code;
    if (code.expiresAt <= this.#in(0)) throw ungranted("the code has expired");
    if (consent.redirectUri !== redirectUri)
      throw ungranted("redirect_uri is not the one that the code was issued for");
    // RFC 7636, section 4.6.
    if (createHash("sha256").update(codeVerifier, "ascii").digest("base64url") !== consent.codeChallenge)
      throw ungranted("code_verifier does not match the code_challenge");
    const { storeId } = consent;
    // The app becomes active at the store, with the scopes of the latest consent.
    const previous = this.#installations.find(
      (installation) => installation.clientId === clientId && installation.storeId === storeId,
    );
    const installationId = previous?.id ?? this.#installations.length + 1;
    this.#installations[installationId - 1] = { id: installationId, clientId, storeId, scopes, active: true };
    code.family = { clientId, storeId, installationId, scopes, revoked: false };
    this.#counters.exchanges += 1;
    const tokens = { ...this.#accessToken(code.family), refresh_token: this.#refreshToken(code.family) };
    return { ...tokens, scope: scopes.join(" ") };
  }

  /**
   * A second use of a refresh token that was replaced revokes its family (RFC 9700, section 4.14.2), where the readings
   * don't say otherwise.
   *
   * @throws {OAuthError} `invalid_client`, `invalid_grant`
   */
  refresh(request: { readonly clientId: string; readonly refreshToken: string }): TokenResponse {
    this.#approvedApp(request.clientId);
    const { refresh_reuse, refresh_rotation, refresh_ends_access, refresh_scope } = this.readings;
    const token = this.#tokens.get(request.refreshToken);
    if (!token?.isRefresh || token.family.clientId !== request.clientId)
      throw ungranted("the refresh token is unknown or another client's");
    const { family } = token;
    if (token.isSpent) {
      this.#counters.reusedRefreshTokens += 1;
      if (refresh_reuse === "refused") throw ungranted("the refresh token was used before");
      if (refresh_reuse === "revokes_all") {
        family.revoked = true;
        throw ungranted("the refresh token was used before; its tokens are revoked");
      }
    }
    if (family.revoked) throw ungranted("the refresh token is revoked");
    if (token.expiresAt <= this.#in(0)) throw ungranted("the refresh token has expired");
    token.isSpent = refresh_rotation === "rotate";
    this.#counters.refreshes += 1;
    if (refresh_ends_access)
      for (const other of this.#tokens.values())
        if (!other.isRefresh && other.family === family) other.isSpent = true;
    const answer: TokenResponse = this.#accessToken(family);
    if (refresh_rotation === "rotate") answer.refresh_token = this.#refreshToken(family);
    if (refresh_rotation === "same") answer.refresh_token = request.refreshToken;
    if (refresh_scope === "given") answer.scope = family.scopes.join(" ");
    return answer;
  }

  /**
   * An unknown token is a success (RFC 7009, section 2.2), where the readings don't say otherwise.
   *
   * @throws {OAuthError} `invalid_client`; `invalid_grant` where the token is another client's
   */
  revoke({ clientId, token }: { readonly clientId: string; readonly token: string }): void {
    this.#approvedApp(clientId);
    const found = this.#tokens.get(token);
    if (!found && this.readings.revoke_unknown === "success") return;
    if (!found) throw ungranted("the token is unknown");
    if (found.family.clientId !== clientId) throw ungranted("the token is another client's");
    if (!found.isRefresh && this.readings.revoke_reach === "given") found.isSpent = true;
    else found.family.revoked = true;
  }

  /** @returns `undefined` where the token is unknown, expired or revoked, or its app uninstalled */
  authenticate(
    accessToken: string,
  ): { readonly storeId: number; readonly scopes: readonly Scope[] } | undefined {
    const token = this.#tokens.get(accessToken);
    if (!token || token.isRefresh || token.isSpent) return undefined;
    if (token.family.revoked || token.expiresAt <= this.#in(0)) return undefined;
    const installation = this.#installations[token.family.installationId - 1];
    if (!installation?.active) return undefined;
    // Section 5.3, rule 2: in the token and in the installation.
    const scopes = token.family.scopes.filter((scope) => installation.scopes.includes(scope));
    return { storeId: installation.storeId, scopes };
  }

  installations(): readonly Installation[] {
    return [...this.#installations];
  }

  /** Makes one app of the store, or all of them, inactive and revokes their tokens and codes. */
  uninstall(storeId: number, clientId?: string): void {
    const isMeant = (bound: { readonly clientId: string; readonly storeId: number }) =>
      bound.storeId === storeId && (clientId === undefined || bound.clientId === clientId);
    for (const [index, installation] of this.#installations.entries())
      if (isMeant(installation)) this.#installations[index] = { ...installation, active: false };
    for (const [code, { consent }] of this.#codes) if (isMeant(consent)) this.#codes.delete(code);
    this.#revokeWhere(isMeant);
  }

  /** Revokes every token of one store, or all there are; installations stay active. */
  revokeAll(storeId?: number): void {
    this.#revokeWhere((family) => storeId === undefined || family.storeId === storeId);
  }

  /**
   * Sets lifetimes for codes and tokens issued from now on.
   *
   * @throws {RangeError} where one is not a positive number
   */
  setLifetimes(change: Given<Lifetimes>): void {
    for (const [name, seconds = 1] of Object.entries(change))
      if (!Number.isFinite(seconds) || seconds <= 0)
        throw new RangeError(`${name} must be a positive number`);
    const { accessTokenSeconds: access, refreshTokenSeconds: refresh, codeSeconds: code } = change;
    const before = this.#lifetimes;
    this.#lifetimes = {
      accessTokenSeconds: access ?? before.accessTokenSeconds,
      refreshTokenSeconds: refresh ?? before.refreshTokenSeconds,
      codeSeconds: code ?? before.codeSeconds,
    };
  }

  /** Tests see what happened since the start or the last reset. */
  counters(): Readonly<typeof noCounts> {
    return { ...this.#counters };
  }

  /** Goes back to the first apps and lifetimes, and to no installation, code and token where those are to go as well. */
  reset({ tokens = true } = {}): void {
    this.#apps.clear();
    for (const app of this.world.apps) this.setApp(app);
    const { refresh_days: days, code_seconds: codeSeconds } = this.readings;
    const refreshTokenSeconds = days * 24 * 3600;
    this.#lifetimes = { accessTokenSeconds: this.firstAccessSeconds, refreshTokenSeconds, codeSeconds };
    if (!tokens) return;
    this.#codes.clear();
    this.#tokens.clear();
    this.#installations.length = 0;
    this.#counters = { ...noCounts };
  }

  /** Gives the time in so many seconds. */
  #in(seconds: number): number {
    return this.world.clock.now() + seconds * 1000;
  }

  #approvedApp(clientId: string): App {
    const app = this.#apps.get(clientId);
    if (app?.approved) return app;
    throw new OAuthError("invalid_client", "client_id names no approved app of this service");
  }

  #accessToken(family: TokenFamily) {
    const { accessTokenSeconds: seconds } = this.#lifetimes;
    return {
      access_token: this.#token("at", family, seconds),
      token_type: "Bearer",
      expires_in: seconds,
    };
  }

  #refreshToken(family: TokenFamily): string {
    return this.#token("rt", family, this.#lifetimes.refreshTokenSeconds);
  }

  #token(prefix: "at" | "rt", family: TokenFamily, seconds: number): string {
    const token = secret(prefix);
    const expiresAt = this.#in(seconds);
    this.#tokens.set(token, { isRefresh: prefix === "rt", family, expiresAt, isSpent: false });
    return token;
  }

  #revokeWhere(condition: (family: TokenFamily) => boolean): void {
    for (const { family } of this.#tokens.values()) if (condition(family)) family.revoked = true;
  }
}

function ungranted(description: string): OAuthError {
  return new OAuthError("invalid_grant", description);
}

function secret(prefix: string): string {
  return `${prefix}_${randomBytes(33).toString("base64url")}`;
}
