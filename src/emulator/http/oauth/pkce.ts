/** Proof key for code exchange: RFC 7636 with S256, the one method of section 5.2. */
import { createHash, timingSafeEqual } from "node:crypto";

/** Is this the URL-safe Base64, without padding, of a SHA-256? */
export function isCodeChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** RFC 7636, section 4.6; in constant time. */
export function verifierMatches(codeVerifier: string, codeChallenge: string): boolean {
  const derived = createHash("sha256").update(codeVerifier, "ascii").digest("base64url");
  return sameSecret(derived, codeChallenge);
}

/** Compares two texts in a time that tells nothing but their lengths. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
