import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { digestOf, isSettled, isTold, type Earlier } from "../../../src/state/journal/resume.js";

const earlier = (
  outcome: Earlier["outcome"],
  http_status: number | null,
  code: Earlier["code"] = null,
  evidence: Earlier["evidence"] = "api",
): Earlier => {
  return { outcome, http_status, code, evidence, attempts: 1 };
};

describe("an order of a run that is gone on with", () => {
  test.each<[string, Earlier | undefined, string]>([
    ["that never went out", undefined, "send"],
    ["that is done", earlier("done", 204), "tell"],
    ["that was refused for what it is", earlier("refused", 409, 4002), "tell"],
    ["that was refused for what it is, with another status", earlier("refused", 403, 4002), "tell"],
    ["that isn't there", earlier("refused", 404, 4041), "tell"],
    ["that was refused with a code that nobody knows", earlier("refused", 422, 4999), "tell"],
    ["that the rate limit refused", earlier("refused", 429, 4290), "send"],
    ["whose token was refused", earlier("refused", 401, 4010), "send"],
    ["whose token was refused with another status", earlier("refused", 400, 4010), "send"],
    ["whose scope was missing", earlier("refused", 403, 4030), "send"],
    ["that was refused without a body", earlier("refused", 403, "forbidden", "gateway"), "send"],
    ["that a gateway's page didn't find", earlier("failed", 404, "not_found", "gateway"), "send"],
    ["of which a code alone says something", earlier("failed", 409, 4002, "gateway"), "send"],
    ["that came too early", earlier("failed", 425, 4999), "send"],
    ["that certainly failed", earlier("failed", null, "unreachable", null), "send"],
    ["of which nothing is known", earlier("unknown", null, null, "nobody"), "tell"],
    ["that the service failed at", earlier("unknown", 500, 5000), "tell"],
    ["that was done before, or refused", earlier("unknown", 409, 4002), "tell"],
  ])("%s", (_, each, step) => {
    expect(isTold(each) ? "tell" : "send").toBe(step);
  });

  test("is settled by the service's own word on it alone", () => {
    expect(isSettled(earlier("done", 204))).toBe(true);
    expect(isSettled(earlier("unknown", 409, 4002))).toBe(true);
    expect(isSettled(earlier("unknown", 500, 5000))).toBe(false);
    const skipped = { outcome: "skipped", http_status: null, code: "interrupted", evidence: null };
    expect(isSettled(skipped)).toBe(false);
  });
});

test("the digest is that of the orders, not of their order", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.string(), (orders, other) => {
      expect(digestOf([...orders].reverse())).toBe(digestOf(orders));
      if (!orders.includes(other)) expect(digestOf([...orders, other])).not.toBe(digestOf(orders));
    }),
  );
});

test("the digest is the one that the journals of earlier versions have", () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `${90_000 - index}`);
  // sha256sum of the sorted list's JSON, as these versions made it in one piece.
  expect([[], ["1"], ids(2000), ids(2500)].map(digestOf)).toEqual([
    "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
    "43de3a417d75f4818c5a553268b80ce3a5805109a3bbc6b605e9fb0b8f50b485",
    "11813060c48c05ebe1dad84548aff6e5a879240a58eb1894c24274a512d52bfb",
    "4500a46bff270eec3fedd018e13b2e7d5b6a1ca9410888caf242e710198b07f6",
  ]);
});
