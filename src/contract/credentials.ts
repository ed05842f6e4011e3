/** How a call is signed: section 5.1. */
import type { Scope } from "./oauth.js";

export const credentialHeaders = {
  bearer: "authorization",
  api_key: "x-api-key",
  partner_key: "x-partner-key",
} as const;

/** `bearer` is the OAuth access token, `api_key` the store's legacy key. */
export type Credential = "bearer" | "api_key";

/** The header that carries a credential. Never both: the first that an operation accepts and the store has. */
export function credentialHeader(credential: Credential, secret: string): Record<string, string> {
  return { [credentialHeaders[credential]]: credential === "bearer" ? `Bearer ${secret}` : secret };
}

/** The scopes that a Bearer token must carry. The API key model applies none (section 5.1). */
export type RequiredScopes = readonly Scope[];
