import { randomBytes } from "node:crypto";

import * as z from "zod/mini";
import { describe, expect, test } from "vitest";

import { codeChallengeOf, createOneTimeValues } from "../../src/auth/authorization-url.js";
import { codeVerifierSchema } from "../../src/api/oauth-operations.js";

describe("one-time values", () => {
  test("the challenge is the one of RFC 7636, appendix B", async () => {
    expect(await codeChallengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toBe(
      "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    );
  });

  test("verifier and state are long enough, differ from each other and from the next ones", async () => {
    const seen = new Set<string>();
    for (let index = 0; index < 200; index += 1) {
      const { codeVerifier, codeChallenge, state } = await createOneTimeValues(randomBytes);
      expect(z.safeParse(codeVerifierSchema(), codeVerifier).success).toBe(true);
      expect(codeChallenge).toBe(await codeChallengeOf(codeVerifier));
      expect(codeChallenge).toMatch(/^[\w-]{43}$/);
      // 128 bits are 22 characters of Base64.
      expect(state.length).toBeGreaterThanOrEqual(22);
      seen.add(codeVerifier).add(state);
    }
    expect(seen.size).toBe(400);
  });
});
