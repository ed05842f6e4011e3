import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { judgePasted, parseRedirectAddress, waitForCallback } from "../../src/auth/callback.js";
import { manualClock } from "./support/clock.js";
import { testEnvironment } from "./support/sessions.js";

const state = "s-1";
const code = { kind: "code", code: "abc" };

const judge = (line: string, redirect_uri = "https://app.example/done") => {
  const address = parseRedirectAddress(testEnvironment({ redirect_uri }));
  return judgePasted(line, { state, address });
};

describe("a pasted redirect address", () => {
  test.each([
    "https://app.example/done?code=abc&state=s-1",
    "  https://app.example/done?code=abc&state=s-1\r",
    "https://APP.example/done?state=s-1&code=abc#_=_",
    '"https://app.example/done?code=abc&state=s-1"',
    "app.example/done?code=abc&state=s-1",
    "?code=abc&state=s-1",
    "code=abc&state=s-1#",
  ])("%j is taken", (line) => {
    expect(judge(line)).toEqual(code);
  });

  test.each([
    ["localhost:8765/cb?code=abc&state=s-1", "http://localhost:8765/cb"],
    ["http://127.0.0.1:8765/?a=1&code=abc&state=s-1", "http://127.0.0.1:8765/?a=1"],
    ["com.example.app:/cb?code=abc&state=s-1", "com.example.app:/cb"],
  ])("%j is taken for %s", (line, uri) => {
    expect(judge(line, uri)).toEqual(code);
  });

  test.each([
    ["https://app.example/done?code=abc&state=other", /another sign-in/],
    ["https://app.example/done?error=access_denied", /another sign-in/],
    ["code=abc", /another sign-in/],
    ["https://evil.example/done?code=abc&state=s-1", /not the redirect address/],
    ["https://app.example/other?code=abc&state=s-1", /not the redirect address/],
    ["http://app.example/done?code=abc&state=s-1", /not the redirect address/],
    ["hello", /not the redirect address/],
    ["", /not the redirect address/],
    ["code=abc&code=abc&state=s-1", /twice/],
    ["state=s-1", /neither/],
  ])("%j is not: %s", (line, problem) => {
    expect(judge(line)).toEqual({ kind: "none", problem: expect.stringMatching(problem) as string });
  });

  test("any text at all is judged without a fault, and never taken without the state", () => {
    const places = ["https://app.example/done", "https://app.example", "//app.example/done", "app:done", ""];
    const fields = fc.array(fc.tuple(fc.constantFrom("code", "state", "error", "x"), fc.string()));
    const addresses = fc
      .tuple(fc.constantFrom(...places), fields, fc.string())
      .map(([place, query, rest]) => `${place}?${new URLSearchParams(query).toString()}${rest}`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), addresses), (line) => {
        expect(judge(line).kind).toBe("none");
      }),
    );
  });

  test("is asked for again, saying why, until one belongs to this sign-in", async () => {
    const lines = ["nonsense", "code=abc&state=stolen", "code=abc&state=s-1", "never read"];
    const problems: (string | undefined)[] = [];
    const address = parseRedirectAddress(testEnvironment({ redirect_uri: "https://app.example/done" }));
    const ask = (problem: string | undefined) => {
      problems.push(problem);
      return Promise.resolve(lines.shift());
    };
    const received = await waitForCallback({
      pending: { state, address },
      clock: manualClock(),
      timeoutMs: 1,
      received: undefined,
      prompt: ask,
      signal: undefined,
    });
    expect(received.callback).toEqual(code);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toBeUndefined();
    expect(problems[1]).toMatch(/not the redirect address/);
    expect(problems[2]).toMatch(/another sign-in/);
  });
});

describe("the registered redirect address", () => {
  test.each([
    "nonsense",
    "http://127.0.0.1:1/cb#x",
    "http://127.0.0.1:1/?state=1",
    "http://127.0.0.1:1/?code",
  ])("%s can't take an answer", (redirect_uri) => {
    expect(() => parseRedirectAddress(testEnvironment({ redirect_uri }))).toThrow(
      expect.objectContaining({ code: "configuration" }),
    );
  });

  test.each([
    ["http://127.0.0.1:8765/callback", { port: 8765, addresses: ["127.0.0.1"] }],
    ["http://localhost:8765/callback", { port: 8765, addresses: ["127.0.0.1", "::1"] }],
    ["http://[::1]:8765/callback", { port: 8765, addresses: ["::1"] }],
    ["http://127.0.0.1/callback", { port: 80, addresses: ["127.0.0.1"] }],
    ["https://127.0.0.1:8765/callback", undefined],
    ["http://127.0.0.1.evil.example/callback", undefined],
    ["http://192.168.0.7:8765/callback", undefined],
    ["https://app.example/done", undefined],
  ])("%s is listened for on %j", (redirect_uri, listen) => {
    expect(parseRedirectAddress(testEnvironment({ redirect_uri })).listen).toEqual(listen);
  });
});
