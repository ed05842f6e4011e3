import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { judgeParameters, judgeRequest, parseRedirectAddress } from "../../src/auth/callback.js";
import { testEnvironment } from "./support/sessions.js";

const state = "the-pending-state";
const pendingAt = (redirect_uri: string) => ({
  state,
  address: parseRedirectAddress(testEnvironment({ redirect_uri })),
});
const pending = pendingAt("http://127.0.0.1:8765/callback");
const { address } = pending;

const judge = (query: string, own = "") =>
  judgeParameters(new URLSearchParams(query), pendingAt(`${address.uri}?${own}`));

const request = (changes: { method?: string; target?: string; hosts?: string[] } = {}) =>
  judgeRequest(
    { method: "GET", target: `/callback?code=c&state=${state}`, hosts: [address.host], ...changes },
    pending,
  );

describe("the parameters of a callback", () => {
  test.each([
    [`code=abc&state=${state}`, { kind: "code", code: "abc" }],
    [`state=${state}&code=abc&iss=https%3A%2F%2Felsewhere&session_state=1`, { kind: "code", code: "abc" }],
    [`error=access_denied&state=${state}`, { kind: "error", error: "access_denied", description: undefined }],
    [
      `error=server_error&error_description=Try+later&state=${state}`,
      { kind: "error", error: "server_error", description: "Try later" },
    ],
  ])("%s is an answer", (query, expected) => {
    expect(judge(query)).toEqual(expected);
  });

  test.each([
    ["", "wrong_state"],
    ["code=abc", "wrong_state"],
    ["code=abc&state=", "wrong_state"],
    ["code=abc&state=other", "wrong_state"],
    ["error=access_denied", "wrong_state"],
    ["error=access_denied&state=other", "wrong_state"],
    [`code=abc&state=${state.toUpperCase()}`, "wrong_state"],
    [`code=abc&state=${state}&state=${state}`, "wrong_state"],
    [`code=abc&state=${state}&state=other`, "wrong_state"],
    [`code=abc&code=abc&state=${state}`, "repeated"],
    [`error=a&error=b&state=${state}`, "repeated"],
    [`code=abc&state=${state}&foo=1&foo=2`, "repeated"],
    [`state=${state}`, "incomplete"],
    [`code=&state=${state}`, "incomplete"],
    [`error=&state=${state}`, "incomplete"],
    [`code=abc&error=access_denied&state=${state}`, "incomplete"],
    [`code=a%0Ab&state=${state}`, "incomplete"],
    [`code=${"a".repeat(4097)}&state=${state}`, "incomplete"],
  ])("%s is none: %s", (query, reason) => {
    expect(judge(query)).toEqual({ kind: "none", reason });
  });

  test.each([
    [`app=1&tag=a&tag=b&code=c&state=${state}`, "code"],
    [`code=c&state=${state}&tag=a&app=1&tag=b`, "code"],
    [`code=c&state=${state}`, "none"],
    [`code=c&state=${state}&app=2&tag=a&tag=b`, "none"],
    [`code=c&state=${state}&app=1&app=1&tag=a&tag=b`, "none"],
  ])("with a redirect address of ?app=1&tag=a&tag=b, %s is: %s", (query, kind) => {
    expect(judge(query, "app=1&tag=a&tag=b").kind).toBe(kind);
  });

  test("no parameters without the pending state are ever an answer", () => {
    const name = fc.oneof(fc.constantFrom("code", "error", "state", "iss", "error_description"), fc.string());
    const value = fc.oneof(fc.string(), fc.constantFrom(state.slice(1), `${state} `, state.slice(0, -1)));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
        fc.pre(!pairs.some(([, given]) => given === state));
        expect(judgeParameters(new URLSearchParams(pairs), pending)).toEqual({
          kind: "none",
          reason: "wrong_state",
        });
      }),
      { numRuns: 200 },
    );
  });
});

describe("a request to the redirect address", () => {
  test("a GET on the exact path with the right host is an answer", () => {
    expect(request()).toEqual({ kind: "code", code: "c" });
    expect(request({ hosts: ["127.0.0.1:8765".toUpperCase()] }).kind).toBe("code");
  });

  const query = `?code=c&state=${state}`;
  test.each([
    ["another host", { hosts: ["evil.example:8765"] }, 400],
    ["localhost, which is not the registered one", { hosts: ["localhost:8765"] }, 400],
    ["another port", { hosts: ["127.0.0.1:80"] }, 400],
    ["no host", { hosts: [] }, 400],
    ["two hosts", { hosts: [address.host, address.host] }, 400],
    ["HEAD", { method: "HEAD" }, 405],
    ["OPTIONS", { method: "OPTIONS" }, 405],
    ["POST", { method: "POST" }, 405],
    ["the favicon", { target: "/favicon.ico" }, 404],
    ["the root", { target: `/${query}` }, 404],
    ["a trailing slash", { target: `/callback/${query}` }, 404],
    ["another case", { target: `/Callback${query}` }, 404],
    ["a path that leads there", { target: `/x/../callback${query}` }, 404],
    ["an encoded path", { target: `/%63allback${query}` }, 404],
    ["an absolute target", { target: `http://127.0.0.1:8765/callback${query}` }, 404],
    ["an asterisk", { target: "*", method: "OPTIONS" }, 404],
    ["no state", { target: "/callback?code=c" }, 400],
    ["an error without the state", { target: "/callback?error=access_denied" }, 400],
  ])("%s is refused", (_, changes, status) => {
    expect(request(changes)).toMatchObject({ kind: "refused", status });
  });
});
