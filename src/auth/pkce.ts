/** The one-time values of a sign-in: section 5.2, step 1, and RFC 7636. */
import { createHash } from "node:crypto";

/** Gives that many random bytes, fit for secrets. */
export type RandomBytes = (count: number) => Uint8Array;

export interface OneTimeValues {
  /** 43 characters: 256 bits, RFC 7636, section 4.1. It stays in this process. */
  readonly codeVerifier: string;
  readonly codeChallenge: string;
  /** 192 bits: nobody guesses the answer that the listener waits for. */
  readonly state: string;
}

export function createOneTimeValues(random: RandomBytes): OneTimeValues {
  const codeVerifier = base64url(random(32));
  return { codeVerifier, codeChallenge: codeChallengeOf(codeVerifier), state: base64url(random(24)) };
}

/** RFC 7636, section 4.2, method S256. */
export function codeChallengeOf(codeVerifier: string): string {
  return createHash("sha256").update(codeVerifier, "ascii").digest("base64url");
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
