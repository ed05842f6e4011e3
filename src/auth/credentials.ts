/** Gives a client the credentials of a stored session, for the commands and the library alike. */
import type { Credentials } from "../client/call/credentials.js";
import type { CredentialKind } from "../client/call/signature.js";
import { t } from "../languages/language.js";
import { credentialDigest } from "../state/credential-names.js";
import type { Fingerprint } from "../state/journal.js";
import { createAccessTokenSource, signInAgain, type RenewalOptions } from "./renewal.js";

export interface SessionCredentials {
  readonly kinds: readonly CredentialKind[];
  /** The access token refreshes itself; its functions throw as those of {@link createAccessTokenSource}. */
  readonly credentials: Credentials;
  /** Identifies the sign-in and key that the store has now. */
  readonly fingerprint: () => Fingerprint;
}

export function sessionCredentials(options: RenewalOptions): SessionCredentials {
  const { session } = options;
  const { store, environment, tokens, api_key: apiKey, partner_key: partnerKey } = session;
  const source = tokens && createAccessTokenSource(options);
  const keyHint = storeKey(t`API key`, "--api-key", store);
  const partnerHint = storeKey(t`partner key`, "--partner-key", store);
  const hints = { bearer: signInAgain(session), api_key: keyHint, partner: `${keyHint}\n${partnerHint}` };
  return {
    kinds: [
      ...(source ? (["bearer"] as const) : []),
      ...(apiKey === undefined ? [] : (["api_key"] as const)),
      ...(partnerKey === undefined ? [] : (["partner_key"] as const)),
    ],
    credentials: {
      ...(source && { bearer: source.bearer, renew: source.renew, isAdopted: source.isAdopted }),
      ...(apiKey !== undefined && { apiKey: () => Promise.resolve(apiKey) }),
      ...(partnerKey !== undefined && { partnerKey: () => Promise.resolve(partnerKey) }),
      hint: (signature) => hints[signature],
    },
    fingerprint() {
      const signedInAt = source?.signedInAt();
      return {
        address: environment.base_url,
        // At most one sign-in kept no moment: each later one keeps its own.
        ...(source && { sign_in: signedInAt === undefined ? "unknown" : new Date(signedInAt).toISOString() }),
        // Most calls are signed with the token, and load nothing that makes digests.
        get key() {
          return apiKey === undefined ? undefined : credentialDigest(apiKey);
        },
      };
    },
  };
}

function storeKey(what: string, flag: string, store: string): string {
  return t`Store the ${what} with: comanda login ${flag} --store ${store}`;
}
