/** The ways to sign a call: section 5.1. */
import { credentialHeaders, credentialValue, type Credential } from "../../contract/credentials.js";

/** `partner` is the store's API key together with the partner key, as order creation needs them. */
export const signatures = ["bearer", "api_key", "partner"] as const satisfies readonly (
  Credential | "partner"
)[];
export type Signature = (typeof signatures)[number];

export const credentialKinds = ["bearer", "api_key", "partner_key"] as const;
/** What a store can have. */
export type CredentialKind = (typeof credentialKinds)[number];

export const neededFor: Readonly<Record<Signature, readonly CredentialKind[]>> = {
  bearer: ["bearer"],
  api_key: ["api_key"],
  partner: ["api_key", "partner_key"],
};

/** What one call is signed with. */
export type Secrets = Readonly<Partial<Record<CredentialKind, string>>>;

/** The headers of a request with those of its credentials, by their lower-case names. */
export function signedHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: Secrets,
): Record<string, string> {
  const signed: Record<string, string> = {};
  for (const kind of credentialKinds) {
    const secret = secrets[kind];
    if (secret !== undefined) signed[credentialHeaders[kind]] = credentialValue(kind, secret);
  }
  // Last, since to add to a copy is slow in Node 20; no header of a request has one of these names.
  return Object.assign(signed, headers);
}

/** The headers that carry credentials; nobody else may set them. */
export const signatureHeaders: ReadonlySet<string> = new Set(Object.values(credentialHeaders));

/** What a credential is called in a sentence. */
export const credentialNames: Readonly<Record<CredentialKind, string>> = {
  bearer: "access token",
  api_key: "API key",
  partner_key: "partner key",
};
