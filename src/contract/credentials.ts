/** How a call is signed: section 5.1. */
import type { Scope } from "./scopes.js";

export const credentialHeaders = {
  bearer: "authorization",
  api_key: "x-api-key",
  partner_key: "x-partner-key",
} as const;

/** `bearer` is the OAuth access token, `api_key` the store's legacy key. */
export type Credential = "bearer" | "api_key";

/** What the header that carries a credential says. */
export function credentialValue(credential: keyof typeof credentialHeaders, secret: string): string {
  return credential === "bearer" ? `Bearer ${secret}` : secret;
}

/** The scopes that a Bearer token must carry. The API key model applies none (section 5.1). */
export type RequiredScopes = readonly Scope[];
