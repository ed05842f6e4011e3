import * as fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";

import { barChart } from "../../../src/sales/present/chart.js";
import { cutToWidth, flatten } from "../../../src/sales/present/text.js";
import { anyText } from "../../support/any-text.js";

const bars = [
  { label: "Monday", value: 80, text: "80" },
  { label: "Tue", value: 45, text: "45" },
  { label: "Wed", value: 0, text: "0" },
  { label: "Thu", value: 0.01, text: "0" },
];

describe("barChart", () => {
  test("Bars are drawn in eighths of a column", () => {
    expect(barChart(bars, 20)).toEqual([
      "Monday ██████████ 80",
      "Tue    █████▋     45",
      "Wed                0",
      "Thu    ▏           0",
    ]);
  });

  test("No bar is drawn for nothing", () => {
    expect(barChart([], 80)).toEqual([]);
    expect(barChart([{ label: "a", value: 0, text: "0" }], 10)).toEqual(["a        0"]);
  });

  test("A number is never cut to make room for a bar or a label", () => {
    const [line] = barChart([{ label: "Instagram", value: 1, text: "R$ 1.234,56" }], 12);
    expect(line).toContain("R$ 1.234,56");
  });

  test("Wide characters and emoji are counted in columns", () => {
    const lines = barChart(
      [
        { label: "東京東京東京東京", value: 2, text: "2" },
        { label: "👩‍👩‍👧‍👦 família", value: 1, text: "1" },
      ],
      30,
    );
    expect(lines[0]).toMatch(/^東京東京… {2}█+ 2$/);
    expect(new Set(lines.map((line) => stringWidth(line)))).toEqual(new Set([30]));
  });

  test("Every bar stays within the width and on one line, whatever it is given", () => {
    const text = fc.oneof(
      anyText({ maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(
            "\u001b[2J",
            "\n",
            "\u202e",
            "e\u0301",
            "👩‍👩‍👧‍👦",
            "🇧🇷",
            "漢",
            "\u2028",
            "=cmd()",
            "\u009b",
          ),
        )
        .map((parts) => parts.join("")),
    );
    const value = fc.oneof(fc.double(), fc.nat(), fc.constantFrom(Number.NaN, -1, Number.POSITIVE_INFINITY));
    fc.assert(
      fc.property(
        fc.array(fc.record({ label: text, value, text }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 120 }),
        (given, width) => {
          const lines = barChart(given, width);
          expect(lines).toHaveLength(given.length);
          for (const line of lines) {
            expect(stringWidth(line)).toBeLessThanOrEqual(width);
            expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
          }
        },
      ),
      { numRuns: 80, examples: [[[{ label: "\u0300", value: 0, text: "\u0000" }], 1]] },
    );
  });

  test("Larger values have longer bars, and anything above 0 shows", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: 2, maxLength: 8 }),
        (values) => {
          const lines = barChart(
            values.map((value) => ({ label: "a", value, text: "1" })),
            40,
          );
          const drawn = lines.map((line) => (line.match(/[█▏▎▍▌▋▊▉]/gu) ?? []).length);
          for (const [index, value] of values.entries()) {
            expect((drawn[index] ?? 0) > 0).toBe(value > 0);
            for (const [other, compared] of values.entries()) {
              if (value >= compared) expect(drawn[index]).toBeGreaterThanOrEqual(drawn[other] ?? 0);
            }
          }
        },
      ),
    );
  });
});

describe("cutToWidth", () => {
  test.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["東京", 3, "東…"],
    ["東京", 2, "…"],
    ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
    ["abc", 0, ""],
  ])("The text %j in %i columns is %j", (text, width, cut) => {
    expect(cutToWidth(text, width, "…")).toBe(cut);
  });

  test("A character that is taken out of a text leaves a mark", () => {
    expect(flatten("a\r\n\u001b[31mb\u202e")).toBe("a\uFFFD\uFFFD\uFFFD[31mb\uFFFD");
  });
});
