import { describe, expect, test } from "vitest";

import { requestedPeriods, parseComparison, parseDimension } from "../../../src/sales/plan/request.js";

describe("--compare", () => {
  test("--compare takes its names, and says them where it is another", () => {
    expect(parseComparison("year")).toBe("year");
    expect(parseComparison("none")).toBeUndefined();
    expect(parseComparison("2025-11")).toEqual({ period: "2025-11" });
    expect(parseComparison("01/11/2025..2025-11-21")).toEqual({ from: "01/11/2025", to: "2025-11-21" });
    expect(() => parseComparison("2025-11-01..")).toThrow("There is no comparison");
    expect(() => parseComparison("prevous")).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        hint: "Give --compare previous, week, month, year, date, none, a period (2025-11), or its days (2025-11-01..2025-11-21).",
      }),
    );
  });
});

describe("--by", () => {
  test("--by takes a dimension of the API, also with hyphens", () => {
    expect(parseDimension("day-of-week", undefined)).toBe("day_of_week");
  });

  test.each([
    ["is missing", undefined, undefined, "usage"],
    ["is no dimension", "dy", undefined, "invalid_input"],
    ["is the hour of a scheduled date", "hour", "scheduled_date", "invalid_input"],
  ] as const)("--by is refused where it %s", (_, text, dateField, code) => {
    expect(() => parseDimension(text, dateField)).toThrow(expect.objectContaining({ code }));
  });
});

describe("the periods that are asked for", () => {
  const clock = {
    now: Date.parse("2026-11-20T12:00:00Z"),
    zone: "UTC",
    onWarning: () => undefined,
  };
  const request = {
    period: { period: "2026-10" },
    dateField: undefined,
    filters: [],
    comparisonIsOptional: false,
  };

  test("One period is asked for without a comparison, and two with one", () => {
    const alone = requestedPeriods({ ...request, comparison: undefined }, clock);
    expect(alone.previous).toBeUndefined();
    expect(alone).toMatchObject({ current: { label: "2026-10", from: { date: "2026-10-01" } } });
    expect(requestedPeriods({ ...request, comparison: "year" }, clock)).toMatchObject({
      previous: { from: { date: "2025-10-01" }, to: { date: "2025-10-31" } },
    });
  });

  test("A comparison that begins more than 3 years back is refused, or left out with a warning", () => {
    const warnings: string[] = [];
    const old = { ...request, period: { period: "2024-03" }, comparison: "year" as const };
    const ask = (comparisonIsOptional: boolean) =>
      requestedPeriods(
        { ...old, comparisonIsOptional },
        { ...clock, onWarning: (text) => warnings.push(text) },
      );
    expect(() => ask(false)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        message: "The comparison with 2023-03-01 to 2023-03-31 (UTC) would begin more than 3 years back.",
      }),
    );
    const { current, previous } = ask(true);
    expect([current.label, previous]).toEqual(["2024-03", undefined]);
    expect(warnings).toEqual([
      "The comparison with 2023-03-01 to 2023-03-31 (UTC) would begin more than 3 years back: it is left out.",
    ]);
  });
});
