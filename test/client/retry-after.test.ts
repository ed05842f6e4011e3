import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { retryAfter } from "../../src/client/judge.js";

const now = Date.UTC(2026, 9, 5, 12);

const parse = (header = "") => retryAfter({ headers: { "retry-after": header } }, now);

describe("Retry-After", () => {
  test.each<[string | undefined, number | undefined]>([
    [undefined, undefined],
    ["", undefined],
    ["0", 0],
    ["120", 120_000],
    [" 7 ", 7000],
    ["99999999999999999999", 86_400_000],
    ["-1", undefined],
    ["1.5", undefined],
    ["1e3", undefined],
    ["Mon, 05 Oct 2026 12:01:00 GMT", 60_000],
    ["Mon, 05 Oct 2026 11:59:00 GMT", 0],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 86_400_000],
    ["Mon, 99 Oct 2026 12:01:00 GMT", undefined],
    ["2026-10-05T12:01:00Z", undefined],
    ["soon", undefined],
  ])("%j is %j", (header, expected) => {
    expect(parse(header)).toBe(expected);
  });

  test("is within a day and never negative, whatever it says", () => {
    const text = fc.oneof(
      fc.string(),
      fc.bigInt().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    fc.assert(
      fc.property(text, (header) => {
        const ms = parse(header);
        if (ms === undefined) return;
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(86_400_000);
      }),
    );
  });
});
