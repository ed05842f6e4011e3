/**
 * Authorization codes have a single use and a short life, and are bound to what they were issued for (RFC 6749,
 * section 4.1.2).
 */
import type { Scope } from "../../../contract/scopes.js";
import type { EmulatorClock } from "../../domain/model.js";
import type { Readings } from "../../readings.js";
import { OAuthError } from "./choices.js";
import { createVault, verifierMatches } from "./secrets.js";
import type { TokenFamily } from "./token-families.js";

/** The owner allowed this at the consent page. */
export interface Consent {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly storeId: number;
  readonly personId: string;
}

/** The app sends this in step 4 of section 5.2. */
export interface CodeExchange {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly code: string;
  readonly codeVerifier: string;
}

interface GrantedConsent extends Consent {
  /** These were the app's scopes at the time of the consent. */
  readonly scopes: readonly Scope[];
}

interface AuthorizationCode {
  readonly consent: GrantedConsent;
  void: boolean;
  /** The first exchange sets it. */
  family?: TokenFamily;
}

interface AuthorizationCodes {
  issue(consent: GrantedConsent, expiresAt: number): string;
  /**
   * Checks a code and uses it up; `open` makes what it is exchanged for. A second use revokes that.
   *
   * @throws {OAuthError} `invalid_grant`; the code stays good where only the exchange was wrong
   */
  redeem(exchange: CodeExchange, open: (consent: GrantedConsent) => TokenFamily): TokenFamily;
  voidWhere(condition: (consent: GrantedConsent) => boolean): void;
  /** Counts how often a code was used again. */
  reuses(): number;
  clear(): void;
}

/** A code's second use is noticed as long as its tokens may live. */
const forgetAfterMs = 24 * 3_600_000;

export function createAuthorizationCodes(options: {
  clock: EmulatorClock;
  randomBytes: (length: number) => Uint8Array;
  codeReuse: Readings["code_reuse"];
}): AuthorizationCodes {
  const { clock, randomBytes, codeReuse } = options;
  const now = () => clock.now();
  const codes = createVault<AuthorizationCode>({ prefix: "code", randomBytes, now, forgetAfterMs });
  let reuses = 0;

  return {
    issue: (consent, expiresAt) => codes.add({ consent, void: false }, expiresAt),

    redeem: (exchange, open) => {
      const entry = codes.find(exchange.code);
      if (entry?.value.consent.clientId !== exchange.clientId) {
        throw new OAuthError("invalid_grant", "the code is unknown or another client's");
      }
      const code = entry.value;
      if (code.family) {
        reuses += 1;
        if (codeReuse === "refused") throw new OAuthError("invalid_grant", "the code was used before");
        code.family.revoked = true;
        throw new OAuthError("invalid_grant", "the code was used before; its tokens are revoked");
      }
      if (code.void || entry.expiresAt <= clock.now()) {
        throw new OAuthError("invalid_grant", "the code has expired");
      }
      if (code.consent.redirectUri !== exchange.redirectUri) {
        throw new OAuthError("invalid_grant", "redirect_uri is not the one that the code was issued for");
      }
      if (!verifierMatches(exchange.codeVerifier, code.consent.codeChallenge)) {
        throw new OAuthError("invalid_grant", "code_verifier does not match the code_challenge");
      }
      code.family = open(code.consent);
      return code.family;
    },

    voidWhere: (condition) => {
      for (const code of codes.values()) if (condition(code.consent)) code.void = true;
    },

    reuses: () => reuses,
    clear: () => {
      codes.clear();
      reuses = 0;
    },
  };
}
