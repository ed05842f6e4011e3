/** The ways to sign a call: section 5.1. */
import { credentialHeader, credentialHeaders, type Credential } from "../contract/credentials.js";

/** `partner` is the store's API key together with the partner key, as order creation needs them. */
export type Signature = Credential | "partner";

/** What a store has to have for each. */
export type CredentialKind = Credential | "partner_key";

export const neededFor: Readonly<Record<Signature, readonly CredentialKind[]>> = {
  bearer: ["bearer"],
  api_key: ["api_key"],
  partner: ["api_key", "partner_key"],
};

/** The header of one credential, by its lower-case name. */
export function signatureHeader(kind: CredentialKind, secret: string): Record<string, string> {
  return kind === "partner_key"
    ? { [credentialHeaders.partner_key]: secret }
    : credentialHeader(kind, secret);
}

/** The headers that carry credentials; nobody else may set them. */
export const signatureHeaders: ReadonlySet<string> = new Set(Object.values(credentialHeaders));

/** What a credential is called in a sentence. */
export const credentialNames: Readonly<Record<CredentialKind, string>> = {
  bearer: "access token",
  api_key: "API key",
  partner_key: "partner key",
};
