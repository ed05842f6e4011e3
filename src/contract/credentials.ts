/** Section 5.1 says how a call is signed. */
import type { Scope } from "./scopes.js";

export const credentialHeaders = {
  bearer: "authorization",
  api_key: "x-api-key",
  partner_key: "x-partner-key",
} as const;

/** `bearer` is the OAuth access token, `api_key` the store's legacy key. */
export type Credential = "bearer" | "api_key";

export function credentialValue(credential: keyof typeof credentialHeaders, secret: string): string {
  return credential === "bearer" ? `Bearer ${secret}` : secret;
}

/** A Bearer token must carry these scopes. The API key model applies none (section 5.1). */
export type RequiredScopes = readonly Scope[];
