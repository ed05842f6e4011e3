import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { operations } from "../../src/api/operations.js";
import type { ErrorCode } from "../../src/base/errors.js";
import {
  isNotDone,
  isPage,
  judge,
  judgeFailure,
  mayBeCutOff,
  nextStep,
  conclude,
  retryAfter,
} from "../../src/client/judge.js";
import type { Attempt, Failed, RetryLimits } from "../../src/client/judge.js";
import { TransportError, type TransportFailure } from "../../src/client/transport.js";

const now = Date.UTC(2026, 9, 5);
const noAnswer = (failure: TransportFailure, sent: boolean): Failed =>
  judgeFailure(new TransportError(failure, sent, failure));
function answered(status: number, body = "", headers: Record<string, string> = {}): Failed {
  const judged = judge({ status, headers, body }, () => undefined, now, String);
  if (judged.code === null) throw new Error("nothing reads it as a success");
  return judged;
}

const page = "<html><h1>Forbidden</h1></html>";
const lost = noAnswer("reset", true);
const unknown = { outcome: "unknown", code: "outcome_unknown" };

const { assignDriver } = operations;
const signature = { scheme: "bearer", secrets: {} } as const;
const attempts = (...judged: readonly Failed[]): Attempt[] =>
  judged.map((each) => ({ signature, judged: each }));

/** Returns the next step of a call with this last attempt, after some retries and waits for a rate limit. */
function stepAfter(
  last: Failed,
  repeatable: boolean,
  { retries = 0, waits = 0, ...limits }: Partial<RetryLimits & { retries: number; waits: number }> = {},
) {
  const before = [
    ...Array.from({ length: waits }, () => answered(429)),
    ...Array.from({ length: retries }, () => noAnswer("refused", false)),
  ];
  const all = { maxRetries: 3, windowMs: 60_000, random: 0.5, ...limits };
  return nextStep({ repeatable }, attempts(...before, last), all);
}

// The next step of GET and PUT, that of POST, and whether it may have been done. None of these responses is the API's.
const table: readonly [string, Failed, "return" | "repeat" | "wait" | "sign", string, "in doubt" | ""][] = [
  ["DNS failure", noAnswer("dns", false), "repeat", "repeat", ""],
  ["refused", noAnswer("refused", false), "repeat", "repeat", ""],
  ["connect timeout", noAnswer("connect_timeout", false), "repeat", "repeat", ""],
  ["timeout before sending", noAnswer("timeout", false), "repeat", "repeat", ""],
  ["timeout after sending", noAnswer("timeout", true), "repeat", "return", "in doubt"],
  ["garbage for an answer", noAnswer("bad_answer", true), "repeat", "return", "in doubt"],
  ["bad certificate", noAnswer("tls", false), "return", "return", ""],
  ["a password that the proxy refused", noAnswer("proxy_auth", false), "return", "return", ""],
  ["aborted before sending", noAnswer("aborted", false), "return", "return", ""],
  ["aborted after sending", noAnswer("aborted", true), "return", "return", "in doubt"],
  ["500", answered(500), "repeat", "return", "in doubt"],
  ["501, which would be the same again", answered(501), "return", "return", "in doubt"],
  ["2xx that is not the API's", answered(200), "repeat", "return", "in doubt"],
  ["200 of another shape", answered(200, '{"total":"a lot"}'), "return", "return", "in doubt"],
  ["429", answered(429), "wait", "wait", ""],
  ["401", answered(401), "sign", "sign", ""],
  ["403", answered(403), "return", "return", ""],
  ["404", answered(404), "return", "return", "in doubt"],
  ["408", answered(408), "return", "return", "in doubt"],
  ["407, of a proxy", answered(407), "return", "return", ""],
  ["421", answered(421), "return", "return", ""],
  ["425", answered(425), "return", "return", ""],
  ["299, the last of them", answered(299), "repeat", "return", "in doubt"],
  ["300, which is no 2xx", answered(300), "return", "return", "in doubt"],
  ["302, which may follow what was done", answered(302), "return", "return", "in doubt"],
];

describe("a request", () => {
  test.each(table)("after %s: GET and PUT %3$s, POST %4$s %5$s", (_, attempt, repeatable, post, inDoubt) => {
    const next = (mayRepeat: boolean, retries: number) =>
      stepAfter(attempt, mayRepeat, { retries })?.kind ?? "return";
    expect({ repeatable: next(true, 2), post: next(false, 2) }).toEqual({ repeatable, post });
    // A call is retried 3 times at most.
    for (const mayRepeat of [true, false]) expect(next(mayRepeat, 3)).not.toBe("repeat");
    expect(isNotDone(attempt)).toBe(inDoubt === "");
    // None of these responses settles what an earlier request did.
    const uncertain = inDoubt === "" ? undefined : attempt;
    const alone = uncertain ? unknown : { code: attempt.code };
    expect(conclude(assignDriver, attempts(attempt))).toMatchObject({ decisive: attempt, outcome: alone });
    const afterLost = { decisive: uncertain ?? lost, outcome: unknown };
    expect(conclude(assignDriver, attempts(lost, attempt))).toMatchObject(afterLost);
  });

  test("that was sent and may not be repeated never is, whatever the response", () => {
    const kinds: readonly TransportFailure[] = ["dns", "refused", "tls", "reset", "timeout", "bad_answer"];
    const failures = fc.constantFrom(...kinds);
    // After a 401 or a 429, the request is sent again because it wasn't processed.
    const statuses = fc.integer({ min: 200, max: 599 }).filter((status) => status !== 401 && status !== 429);
    const anything = fc.oneof(
      failures.map((failure) => noAnswer(failure, true)),
      fc.tuple(statuses, fc.constantFrom("", page, "{}")).map(([status, body]) => answered(status, body)),
    );
    fc.assert(
      fc.property(anything, fc.nat(5), (attempt, retries) => {
        expect(stepAfter(attempt, false, { retries })).toBeUndefined();
      }),
    );
  });
});

const ofTheApi = (code: number | string) => JSON.stringify({ code, message: "No", details: "Not so" });
const notLookedAt = [407, 421, 425];
// The evidence of a response, whether it is a refusal, and whether it settles an earlier request. Without a refusal, the request may have
// been done, except for three statuses.
type Earlier = "not done" | "either" | "";
const words: readonly [number, string, ErrorCode, "api" | "gateway", "no" | "", Earlier][] = [
  [400, ofTheApi(4000), "invalid_request", "api", "no", "not done"],
  [404, ofTheApi(4041), "not_found", "api", "no", "not done"],
  [404, ofTheApi("4041"), "not_found", "api", "no", "not done"],
  // Details that aren't a string count as absent.
  [409, '{"code":4002,"message":"No","details":{}}', "status_conflict", "api", "no", "either"],
  [500, ofTheApi(4041), "not_found", "api", "no", "not done"],
  [409, ofTheApi(4002), "status_conflict", "api", "no", "either"],
  // Refusals of the caller may change between attempts.
  [401, ofTheApi(4010), "token_refused", "api", "no", ""],
  [403, "", "forbidden", "gateway", "no", ""],
  [429, "", "rate_limited", "gateway", "no", ""],
  [401, page, "token_refused", "gateway", "no", ""],
  // A code that section 7 doesn't have may mean that the order already has the status.
  [409, ofTheApi(4099), "invalid_request", "api", "no", ""],
  [302, ofTheApi(4002), "status_conflict", "api", "no", "either"],
  [200, ofTheApi(4002), "status_conflict", "api", "no", "either"],
  // These aren't evidence of the order, whoever sent them.
  [407, ofTheApi(4999), "unexpected_answer", "api", "", ""],
  [421, page, "unexpected_answer", "gateway", "", ""],
  // Responses without the API's body.
  [400, page, "invalid_request", "gateway", "", ""],
  [404, "", "not_found", "gateway", "", ""],
  [404, '{"code":4041}', "not_found", "gateway", "", ""],
  [404, '{"code":4041,"message":7}', "not_found", "gateway", "", ""],
  [404, '{"message":"not found"}', "not_found", "gateway", "", ""],
  [404, '{"code":4041.5,"message":"No"}', "not_found", "gateway", "", ""],
  [404, ofTheApi("4041x"), "not_found", "gateway", "", ""],
  [409, '{"code":4002}', "unexpected_answer", "gateway", "", ""],
  [302, ofTheApi(4999), "unexpected_answer", "api", "", ""],
  [200, ofTheApi(9999), "unexpected_answer", "gateway", "", ""],
  [418, page, "unexpected_answer", "gateway", "", ""],
  [500, '{"code":4002}', "server_error", "gateway", "", ""],
  [503, ofTheApi(5030), "server_error", "api", "", ""],
  [200, page, "unexpected_answer", "gateway", "", ""],
  [302, "", "unexpected_answer", "gateway", "", ""],
];

describe("a response", () => {
  test.each(words)("%i %s: %s, by the %s", (status, body, code, evidence, no, earlier) => {
    const last = answered(status, body);
    expect(last).toMatchObject({ code, evidence });
    const alone = isNotDone(last) ? (no === "" ? "failed" : "refused") : "unknown";
    expect(conclude(assignDriver, attempts(last))).toMatchObject({ outcome: { outcome: alone } });
    expect(isNotDone(last)).toBe(no !== "" || notLookedAt.includes(status));
    const ends = {
      "not done": { outcome: { outcome: "refused", code }, decisive: last, isDoneOrRefused: false },
      either: { outcome: unknown, decisive: last, isDoneOrRefused: true },
      "": { outcome: unknown, decisive: isNotDone(last) ? lost : last, isDoneOrRefused: false },
    };
    expect(conclude(assignDriver, attempts(lost, last))).toMatchObject(ends[earlier]);
  });

  test("with 4002, but no other code, isn't a refusal if the runtime may have sent the request twice", () => {
    const response = { status: 409, headers: {}, body: "", mayHaveRepeated: true } as const;
    const repeated = (code: number) =>
      conclude(assignDriver, attempts({ ...answered(409, ofTheApi(code)), response }));
    expect(repeated(4002)).toMatchObject({ outcome: unknown, isDoneOrRefused: true });
    expect(repeated(4041)).toMatchObject({ outcome: { outcome: "refused", code: "not_found" } });
  });
});

test("an error with a 2xx contains only the fields of an error, or a message; another body is read", () => {
  const read = (body: string) => judge({ status: 200, headers: {}, body }, () => "read", now, String).code;
  expect(read('{"code":4002}')).toBe("unexpected_answer");
  expect(read('{"code":4002,"details":"x"}')).toBe("unexpected_answer");
  expect(read('{"code":4002,"id":7}')).toBeNull();
  expect(read('{"code":4002,"id":7,"message":"No"}')).toBe("status_conflict");
});

test.each([
  ["text/html; charset=utf-8", page, true],
  [" Application/XHTML+xml", page, true],
  ["text/html", "", false],
  ["application/json; about=text/html", page, false],
  ["text/htmlx", page, false],
  [undefined, page, false],
])("a response of the type %j with the body %j is a page: %j", (type, body, expected) => {
  expect(isPage({ status: 200, headers: type ? { "content-type": type } : {}, body })).toBe(expected);
});

test("only an empty body may be cut off", () => {
  const ends = (body: string) => mayBeCutOff({ status: 200, headers: {}, body, endsWithConnection: true });
  expect(["", " \n", "{}"].map(ends)).toEqual([true, true, false]);
});

describe("the outcome of a call", () => {
  const response = { status: 204, headers: {}, body: "" };
  const done = { ...attempts(lost)[0], judged: { code: null, value: null, response } } as Attempt;

  test("is done after a success, whatever came before, and failed if nothing was sent", () => {
    expect(conclude(assignDriver, [done])).toMatchObject({
      outcome: { outcome: "done", httpStatus: 204, attempts: 1, evidence: "api" },
      ...{ decisive: undefined, uncertain: undefined },
    });
    const twice = { outcome: { outcome: "done", attempts: 2 }, uncertain: lost };
    expect(conclude(assignDriver, [...attempts(lost), done])).toMatchObject(twice);
    expect(conclude(assignDriver, [])).toMatchObject({
      outcome: { outcome: "failed", code: null, httpStatus: null, attempts: 0, evidence: null },
    });
  });

  test("has the evidence of an earlier response if the last request was never sent", () => {
    const unsent = noAnswer("refused", false);
    expect(conclude(assignDriver, attempts(answered(429), unsent)).outcome.evidence).toBe("gateway");
    expect(conclude(assignDriver, attempts(unsent)).outcome.evidence).toBeNull();
  });

  test("has a next step only after a failure", () => {
    const limits = { maxRetries: 3, windowMs: 60_000, random: 0.5 };
    expect(nextStep({ repeatable: true }, [done], limits)).toBeUndefined();
    expect(nextStep({ repeatable: true }, [], limits)).toBeUndefined();
  });
});

test.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  [" 7 ", 7000],
  ["99999999999999999999", 86_400_000],
  ["1.5", undefined],
  ["-5", undefined],
  ["Mon, 05 Oct 2026 00:01:00 GMT", 60_000],
  ["Sun, 04 Oct 2026 23:59:00 GMT", 0],
  ["Fri, 31 Dec 9999 23:59:59 GMT", 86_400_000],
  ["Mon, 99 Oct 2026 12:01:00 GMT", undefined],
  ["2026-10-05T12:01:00Z", undefined],
  ["Monday, 05-Oct-26 00:01:00 GMT", 60_000],
  ["Monday, 05-Oct-77 00:01:00 GMT", 0],
  ["Mon Oct  5 00:01:00 2026", 60_000],
  ["Mon Oct 15 00:01:00 2026", 86_400_000],
])("Retry-After: %j is %j", (header, expected) => {
  expect(retryAfter({ headers: header === undefined ? {} : { "retry-after": header } }, now)).toBe(expected);
});

describe("the wait after a 429", () => {
  const wait = (headers: Record<string, string>) => stepAfter(answered(429, "", headers), false);

  test.each([
    ["12", 12_000],
    ["86400", 60_000],
  ])("is that of Retry-After: %s", (header, afterMs) => {
    expect(wait({ "retry-after": header })).toEqual({ kind: "wait", afterMs });
  });

  test.each([-30, 30])("counts a date by the service's clock if this machine's is %i minutes off", (off) => {
    const [at, until] = [off, off + 0.2].map((minutes) => new Date(now + minutes * 60_000).toUTCString());
    expect(wait({ "retry-after": until ?? "", date: at ?? "" })).toEqual({ kind: "wait", afterMs: 12_000 });
  });

  test.each([{}, { "retry-after": "0" }, { "retry-after": "soon" }])(
    "is at least a second, and doubles each time that a call reaches the limit, up to the window: %j",
    (headers) => {
      const after = [0, 1, 2, 1000].map((waits) => stepAfter(answered(429, "", headers), false, { waits }));
      expect(after.map((each) => each?.afterMs)).toEqual([1000, 2000, 4000, 60_000]);
    },
  );
});

test("the pause after a 503 is that of Retry-After if it is longer, and counts as a retry", () => {
  const after = (header: string, repeatable = true, retries = 0) =>
    stepAfter(answered(503, "", { "retry-after": header }), repeatable, { retries });
  expect(after("12")).toEqual({ kind: "pause", afterMs: 12_000 });
  for (const header of ["0", "soon"]) expect(after(header)).toEqual({ kind: "repeat", afterMs: 250 });
  expect(after("12", true, 3)).toBeUndefined();
  expect(after("12", false)).toBeUndefined();
});

test("retries and waits for a rate limit are counted separately, and new credentials aren't counted", () => {
  const [refused, limited, denied] = [noAnswer("refused", false), answered(429), answered(401)];
  const step = (...judged: readonly Failed[]) =>
    nextStep({ repeatable: true }, attempts(...judged), { maxRetries: 2, windowMs: 60_000, random: 0.5 });
  expect(step(limited, denied, limited, denied, refused)).toEqual({ kind: "repeat", afterMs: 250 });
  expect(step(limited, denied, refused, refused)).toEqual({ kind: "repeat", afterMs: 500 });
  expect(step(refused, denied, refused, limited)).toEqual({ kind: "wait", afterMs: 1000 });
});

test("the pause has full jitter, and doubles up to 8 s", () => {
  const after = (retries: number, random = 0.999_999) =>
    stepAfter(noAnswer("refused", false), true, { retries, maxRetries: 10, random })?.afterMs;
  expect([0, 1, 2, 3, 4, 9].map((retries) => after(retries))).toEqual([499, 999, 1999, 3999, 7999, 7999]);
  expect(after(3, 0)).toBe(0);
  // A program's function may return anything.
  for (const random of [Infinity, Number.NaN, 7]) expect(after(0, random)).toBe(500);
});
