/** Tests the authorization request, and which callbacks are accepted. */
import { createHash } from "node:crypto";

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  authorizationUrl,
  createOneTimeValues,
  judgeParameters,
  judgePasted,
  loopbackAddresses,
} from "../../src/auth/authorize.js";
import { testEnvironment } from "./support/sessions.js";

describe("the authorization URL", () => {
  // library/oauth.test.ts tests its parameters.
  test("contains the query of auth_url unchanged", () => {
    const environment = testEnvironment({ auth_url: "https://portal.example/a?lang=pt%20BR&x=a+b&flag" });
    const url = authorizationUrl(environment, { codeChallenge: "challenge", state: "a state&more" });
    expect(url).toContain("/a?lang=pt%20BR&x=a+b&flag&client_id=app-1&");
  });

  test("has new values of 256 bits each time, with the verifier's digest as the challenge", async () => {
    const { codeVerifier, codeChallenge, state } = await createOneTimeValues();
    expect(codeVerifier).toMatch(/^[\w-]{43}$/);
    expect(codeChallenge).toBe(createHash("sha256").update(codeVerifier).digest("base64url"));
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(await createOneTimeValues()).not.toMatchObject({ codeVerifier });
  });
});

test.each([
  ["http://127.0.0.1:8765/callback", ["127.0.0.1"]],
  ["http://localhost:8765/callback", ["127.0.0.1", "::1"]],
  ["https://127.0.0.1:8765/callback", []],
  ["http://127.0.0.1.evil.example/callback", []],
  ["http://192.168.0.7:8765/callback", []],
])("the redirect URI %s is received on %j", (uri, addresses) => {
  expect(loopbackAddresses(new URL(uri))).toEqual(addresses);
});

const state = "the-pending-state";
const pendingAt = (uri: string) => ({ state, address: new URL(uri) });

const failed = { error: "server_error", description: "Try later" };

describe("a callback", () => {
  const judge = (query: string, own = "") =>
    judgeParameters(new URLSearchParams(query), pendingAt(`http://127.0.0.1:8765/callback?${own}`));

  test.each([
    [`code=abc&state=${state}`, { code: "abc" }],
    [`state=${state}&code=abc&iss=https%3A%2F%2Felsewhere&session_state=1`, { code: "abc" }],
    [`error=access_denied&state=${state}`, { error: "access_denied", description: null }],
    [`error=server_error&error_description=Try+later&state=${state}`, failed],
    [`code=abc&state=${state}&state=${state}`, undefined],
    [`code=abc&state=${state}&foo=1&foo=2`, undefined],
    [`state=${state}`, undefined],
    [`code=&state=${state}`, undefined],
    [`code=abc&error=access_denied&state=${state}`, undefined],
    [`code=a%0Ab&state=${state}`, undefined],
    [`code=c&state=${state}&tag=a&app=1&tag=b`, { code: "c" }, "app=1&tag=a&tag=b"],
    [`code=c&state=${state}`, undefined, "app=1&tag=a&tag=b"],
    [`code=c&state=${state}&app=2&tag=a&tag=b`, undefined, "app=1&tag=a&tag=b"],
  ])("with %j is judged as %j for the registered query %j", (query, expected, own = "") => {
    expect(judge(query, own)).toEqual(expected);
  });

  test("is rejected without the pending state", () => {
    const name = fc.oneof(fc.constantFrom("code", "error", "state", "iss", "error_description"), fc.string());
    const value = fc.oneof(fc.string(), fc.constantFrom(state.slice(1), `${state} `, state.slice(0, -1)));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
        fc.pre(!pairs.some(([, given]) => given === state));
        expect(judge(String(new URLSearchParams(pairs)))).toBeUndefined();
        const line = `app.example/done?${String(new URLSearchParams(pairs))}`;
        expect(judgePasted(line, pendingAt("app:x"))).toBeUndefined();
      }),
    );
  });
});

describe("a pasted line", () => {
  test.each([
    [`  https://app.example/done?code=abc&state=${state}\r`, { code: "abc" }],
    [`https://APP.example/done?state=${state}&code=abc#_=_`, { code: "abc" }],
    [`"https://app.example/done?code=abc&state=${state}"`, { code: "abc" }],
    [`app.example/done?code=abc&state=${state}`, { code: "abc" }],
    [`?code=abc&state=${state}`, { code: "abc" }],
    [`code=abc&state=${state}`, { code: "abc" }],
  ])("%j is judged as %j", (line, expected) => {
    expect(judgePasted(line, pendingAt("https://app.example/done"))).toEqual(expected);
  });

  test("may lack the scheme of an address on localhost", () => {
    const line = `localhost:8765/callback?code=abc&state=${state}`;
    expect(judgePasted(line, pendingAt("http://localhost:8765/callback"))).toEqual({ code: "abc" });
  });

  test.each([
    "other.example/done",
    "https://other.example/done",
    "https://app.example/other",
    "http://app.example/done",
  ])("is rejected if it is another address: %s", (address) => {
    const line = `${address}?code=abc&state=${state}`;
    expect(judgePasted(line, pendingAt("https://app.example/done"))).toBeUndefined();
  });
});
