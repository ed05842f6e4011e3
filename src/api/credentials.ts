/** Section 5.1 says how a call is signed. */
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
