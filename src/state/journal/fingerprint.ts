/** Tells to which address and which credential's owner a write belongs. The rest of a list never goes to another. */
import type { CallObserver } from "../../client/call/observer.js";
import { isSafe } from "../../client/http/transport.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";

/** It tells one store's address and credentials from another's, and holds no secret. */
export interface Fingerprint {
  /** The base URL. */
  readonly address: string;
  /** The moment of the sign-in (ISO 8601, UTC), or the digest of an access token from the environment. */
  readonly sign_in?: string;
  /** A digest of the API key; the key itself is never written down. */
  readonly key?: string | undefined;
}

/** Tells one sign-in from every other: the token's, or where there is none, the key's. */
export function signInOf(fingerprint: Fingerprint): string | null {
  return fingerprint.sign_in ?? fingerprint.key ?? null;
}

/** A status change may be signed with either of these. */
export type OrderCredential = "bearer" | "api_key";

/** The part in which two fingerprints differ, or that isn't known. */
export type Difference = "address" | OrderCredential;

/**
 * An access token is renewed, and its sign-in stays the same. Of another sign-in nothing tells whether it is the same
 * store's: the service names none.
 *
 * @param credential what calls are signed with now: the others don't matter
 */
export function differenceOf(
  then: Fingerprint | undefined,
  now: Fingerprint,
  credential: OrderCredential,
): Difference | undefined {
  if (then && then.address !== now.address) return "address";
  const name = credential === "bearer" ? "sign_in" : "key";
  const owner = now[name];
  return owner !== undefined && owner === then?.[name] ? undefined : credential;
}

export interface OwnerOptions {
  /** Sentences call the store by it. */
  readonly label: string;
  /** Gives the fingerprint of this moment. */
  readonly fingerprint: () => Fingerprint;
}

/** All that is changed in the course of a command is changed at one store, whoever signs in anew meanwhile. */
export function ownerObserver({ label, fingerprint }: OwnerOptions): CallObserver {
  const atFirst = fingerprint();
  return {
    sends(call, { credential }) {
      if (isSafe(call) || (credential !== "bearer" && credential !== "api_key")) return;
      if (differenceOf(atFirst, fingerprint(), credential) === undefined) return;
      throw new ComandaError("not_signed_in", t`There was another sign-in at ${label} meanwhile.`, {
        hint: t`Nothing more was sent, since nothing tells whether it is the same store's. Run the command again.`,
      });
    },
  };
}
