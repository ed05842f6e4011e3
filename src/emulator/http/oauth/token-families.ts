/** Access and refresh tokens, and what holds them together: the consent that they came from. */
import type { TokenResponse } from "../../../contract/oauth.js";
import type { Scope } from "../../../contract/scopes.js";
import type { EmulatorClock } from "../../domain/model.js";
import { type Lifetimes, OAuthError } from "./choices.js";
import { createVault } from "./secrets.js";

/** Every token that came from one consent. */
export interface TokenFamily {
  readonly clientId: string;
  readonly storeId: number;
  readonly installationId: number;
  readonly scopes: readonly Scope[];
  revoked: boolean;
}

interface AccessToken {
  readonly family: TokenFamily;
  revoked: boolean;
}

interface RefreshToken {
  readonly family: TokenFamily;
  used: boolean;
}

interface TokenFamilies {
  /** An access token and a refresh token for a family. */
  issue(family: TokenFamily): TokenResponse;
  /** The family of an access token that is neither unknown, expired nor revoked. */
  familyOf(accessToken: string): TokenFamily | undefined;
  /**
   * Uses a refresh token up. A second use revokes the family (RFC 9700, section 4.14.2).
   *
   * @throws {OAuthError} `invalid_grant`
   */
  redeem(refreshToken: string, clientId: string): TokenFamily;
  /** RFC 7009. @throws {OAuthError} `invalid_grant` where the token is another client's */
  revoke(token: string, clientId: string): void;
  revokeWhere(condition: (family: TokenFamily) => boolean): void;
  /** How often a refresh token was used again. */
  reuses(): number;
  clear(): void;
}

/** An hour: long enough to tell an expired token from an unknown one, short enough not to fill the memory. */
const forgetAfterMs = 3_600_000;

export function createTokenFamilies(options: {
  clock: EmulatorClock;
  randomBytes: (length: number) => Uint8Array;
  lifetimes: () => Lifetimes;
}): TokenFamilies {
  const { clock, randomBytes, lifetimes } = options;
  const kept = { randomBytes, now: () => clock.now(), forgetAfterMs };
  const accessTokens = createVault<AccessToken>({ ...kept, prefix: "at" });
  const refreshTokens = createVault<RefreshToken>({ ...kept, prefix: "rt" });
  let reuses = 0;

  return {
    issue: (family) => {
      const { accessTokenSeconds, refreshTokenSeconds } = lifetimes();
      return {
        access_token: accessTokens.add({ family, revoked: false }, clock.now() + accessTokenSeconds * 1000),
        token_type: "Bearer",
        expires_in: accessTokenSeconds,
        refresh_token: refreshTokens.add({ family, used: false }, clock.now() + refreshTokenSeconds * 1000),
        scope: family.scopes.join(" "),
      };
    },

    familyOf: (token) => {
      const found = accessTokens.find(token);
      if (!found || found.expiresAt <= clock.now()) return undefined;
      const { family, revoked } = found.value;
      return revoked || family.revoked ? undefined : family;
    },

    redeem: (token, clientId) => {
      const found = refreshTokens.find(token);
      if (found?.value.family.clientId !== clientId) {
        throw new OAuthError("invalid_grant", "the refresh token is unknown or another client's");
      }
      const refreshToken = found.value;
      if (refreshToken.used) {
        reuses += 1;
        refreshToken.family.revoked = true;
        throw new OAuthError("invalid_grant", "the refresh token was used before; its tokens are revoked");
      }
      if (refreshToken.family.revoked) {
        throw new OAuthError("invalid_grant", "the refresh token is revoked");
      }
      if (found.expiresAt <= clock.now()) {
        throw new OAuthError("invalid_grant", "the refresh token has expired");
      }
      refreshToken.used = true;
      return refreshToken.family;
    },

    revoke: (token, clientId) => {
      const access = accessTokens.find(token)?.value;
      const family = access?.family ?? refreshTokens.find(token)?.value.family;
      if (!family) return;
      if (family.clientId !== clientId) {
        throw new OAuthError("invalid_grant", "the token is another client's");
      }
      if (access) access.revoked = true;
      else family.revoked = true;
    },

    revokeWhere: (condition) => {
      for (const vault of [accessTokens, refreshTokens]) {
        for (const { family } of vault.values()) if (condition(family)) family.revoked = true;
      }
    },

    reuses: () => reuses,
    clear: () => {
      accessTokens.clear();
      refreshTokens.clear();
      reuses = 0;
    },
  };
}
