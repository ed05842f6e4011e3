/** Gives a client the address and credentials of a stored session, for the commands and the library alike. */
import type { Credentials } from "../client/call/credentials.js";
import type { CredentialKind } from "../client/call/signature.js";
import { credentialDigest } from "../state/credential-names.js";
import { quotaKeyOf } from "../state/sessions/store-alias.js";
import type { Fingerprint } from "../state/journal.js";
import { createAccessTokenSource, type AccessTokenOptions } from "./access-token.js";
import { signInHint } from "./session-errors.js";

/** Address and credentials of one store belong together. */
export interface SessionAccess {
  readonly baseUrl: string;
  /** May the address be another machine's by http? */
  readonly allowInsecure: boolean;
  /** Requests of the same key are counted together against the service's limits. It holds no secret. */
  readonly quotaKey: string;
  readonly credentialKinds: readonly CredentialKind[];
  /** The access token refreshes itself; its functions throw as those of {@link AccessTokenSource}. */
  readonly credentials: Credentials;
  /** Identifies the sign-in and key that the store has now. */
  readonly fingerprint: () => Fingerprint;
}

/** Stands for the moment of a sign-in that kept none. There is at most one: each later sign-in keeps its own. */
const unknownMoment = "unknown";

export function sessionAccess(options: AccessTokenOptions): SessionAccess {
  const { store, environment, tokens, api_key: apiKey, partner_key: partnerKey } = options.session;
  const source = tokens && createAccessTokenSource(options);
  return {
    baseUrl: environment.base_url,
    allowInsecure: environment.allow_insecure ?? false,
    quotaKey: quotaKeyOf(store),
    credentialKinds: [
      ...(source ? (["bearer"] as const) : []),
      ...(apiKey === undefined ? [] : (["api_key"] as const)),
      ...(partnerKey === undefined ? [] : (["partner_key"] as const)),
    ],
    credentials: {
      ...(source && {
        bearer: () => source.fresh(),
        renew: (refused) => source.renew(refused),
        isAdopted: (token) => source.isAdopted(token),
      }),
      ...(apiKey !== undefined && { apiKey: () => Promise.resolve(apiKey) }),
      ...(partnerKey !== undefined && { partnerKey: () => Promise.resolve(partnerKey) }),
      hint: (signature) => signInHint(signature, store, environment),
    },
    fingerprint() {
      const signedInAt = source?.signedInAt();
      return {
        address: environment.base_url,
        ...(source && {
          sign_in: signedInAt === undefined ? unknownMoment : new Date(signedInAt).toISOString(),
        }),
        // Most calls are signed with the token, and load nothing that makes digests.
        get key() {
          return apiKey === undefined ? undefined : credentialDigest(apiKey);
        },
      };
    },
  };
}
