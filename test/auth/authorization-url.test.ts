import { describe, expect, test } from "vitest";

import { authorizationUrl } from "../../src/auth/authorization-url.js";
import { testEnvironment } from "./support/sessions.js";

const values = { codeChallenge: "challenge", state: "a state&more" };

const url = (auth_url: string) => authorizationUrl(testEnvironment({ auth_url }), values);

describe("authorization URL", () => {
  test("carries exactly the five parameters of section 5.2", () => {
    const { origin, pathname, searchParams } = new URL(url("https://portal.example/authorize"));
    expect(`${origin}${pathname}`).toBe("https://portal.example/authorize");
    expect([...searchParams]).toEqual([
      ["client_id", "app-1"],
      ["state", "a state&more"],
      ["redirect_uri", "http://127.0.0.1:8765/callback"],
      ["code_challenge", "challenge"],
      ["code_challenge_method", "S256"],
    ]);
  });

  test("keeps the query that auth_url has, to the letter", () => {
    expect(url("https://portal.example/a?lang=pt%20BR&x=a+b&flag")).toContain(
      "/a?lang=pt%20BR&x=a+b&flag&client_id=app-1&",
    );
  });

  test.each(["client_id", "state", "redirect_uri", "code_challenge", "code_challenge_method"])(
    "refuses an auth_url with a %s of its own",
    (name) => {
      expect(() => url(`https://portal.example/?${name}=x`)).toThrow(
        expect.objectContaining({ code: "configuration" }),
      );
    },
  );

  test("refuses an auth_url that is none", () => {
    expect(() => url("portal")).toThrow(expect.objectContaining({ code: "configuration" }));
  });
});
