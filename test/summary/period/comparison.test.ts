import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Dimension, Group } from "../../../src/contract/summary.js";
import { compareMetrics } from "../../../src/summary/compare/metrics.js";
import { compareGroups } from "../../../src/summary/compare/groups.js";
import { comparisonPeriod, parseComparison } from "../../../src/summary/period/comparison.js";
import { fetchGrouped } from "../../../src/summary/plan/fetch.js";
import type { Period } from "../../../src/summary/period/period.js";
import { type PeriodRequest, resolvePeriod } from "../../../src/summary/period/resolve.js";
import { splitPeriod } from "../../../src/summary/period/windows.js";
import { zones } from "../support/arbitraries.js";

/** A Friday, 15:17:22 in São Paulo. */
const now = Date.parse("2026-11-20T18:17:22Z");
const zone = "America/Sao_Paulo";

function compared(request: PeriodRequest, comparison: "previous" | "year", at = now, inZone = zone): Period {
  const context = { now: at, zone: inZone };
  return comparisonPeriod(resolvePeriod(request, context), comparison, context);
}

describe("comparisonPeriod: previous", () => {
  it.each<[PeriodRequest, string, string]>([
    [{ period: "yesterday" }, "2026-11-18T00:00:00-03:00", "2026-11-18T23:59:59.999999-03:00"],
    [{ period: "last-week" }, "2026-11-02T00:00:00-03:00", "2026-11-08T23:59:59.999999-03:00"],
    [{ period: "last-28-days" }, "2026-09-25T00:00:00-03:00", "2026-10-22T23:59:59.999999-03:00"],
    [{ period: "last-month" }, "2026-08-31T00:00:00-03:00", "2026-09-30T23:59:59.999999-03:00"],
    [
      { from: "2026-10-01", to: "2026-10-03" },
      "2026-09-28T00:00:00-03:00",
      "2026-09-30T23:59:59.999999-03:00",
    ],
    [{ period: "today" }, "2026-11-19T00:00:00-03:00", "2026-11-19T15:17:22-03:00"],
    [{ period: "this-week" }, "2026-11-09T00:00:00-03:00", "2026-11-13T15:17:22-03:00"],
    [{ period: "this-month" }, "2026-10-01T00:00:00-03:00", "2026-10-20T15:17:22-03:00"],
    [{ period: "this-year" }, "2025-01-01T00:00:00-03:00", "2025-11-20T15:17:22-03:00"],
    [{ period: "2026-11" }, "2026-10-01T00:00:00-03:00", "2026-10-20T15:17:22-03:00"],
    [{ period: "last-7-days", includeToday: true }, "2026-11-07T00:00:00-03:00", "2026-11-13T15:17:22-03:00"],
    [{ from: "2026-11-19" }, "2026-11-17T00:00:00-03:00", "2026-11-18T15:17:22-03:00"],
    [
      { from: "2026-10-01T18:00:00-03:00", to: "2026-10-01T23:00:00-03:00" },
      "2026-09-30T18:00:00-03:00",
      "2026-09-30T23:00:00-03:00",
    ],
    [
      { from: "2026-10-08T00:00:00-03:00", to: "2026-10-15T00:00:00-03:00" },
      "2026-09-30T00:00:00-03:00",
      "2026-10-07T00:00:00-03:00",
    ],
    [
      { from: "2026-10-08T12:00:00-03:00", to: "2026-10-15T11:00:00-03:00" },
      "2026-10-01T12:00:00-03:00",
      "2026-10-08T11:00:00-03:00",
    ],
  ])("of %j is %s to %s", (request, from, to) => {
    const before = compared(request, "previous");
    expect([before.from.sent, before.to.sent]).toEqual([from, to]);
  });

  it("of the last days of March, which February hasn't got, is the same number of days", () => {
    const before = compared({ period: "this-month" }, "previous", Date.parse("2026-03-31T18:00:00Z"));
    expect([before.from.sent, before.to.sent]).toEqual([
      "2026-01-29T00:00:00-03:00",
      "2026-02-28T15:00:00-03:00",
    ]);
  });

  it("has as many days, ends before the period starts, and meets the same weekdays in whole weeks", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2013, 0, 3), max: Date.UTC(2030, 0, 1) }),
        fc.integer({ min: 1, max: 100 }),
        fc.boolean(),
        (inZone, at, days, includeToday) => {
          const context = { now: at, zone: inZone };
          const current = resolvePeriod({ period: `last-${days}-days`, includeToday }, context);
          const before = comparisonPeriod(current, "previous", context);
          const length = ({ start, end }: Period) =>
            start.toPlainDate().until(end.toPlainDate(), { largestUnit: "day" }).days;
          expect(length(before)).toBe(length(current));
          expect(before.end.epochNanoseconds < current.start.epochNanoseconds).toBe(true);
          const weekday = (one: Period) => one.start.dayOfWeek;
          expect(weekday(before) === weekday(current)).toBe(days % 7 === 0);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("comparisonPeriod: year", () => {
  it.each<[PeriodRequest, string, string, string]>([
    [{ period: "last-month" }, "2026-11-20", "2025-10-01", "2025-10-31"],
    [{ period: "2024-02" }, "2024-06-01", "2023-02-01", "2023-02-28"],
    [{ period: "2024-02-29" }, "2024-06-01", "2023-02-28", "2023-02-28"],
    [{ period: "2025-02" }, "2025-06-01", "2024-02-01", "2024-02-28"],
    [{ period: "this-month" }, "2026-11-20", "2025-11-01", "2025-11-20"],
  ])("of %j on %s is %s to %s", (request, today, from, to) => {
    const before = compared(request, "year", Date.parse(`${today}T18:17:22Z`));
    expect([before.from.date, before.to.date]).toEqual([from, to]);
  });

  it("stops a running period at the same time of the day", () => {
    expect(compared({ period: "this-month" }, "year").to.sent).toBe("2025-11-20T15:17:22-03:00");
  });

  it("keeps the time of day where that day's clocks had another offset", () => {
    const before = compared({ period: "today" }, "year", Date.parse("2026-03-29T12:00:00Z"), "Europe/Lisbon");
    expect(before.to.sent).toBe("2025-03-29T13:00:00+00:00");
  });

  it("is refused where it lies too far back", () => {
    expect(() => compared({ period: "2024-03" }, "year")).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });
});

describe("comparisonPeriod", () => {
  it("can be asked for by scheduled date, running or to come", () => {
    const context = { now, zone, dateField: "scheduled_date" as const };
    for (const request of [{ period: "this-month" }, { from: "2026-12-01", to: "2026-12-07" }]) {
      const period = comparisonPeriod(resolvePeriod(request, context), "previous", context);
      const [window] = splitPeriod(period, { dateField: "scheduled_date" });
      expect(window?.start).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
    const december = comparisonPeriod(resolvePeriod({ period: "2026-12" }, context), "previous", context);
    expect([december.from.date, december.to.date]).toEqual(["2026-10-31", "2026-11-30"]);
  });

  it("knows its names", () => {
    expect(parseComparison("year")).toBe("year");
    expect(() => parseComparison("prevous")).toThrow(
      expect.objectContaining({ code: "invalid_input", hint: "Give --compare previous." }),
    );
  });
});

function metrics(total_order_count: number, total_revenue: number, average_order_value: number) {
  return { total_order_count, total_revenue, average_order_value };
}

describe("compareMetrics", () => {
  it("is absolute and in percent, exact in cents", () => {
    expect(compareMetrics(metrics(3, 0.3, 0.1), metrics(4, 0.1, 0.03))).toEqual({
      total_order_count: { absolute: -1, percent: -25 },
      total_revenue: { absolute: 0.2, percent: 200 },
      average_order_value: { absolute: 0.07, percent: 233.33 },
    });
  });

  it("never divides by zero", () => {
    const change = compareMetrics(metrics(2, 5, 2.5), metrics(0, 0, 0));
    expect(change.total_revenue).toEqual({ absolute: 5, percent: null });
    expect(compareMetrics(metrics(0, 0, 0), metrics(2, 5, 2.5)).total_order_count).toEqual({
      absolute: -2,
      percent: -100,
    });
    expect(compareMetrics().total_revenue).toEqual({ absolute: 0, percent: null });
  });

  it.each([
    [1, 3, -66.67],
    [2, 3, -33.33],
    [20_001, 20_000, 0.01],
    [19_999, 20_000, 0],
    [40_001, 40_000, 0],
    [1_000_000_000, 3, 33_333_333_233.33],
  ])("%d after %d is %d percent", (current, previous, percent) => {
    expect(compareMetrics(metrics(current, 0, 0), metrics(previous, 0, 0)).total_order_count.percent).toBe(
      percent,
    );
  });
});

describe("compareGroups", () => {
  const group = (key: Group["key"], total_order_count: number): Group => ({
    key,
    label: key === null ? null : `label ${key}`,
    ...metrics(total_order_count, total_order_count, 1),
  });

  async function side(from: string, to: string, dimension: Dimension, groups: Group[]) {
    const period = resolvePeriod({ from, to }, { now, zone });
    const fetched = await fetchGrouped({
      windows: splitPeriod(period),
      dimension,
      fetch: () => Promise.resolve({ group_by: dimension, groups }),
    });
    return { period, groups: fetched };
  }

  async function changes(dimension: Dimension, current: Group[], previous: Group[]) {
    const [now_, then] = [
      await side("2026-10-01", "2026-10-07", dimension, current),
      await side("2026-09-24", "2026-09-30", dimension, previous),
    ];
    return compareGroups(now_, then, dimension).map((one) => [
      one.key,
      one.previous_key,
      one.total_order_count.absolute,
    ]);
  }

  it("meets groups by key, null included, and lists those of one side", async () => {
    expect(
      await changes("driver_id", [group(1, 5), group(null, 2)], [group(null, 3), group(7, 4), group("1", 1)]),
    ).toEqual([
      [1, undefined, 5],
      [null, undefined, -1],
      [7, undefined, -4],
      ["1", undefined, -1],
    ]);
  });

  it("meets days by their place in the period", async () => {
    const given = await changes(
      "day",
      [group("2026-10-01", 5), group("2026-10-03", 2)],
      [group("2026-09-24", 1), group("2026-09-25", 4)],
    );
    expect(given).toEqual([
      ["2026-10-01", "2026-09-24", 4],
      ["2026-10-03", undefined, 2],
      ["2026-09-25", undefined, -4],
    ]);
  });

  it("meets by key what has no place in time", async () => {
    expect(await changes("day", [group("first", 5)], [group("first", 1), group("second", 1)])).toEqual([
      ["first", undefined, 4],
      ["second", undefined, -1],
    ]);
  });

  it("sums up to the change of the whole", async () => {
    const keys = fc.uniqueArray(fc.constantFrom(1, 2, "1", null, "x"));
    await fc.assert(
      fc.asyncProperty(keys, keys, fc.nat(1000), async (current, previous, count) => {
        const given = await changes(
          "status",
          current.map((key) => group(key, count)),
          previous.map((key) => group(key, 3)),
        );
        const sum = given.reduce((total, [, , absolute]) => total + Number(absolute), 0);
        expect(sum).toBe(current.length * count - previous.length * 3);
      }),
      { numRuns: 50 },
    );
  });
});
