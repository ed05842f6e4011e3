import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { editDistance, nearest, suggestion } from "../../src/api/nearest.js";

describe("editDistance", () => {
  test.each([
    ["", "", 0],
    ["", "abc", 3],
    ["closed", "closed", 0],
    ["close", "closed", 1],
    ["clsoed", "closed", 1],
    ["kitten", "sitting", 3],
    ["🍕a", "🍕b", 1],
  ])("%j to %j is %i", (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
  });

  test("is a distance: symmetric, 0 for the same word alone, no more than the longer word", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
        fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
        (a, b) => {
          const distance = editDistance(a, b);
          expect(distance).toBe(editDistance(b, a));
          expect(distance === 0).toBe(a === b);
          expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        },
      ),
    );
  });
});

describe("nearest", () => {
  const words = ["closed", "canceled", "ready"];

  test("finds a slip, and nothing for another word", () => {
    expect(nearest("CLOSD", words)).toBe("closed");
    expect(nearest("cancelled", words)).toBe("canceled");
    expect(nearest("pizza", words)).toBeUndefined();
    expect(nearest("x".repeat(10_000), words)).toBeUndefined();
    expect(nearest("pt", ["en", "pt-BR"])).toBe("pt-BR");
    expect(nearest("last", ["last-week", "last-year"])).toBeUndefined();
    expect(suggestion("redy", words)).toBe(' Did you mean "ready"?');
    expect(suggestion("pizza", words)).toBe("");
  });
});
