/**
 * The authorization server of sections 5.2 and 5.3 has consents, codes, tokens and installations. Where no reading
 * (`../readings.ts`) is a switch, it chooses, and a client that works only with its choice is wrong: a code stays good after a
 * refused exchange; a refresh token lives from its own issue; revoking it revokes all tokens of its consent; a further consent
 * renews the scopes of the one installation that an app has at a store, and tokens of the former consent live on with theirs.
 */
import { createHash, randomBytes } from "node:crypto";

import { type OAuthErrorIdentifier, accessTokenSeconds } from "../../api/values.js";
import type { TokenResponse } from "../../api/oauth.js";
import type { Scope } from "../../api/operations.js";
import type { App, AppChange, Installation } from "../inputs.js";
import { Refused } from "../domain/refused.js";
import type { World } from "../domain/world.js";
import type { Readings } from "../readings.js";
import { localClientId } from "../seed/cast.js";

/** RFC 6749, section 5.1, asks for these headers. */
export const noStore = { "cache-control": "no-store", pragma: "no-cache" };

/** The authorization server refuses with this error. Both texts travel to the client, so no secret may be in them. */
export class OAuthError extends Refused {
  /**
   * @param error is one of section 7 or of RFC 6749, section 5.2
   * @param description is a sentence for the developer of the client
   */
  constructor(error: OAuthErrorIdentifier, description: string) {
    super(400, { error, error_description: description }, `${error}: ${description}`, noStore);
  }
}

/** The owner allowed this at the consent page. */
export interface Consent {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly storeId: number;
}

/** Every token that came from one consent belongs to its family. */
interface TokenFamily {
  readonly clientId: string;
  readonly storeId: number;
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

/** An app has one installation at a store. */
const placeOf = ({ clientId, storeId }: Pick<Consent, "clientId" | "storeId">) => `${storeId} ${clientId}`;

export class AuthorizationServer {
  readonly #apps = new Map<string, App>();
  readonly #installations = new Map<string, Installation>();
  readonly #codes = new Map<string, AuthorizationCode>();
  readonly #tokens = new Map<string, Token>();
  /** Codes and tokens that are issued from now on live so many seconds. */
  lifetimes = { accessTokenSeconds, refreshTokenSeconds: 0, codeSeconds: 0 };
  /** Tests see what happened since the start. */
  readonly counters = { refreshes: 0, reusedRefreshTokens: 0 };

  /** @param firstAccessSeconds is how long an access token lives at the start */
  constructor(
    private readonly world: Pick<World, "apps" | "clock">,
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
  issueCode(consent: Consent): string {
    const { scopes } = this.#approvedApp(consent.clientId);
    const code = secret("code");
    this.#codes.set(code, { consent, scopes, expiresAt: this.#in(this.lifetimes.codeSeconds) });
    return code;
  }

  /** @throws {OAuthError} `invalid_client`, `invalid_grant` */
  exchangeCode(
    request: Readonly<Record<"client_id" | "redirect_uri" | "code" | "code_verifier", string>>,
  ): TokenResponse {
    const { client_id: clientId } = request;
    this.#approvedApp(clientId);
    const code = this.#codes.get(request.code);
    if (code?.consent.clientId !== clientId) throw ungranted("the code is unknown or another client's");
    if (code.family) {
      code.family.revoked ||= this.readings.code_reuse === "revokes_all";
      throw ungranted("the code was used before");
    }
    const { consent, scopes } = code;
    if (code.expiresAt <= this.#in(0)) throw ungranted("the code has expired");
    if (consent.redirectUri !== request.redirect_uri)
      throw ungranted("redirect_uri is not the one that the code was issued for");
    // RFC 7636, section 4.6.
    if (
      createHash("sha256").update(request.code_verifier, "ascii").digest("base64url") !==
      consent.codeChallenge
    )
      throw ungranted("code_verifier does not match the code_challenge");
    code.family = { clientId, storeId: consent.storeId, scopes, revoked: false };
    return this.#install(code.family);
  }

  /** Gives an app the tokens of a store, as if its owner had allowed that. @throws {OAuthError} `invalid_client` */
  install(storeId: number, clientId = localClientId): TokenResponse {
    const { scopes } = this.#approvedApp(clientId);
    return this.#install({ clientId, storeId, scopes, revoked: false });
  }

  /**
   * A second use of a refresh token that was replaced revokes its family (RFC 9700, section 4.14.2), where the readings
   * don't say otherwise.
   *
   * @throws {OAuthError} `invalid_client`, `invalid_grant`
   */
  refresh(request: { readonly client_id: string; readonly refresh_token: string }): TokenResponse {
    this.#approvedApp(request.client_id);
    const { refresh_reuse, refresh_rotation, refresh_ends_access, refresh_scope } = this.readings;
    const token = this.#tokens.get(request.refresh_token);
    if (!token?.isRefresh || token.family.clientId !== request.client_id)
      throw ungranted("the refresh token is unknown or another client's");
    const { family } = token;
    if (token.isSpent) {
      this.counters.reusedRefreshTokens += 1;
      family.revoked ||= refresh_reuse === "revokes_all";
      if (refresh_reuse !== "accepted") throw ungranted("the refresh token was used before");
    }
    if (family.revoked) throw ungranted("the refresh token is revoked");
    if (token.expiresAt <= this.#in(0)) throw ungranted("the refresh token has expired");
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
   * An unknown token is a success (RFC 7009, section 2.2), where the readings don't say otherwise.
   *
   * @throws {OAuthError} `invalid_client`; `invalid_grant` where the token is another client's
   */
  revoke({ client_id: clientId, token }: { readonly client_id: string; readonly token: string }): void {
    this.#approvedApp(clientId);
    const found = this.#tokens.get(token);
    if (!found && this.readings.revoke_unknown === "success") return;
    if (found?.family.clientId !== clientId) throw ungranted("the token is unknown or another client's");
    if (!found.isRefresh && this.readings.revoke_reach === "given") found.isSpent = true;
    else found.family.revoked = true;
  }

  /** @returns `undefined` where the token is unknown, expired or revoked, or its app uninstalled */
  authenticate(accessToken: string): Pick<TokenFamily, "storeId" | "scopes"> | undefined {
    const token = this.#tokens.get(accessToken);
    if (!token || token.isRefresh || token.isSpent) return undefined;
    if (token.family.revoked || token.expiresAt <= this.#in(0)) return undefined;
    // Section 5.3, rule 2: in the token and in the installation.
    const installation = this.#installations.get(placeOf(token.family));
    const scopes = token.family.scopes.filter((scope) => installation?.scopes.includes(scope));
    return { storeId: token.family.storeId, scopes };
  }

  installations(): readonly Installation[] {
    return [...this.#installations.values()];
  }

  /** Makes every app of the store inactive, and revokes their tokens and codes. */
  uninstall(storeId: number): void {
    for (const [place, installation] of this.#installations)
      if (installation.storeId === storeId)
        this.#installations.set(place, { ...installation, active: false });
    for (const [code, { consent }] of this.#codes) if (consent.storeId === storeId) this.#codes.delete(code);
    for (const { family } of this.#tokens.values()) family.revoked ||= family.storeId === storeId;
  }

  /** Goes back to the first apps and lifetimes. */
  reset(): void {
    this.#apps.clear();
    for (const app of this.world.apps) this.setApp(app);
    const { refresh_days: days, code_seconds: codeSeconds } = this.readings;
    const refreshTokenSeconds = days * 24 * 3600;
    this.lifetimes = { accessTokenSeconds: this.firstAccessSeconds, refreshTokenSeconds, codeSeconds };
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

  #install(family: TokenFamily): TokenResponse {
    const { clientId, storeId, scopes } = family;
    this.#installations.set(placeOf(family), { clientId, storeId, scopes, active: true });
    const refresh_token = this.#token("rt", family);
    return { ...this.#accessToken(family), refresh_token, scope: scopes.join(" ") };
  }

  #accessToken(family: TokenFamily) {
    const access_token = this.#token("at", family);
    return { access_token, token_type: "Bearer", expires_in: this.lifetimes.accessTokenSeconds };
  }

  #token(prefix: "at" | "rt", family: TokenFamily): string {
    const token = secret(prefix);
    const isRefresh = prefix === "rt";
    const { accessTokenSeconds: access, refreshTokenSeconds: refresh } = this.lifetimes;
    const expiresAt = this.#in(isRefresh ? refresh : access);
    this.#tokens.set(token, { isRefresh, family, expiresAt, isSpent: false });
    return token;
  }
}

const ungranted = (description: string) => new OAuthError("invalid_grant", description);

function secret(prefix: string): string {
  return `${prefix}_${randomBytes(33).toString("base64url")}`;
}
