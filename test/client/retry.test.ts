import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { Attempted, Failed } from "../../src/client/call/outcome.js";
import { backoff, conclude, decide, mayHaveBeenDone, type Situation } from "../../src/client/call/retry.js";
import { TransportError, type TransportFailure } from "../../src/client/http/transport.js";
import type { ErrorCode } from "../../src/shared/errors.js";

const noAnswer = (failure: TransportFailure, sent: boolean): Failed => ({
  kind: "no_answer",
  error: new TransportError(failure, sent, failure),
});
const refusal = (
  code: ErrorCode,
  status: number,
  headers: Record<string, string> = {},
  body = "",
): Failed => ({
  kind: "refusal",
  code,
  service: { httpStatus: status },
  answer: { status, headers, body },
});
const success: Attempted<null> = {
  kind: "success",
  value: null,
  answer: { status: 204, headers: {}, body: "" },
};

const now = Date.UTC(2026, 9, 5);
const situation = (
  attempted: Attempted<null>,
  repeatable: boolean,
  more: Partial<Situation> = {},
): Situation => ({
  attempted,
  repeatable,
  repeats: 0,
  maxRepeats: 3,
  windowMs: 60_000,
  random: 0.5,
  now,
  ...more,
});

// The table of RELIABILITY.md: what happens to GET and PUT, what to POST, and whether it may have been done.
const table: readonly [string, Failed, "return" | "repeat" | "wait", string, "in doubt" | ""][] = [
  ["DNS failure", noAnswer("dns", false), "repeat", "repeat", ""],
  ["refused", noAnswer("refused", false), "repeat", "repeat", ""],
  ["connect timeout", noAnswer("connect_timeout", false), "repeat", "repeat", ""],
  ["reset before sending", noAnswer("reset", false), "repeat", "repeat", ""],
  ["timeout before sending", noAnswer("timeout", false), "repeat", "repeat", ""],
  ["reset after sending", noAnswer("reset", true), "repeat", "return", "in doubt"],
  ["timeout after sending", noAnswer("timeout", true), "repeat", "return", "in doubt"],
  ["garbage for an answer", noAnswer("bad_answer", true), "repeat", "return", "in doubt"],
  ["bad certificate", noAnswer("tls", false), "return", "return", ""],
  ["aborted before sending", noAnswer("aborted", false), "return", "return", ""],
  ["aborted after sending", noAnswer("aborted", true), "return", "return", "in doubt"],
  ["500", refusal("server_error", 500), "repeat", "return", "in doubt"],
  ["503", refusal("server_error", 503), "repeat", "return", "in doubt"],
  ["2xx that is not the API's", refusal("unexpected_answer", 200), "repeat", "return", "in doubt"],
  [
    "200 of another shape",
    refusal("unexpected_answer", 200, {}, '{"total":"a lot"}'),
    "return",
    "return",
    "in doubt",
  ],
  ["429", refusal("rate_limited", 429), "wait", "wait", ""],
  ["401", refusal("token_refused", 401), "return", "return", ""],
  ["400", refusal("invalid_request", 400), "return", "return", ""],
  ["403", refusal("forbidden", 403), "return", "return", ""],
  ["404", refusal("not_found", 404), "return", "return", ""],
  ["4002", refusal("status_conflict", 409), "return", "return", ""],
  ["4002 in a 500", refusal("status_conflict", 500), "return", "return", ""],
  ["299, the last of them", refusal("unexpected_answer", 299), "repeat", "return", "in doubt"],
  ["300, which is no 2xx", refusal("unexpected_answer", 300), "return", "return", ""],
  ["302", refusal("unexpected_answer", 302), "return", "return", ""],
  ["303, which follows what was done", refusal("unexpected_answer", 303), "return", "return", "in doubt"],
];

describe("a request", () => {
  test("that succeeded is over", () => {
    expect(decide(situation(success, true))).toEqual({ kind: "return" });
  });

  test.each(table)("after %s: GET and PUT %3$s, POST %4$s %5$s", (_, attempted, repeatable, post, doubt) => {
    expect(decide(situation(attempted, true)).kind).toBe(repeatable);
    expect(decide(situation(attempted, false)).kind).toBe(post);
    expect(mayHaveBeenDone(attempted)).toBe(doubt !== "");
  });

  test.each(table)("that may have been done before it came to %s: what is known", (_, last) => {
    const doubt = noAnswer("reset", true);
    expect(conclude(last, undefined)).toBe(last);
    expect(conclude(success, doubt)).toBe(success);
    const codes: ErrorCode[] = ["invalid_request", "forbidden", "not_found", "status_conflict"];
    const isAnswered = last.kind === "refusal" && codes.includes(last.code);
    expect(conclude(last, doubt)).toEqual(isAnswered ? last : { kind: "unknown", doubt, last });
  });

  test.each(table)("after %s is repeated 3 times at most", (_, attempted) => {
    for (const repeatable of [true, false])
      expect(decide(situation(attempted, repeatable, { repeats: 3 })).kind).not.toBe("repeat");
    expect(decide(situation(noAnswer("refused", false), false, { repeats: 2 })).kind).toBe("repeat");
  });

  test("that was sent and may not be repeated never is, whatever came back", () => {
    const anything = fc.oneof(
      fc
        .constantFrom<TransportFailure>(
          "dns",
          "refused",
          "connect_timeout",
          "tls",
          "reset",
          "timeout",
          "bad_answer",
          "aborted",
        )
        .map((failure) => noAnswer(failure, true)),
      fc
        .tuple(
          fc.constantFrom<ErrorCode>(
            "server_error",
            "unexpected_answer",
            "invalid_request",
            "status_conflict",
            "not_found",
            "forbidden",
            "token_refused",
          ),
          fc.integer({ min: 200, max: 599 }),
        )
        .map(([code, status]) => refusal(code, status)),
    );
    fc.assert(
      fc.property(anything, fc.nat(5), (attempted, repeats) => {
        expect(decide(situation(attempted, false, { repeats })).kind).toBe("return");
      }),
    );
  });
});

describe("the wait after a 429", () => {
  const wait = (headers: Record<string, string>, random = 0.5) =>
    decide(situation(refusal("rate_limited", 429, headers), false, { random }));

  test.each([
    ["seconds", "12", 12_000],
    ["a date", "Mon, 05 Oct 2026 00:00:30 GMT", 30_000],
    ["a date that is over", "Sun, 04 Oct 2026 00:00:00 GMT", 250],
    ["no time at all", "0", 250],
  ])("is what Retry-After says: %s", (_, header, afterMs) => {
    expect(wait({ "retry-after": header })).toEqual({ kind: "wait", afterMs });
  });

  test.each([
    [0, 30_000],
    [0.5, 45_000],
    [0.999, 59_970],
  ])("is the window with jitter where it says nothing (%d)", (random, afterMs) => {
    expect(wait({}, random)).toEqual({ kind: "wait", afterMs });
    expect(wait({ "retry-after": "soon" }, random)).toEqual({ kind: "wait", afterMs });
  });
});

describe("the pause after a 503", () => {
  const after = (retryAfter: string, repeatable = true, more: Partial<Situation> = {}) =>
    decide(situation(refusal("server_error", 503, { "retry-after": retryAfter }), repeatable, more));

  test.each([
    ["seconds", "12", 12_000],
    ["a date", "Mon, 05 Oct 2026 00:00:30 GMT", 30_000],
  ])("is what Retry-After says: %s", (_, header, afterMs) => {
    expect(after(header)).toEqual({ kind: "pause", afterMs });
  });

  test.each(["0", "soon", "Sun, 04 Oct 2026 00:00:00 GMT"])("is the usual one after %s", (header) => {
    expect(after(header)).toEqual({ kind: "repeat", afterMs: 250 });
  });

  test("repeats no more often, and no write that may have been done", () => {
    expect(after("12", true, { repeats: 3 })).toEqual({ kind: "return" });
    expect(after("12", false)).toEqual({ kind: "return" });
  });
});

test("backs off with full jitter, doubling up to 8 s", () => {
  expect([0, 1, 2, 3, 4, 5, 9].map((repeats) => backoff(repeats, 0.999_999))).toEqual([
    499, 999, 1999, 3999, 7999, 7999, 7999,
  ]);
  expect(backoff(3, 0)).toBe(0);
});
