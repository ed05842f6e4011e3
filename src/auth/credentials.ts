/** Gives a client the credentials of a stored session, for the commands and the library alike. */
import type { Credentials } from "../client/credentials.js";
import { t } from "../languages/language.js";
import { credentialDigest } from "../state/credential-names.js";
import type { Fingerprint } from "../state/journal.js";
import { createAccessTokenSource, signInAgain, type RenewalOptions } from "./renewal.js";

/** @returns `fingerprint` identifies the sign-in and key that the store has now */
export function sessionCredentials(options: RenewalOptions) {
  const { session } = options;
  const { store, environment, tokens, api_key: apiKey, partner_key: partnerKey } = session;
  const source = tokens && createAccessTokenSource(options);
  const keep = (key: string, flag: string) =>
    t`Store the ${key} with: comanda login ${flag} --store ${store}`;
  const keyHint = keep(t`API key`, "--api-key");
  const partnerHint = keep(t`partner key`, "--partner-key");
  const hints = { bearer: signInAgain(session), api_key: keyHint, partner: `${keyHint}\n${partnerHint}` };
  const credentials: Credentials = {
    ...(source && { bearer: source.bearer, renew: source.renew, isAdopted: source.isAdopted }),
    ...(apiKey !== undefined && { apiKey: () => Promise.resolve(apiKey) }),
    ...(partnerKey !== undefined && { partnerKey: () => Promise.resolve(partnerKey) }),
    hint: (signature) => hints[signature],
  };
  function fingerprint(): Fingerprint {
    const signedInAt = source?.signedInAt();
    return {
      address: environment.base_url,
      ...(source && { sign_in: signedInAt === undefined ? "unknown" : new Date(signedInAt).toISOString() }),
      // Most calls are signed with the token, and load nothing that makes digests.
      get key() {
        return apiKey === undefined ? undefined : credentialDigest(apiKey);
      },
    };
  }
  return { credentials, fingerprint };
}
