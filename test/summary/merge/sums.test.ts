import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { addCents, readAmount } from "../../../src/summary/merge/sums.js";

describe("amounts", () => {
  test("Amounts are read exactly, or rounded to the nearest cent", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000_000, max: 10_000_000 }),
        fc.integer({ min: 0, max: 999 }),
        (cents, rest) => {
          const text = `${(Math.abs(cents) / 100).toFixed(2)}${String(rest).padStart(3, "0")}`;
          const { cents: read, exact } = readAmount(cents < 0 ? -Number(text) : Number(text));
          const [sign, magnitude] = [cents < 0 ? -1 : 1, Math.abs(cents)];
          const up = sign < 0 ? rest > 500 : rest >= 500;
          expect(read + 0).toBe(sign * (magnitude + (up ? 1 : 0)) + 0);
          expect(exact).toBe(rest === 0);
        },
      ),
    );
  });

  test("Amounts are never added beyond what is exact", () => {
    expect(() => addCents(Number.MAX_SAFE_INTEGER, 1)).toThrow(
      expect.objectContaining({ code: "unexpected_answer" }),
    );
  });
});
