/** Codes, tokens and verifiers are compared in constant time, and found by a part that is no secret. */
import { createHash, timingSafeEqual } from "node:crypto";

/** Checks for the URL-safe Base64, without padding, of a SHA-256. */
export function isCodeChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Compares verifier and challenge (RFC 7636, section 4.6) in constant time. */
export function verifierMatches(codeVerifier: string, codeChallenge: string): boolean {
  const derived = createHash("sha256").update(codeVerifier, "ascii").digest("base64url");
  return sameSecret(derived, codeChallenge);
}

/** Compares two texts in a time that tells nothing but their lengths. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

interface Entry<Value> {
  readonly secret: string;
  readonly value: Value;
  /** The entry expires at this time, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

interface Vault<Value> {
  /** Keeps a value under a new token. `expiresAt` in milliseconds since the epoch. */
  add(value: Value, expiresAt: number): string;
  /** Gives the value of a token, also of an expired one as long as it is kept. */
  find(token: string): { readonly value: Value; readonly expiresAt: number } | undefined;
  /** Lists every value that is kept, also those of expired tokens. */
  values(): Iterable<Value>;
  clear(): void;
}

const selectorBytes = 9;
const secretBytes = 24;
const selectorLength = 12;

/**
 * Keeps tokens of the form `<prefix>_<selector><secret>`. An entry is found by its selector, which is no secret, and
 * only then is the secret compared, in constant time: how long a look-up takes tells nothing about a token.
 *
 * @param forgetAfterMs how long after its expiry an entry is surely kept, in milliseconds
 */
export function createVault<Value>(options: {
  prefix: string;
  randomBytes: (length: number) => Uint8Array;
  now: () => number;
  forgetAfterMs: number;
}): Vault<Value> {
  const { prefix, randomBytes, now, forgetAfterMs } = options;
  const entries = new Map<string, Entry<Value>>();
  const start = prefix.length + 1;

  const selectorOf = (token: string) => token.slice(start, start + selectorLength);

  /** Entries are in the order of their making, which is about that of their expiry. */
  const forget = () => {
    for (const [selector, entry] of entries) {
      if (entry.expiresAt + forgetAfterMs > now()) return;
      entries.delete(selector);
    }
  };

  return {
    add: (value, expiresAt) => {
      forget();
      const random = Buffer.from(randomBytes(selectorBytes + secretBytes)).toString("base64url");
      const token = `${prefix}_${random}`;
      entries.set(selectorOf(token), { secret: token, value, expiresAt });
      return token;
    },
    find: (token) => {
      const entry = entries.get(selectorOf(token));
      return entry && sameSecret(entry.secret, token) ? entry : undefined;
    },
    *values() {
      for (const entry of entries.values()) yield entry.value;
    },
    clear: () => entries.clear(),
  };
}
