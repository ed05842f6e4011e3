/** Access and refresh tokens of one consent are held together as a family. */
import type { TokenResponse } from "../../../contract/oauth.js";
import type { Scope } from "../../../contract/scopes.js";
import type { EmulatorClock } from "../../domain/model.js";
import type { Readings } from "../../readings.js";
import { type Lifetimes, OAuthError } from "./choices.js";
import { createVault } from "./secrets.js";

/** A family has every token that came from one consent. */
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
  /** Issues an access token for a family, and a refresh token; `refreshed` is the one that it replaces. */
  issue(family: TokenFamily, refreshed?: string): TokenResponse;
  /** Gives the family of an access token that is neither unknown, expired nor revoked. */
  familyOf(accessToken: string): TokenFamily | undefined;
  /**
   * Uses a refresh token up, where it is replaced. A second use revokes the family (RFC 9700, section 4.14.2), where
   * the readings don't say otherwise.
   *
   * @throws {OAuthError} `invalid_grant`
   */
  redeem(refreshToken: string, clientId: string): TokenFamily;
  /** RFC 7009. @throws {OAuthError} `invalid_grant` where the token is another client's */
  revoke(token: string, clientId: string): void;
  revokeWhere(condition: (family: TokenFamily) => boolean): void;
  /** Counts how often a refresh token was used again. */
  reuses(): number;
  clear(): void;
}

/** An hour is long enough to tell an expired token from an unknown one, and short enough not to fill the memory. */
const forgetAfterMs = 3_600_000;

export function createTokenFamilies(options: {
  clock: EmulatorClock;
  randomBytes: (length: number) => Uint8Array;
  lifetimes: () => Lifetimes;
  readings: Readings;
}): TokenFamilies {
  const { clock, randomBytes, lifetimes, readings } = options;
  const vaultOptions = { randomBytes, now: () => clock.now(), forgetAfterMs };
  const accessTokens = createVault<AccessToken>({ ...vaultOptions, prefix: "at" });
  const refreshTokens = createVault<RefreshToken>({ ...vaultOptions, prefix: "rt" });
  let reuses = 0;

  return {
    issue: (family, refreshed) => {
      const { accessTokenSeconds, refreshTokenSeconds } = lifetimes();
      const { refresh_rotation, refresh_scope, refresh_ends_access } = readings;
      if (refreshed !== undefined && refresh_ends_access) {
        for (const token of accessTokens.values()) if (token.family === family) token.revoked = true;
      }
      const rotated = () =>
        refreshTokens.add({ family, used: false }, clock.now() + refreshTokenSeconds * 1000);
      return {
        access_token: accessTokens.add({ family, revoked: false }, clock.now() + accessTokenSeconds * 1000),
        token_type: "Bearer",
        expires_in: accessTokenSeconds,
        ...((refreshed === undefined || refresh_rotation !== "absent") && {
          refresh_token: refreshed === undefined || refresh_rotation === "rotate" ? rotated() : refreshed,
        }),
        ...((refreshed === undefined || refresh_scope === "given") && { scope: family.scopes.join(" ") }),
      };
    },

    familyOf: (token) => {
      const accessToken = accessTokens.find(token);
      if (!accessToken || accessToken.expiresAt <= clock.now()) return undefined;
      const { family, revoked } = accessToken.value;
      return revoked || family.revoked ? undefined : family;
    },

    redeem: (token, clientId) => {
      const refreshed = refreshTokens.find(token);
      if (refreshed?.value.family.clientId !== clientId) {
        throw new OAuthError("invalid_grant", "the refresh token is unknown or another client's");
      }
      const refreshToken = refreshed.value;
      if (refreshToken.used) {
        reuses += 1;
        if (readings.refresh_reuse === "revokes_all") {
          refreshToken.family.revoked = true;
          throw new OAuthError("invalid_grant", "the refresh token was used before; its tokens are revoked");
        }
        if (readings.refresh_reuse === "refused")
          throw new OAuthError("invalid_grant", "the refresh token was used before");
      }
      if (refreshToken.family.revoked) {
        throw new OAuthError("invalid_grant", "the refresh token is revoked");
      }
      if (refreshed.expiresAt <= clock.now()) {
        throw new OAuthError("invalid_grant", "the refresh token has expired");
      }
      refreshToken.used = readings.refresh_rotation === "rotate";
      return refreshToken.family;
    },

    revoke: (token, clientId) => {
      const access = accessTokens.find(token)?.value;
      const family = access?.family ?? refreshTokens.find(token)?.value.family;
      if (!family) {
        if (readings.revoke_unknown === "success") return;
        throw new OAuthError("invalid_grant", "the token is unknown");
      }
      if (family.clientId !== clientId) {
        throw new OAuthError("invalid_grant", "the token is another client's");
      }
      if (access && readings.revoke_reach === "given") access.revoked = true;
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
