import { describe, expect, test } from "vitest";

import type { ComandaError } from "../../../src/client/errors.js";
import { describePeriod, resolvePeriod, type PeriodRequest } from "../../../src/sales/period.js";

/** A Friday, 15:17:22.5 in São Paulo. */
const now = Date.parse("2026-11-20T18:17:22.500Z");
const context = { now, zone: "America/Sao_Paulo" };

function refusal(request: PeriodRequest, overrides: Partial<Parameters<typeof resolvePeriod>[1]> = {}) {
  try {
    resolvePeriod(request, { ...context, ...overrides });
  } catch (error) {
    return error as ComandaError;
  }
  throw new Error(`accepted: ${JSON.stringify(request)}`);
}

describe("--period", () => {
  test.each([
    ["today", "2026-11-20", "2026-11-20 15:17"],
    ["yesterday", "2026-11-19", "2026-11-19"],
    ["this-week", "2026-11-16", "2026-11-20 15:17"],
    ["last-week", "2026-11-09", "2026-11-15"],
    ["this-month", "2026-11-01", "2026-11-20 15:17"],
    ["last-month", "2026-10-01", "2026-10-31"],
    ["2025", "2025-01-01", "2025-12-31"],
    ["last-1-day", "2026-11-19", "2026-11-19"],
    ["last-7-days", "2026-11-13", "2026-11-19"],
    ["last-30-days", "2026-10-21", "2026-11-19"],
    ["this-year", "2026-01-01", "2026-11-20 15:17"],
    ["last-year", "2025-01-01", "2025-12-31"],
    ["2026-02", "2026-02-01", "2026-02-28"],
    ["2024-02", "2024-02-01", "2024-02-29"],
    ["2026-10-05", "2026-10-05", "2026-10-05"],
  ])("The period %s is %s to %s", (period, from, to) => {
    const resolved = resolvePeriod({ period }, context);
    expect(resolved.label).toBe(period);
    expect(resolved.zone).toBe("America/Sao_Paulo");
    const days = from === to ? from : `${from} to ${to}`;
    expect(describePeriod(resolved)).toBe(`${days} (America/Sao_Paulo)`);
  });

  test("A period that is still running ends now, to the second", () => {
    expect(resolvePeriod({ period: "this-week" }, context)).toMatchObject({
      endsNow: true,
      ...{ first: "2026-11-16", start: "2026-11-16T00:00:00-03:00" },
      ...{ last: "2026-11-20", end: "2026-11-20T15:17:22-03:00" },
    });
  });

  test("Today is the day of the zone, not of the machine or UTC", () => {
    const late = Date.parse("2026-11-21T01:00:00Z");
    const today = (zone: string) => resolvePeriod({ period: "today" }, { now: late, zone }).start;
    expect(today("America/Sao_Paulo")).toBe("2026-11-20T00:00:00-03:00");
    expect(today("Europe/Lisbon")).toBe("2026-11-21T00:00:00+00:00");
    expect(today("Pacific/Apia")).toBe("2026-11-21T00:00:00+13:00");
  });

  test.each([
    "",
    "soon",
    "last-0-days",
    "last--1-days",
    "last-1000000-days",
    "20260",
    "2026-13",
    "2026-00",
    "2026-02-30",
  ])("The period %j is refused", (period) => {
    expect(refusal({ period }).code).toBe("invalid_input");
  });

  test("A period has days of 23 and 25 hours where the clocks change", () => {
    const hours = (day: string, zone: string) => {
      const { start, end } = resolvePeriod({ period: day }, { now, zone });
      return Math.round((Date.parse(end) - Date.parse(start)) / 360_000) / 10;
    };
    expect(hours("2026-03-29", "Europe/Lisbon")).toBe(23);
    expect(hours("2026-10-25", "Europe/Lisbon")).toBe(25);
    expect(hours("2026-10-04", "Australia/Lord_Howe")).toBe(23.5);
    expect(hours("2026-10-05", "Europe/Lisbon")).toBe(24);
  });
});

describe("--from and --to", () => {
  test("--from and --to include both days", () => {
    expect(resolvePeriod({ from: "2026-10-01", to: "2026-10-05" }, context)).toMatchObject({
      label: "2026-10-01 to 2026-10-05",
      byDays: true,
      start: "2026-10-01T00:00:00-03:00",
      end: "2026-10-05T23:59:59.999999-03:00",
    });
  });

  test("--from and --to pass date-times on as they were typed", () => {
    const request = { from: "2026-10-01T08:00Z", to: "2026-10-01T22:00:00.50+02:00" };
    const resolved = resolvePeriod(request, context);
    expect(resolved).toMatchObject({
      byDays: false,
      ...{ first: "2026-10-01", start: request.from },
      ...{ last: "2026-10-01", end: request.to },
    });
    expect(describePeriod(resolved)).toBe(`${request.from} to ${request.to}`);
  });

  test("A period with --from alone runs until now", () => {
    expect(resolvePeriod({ from: "2026-11-10" }, context)).toMatchObject({
      endsNow: true,
      end: "2026-11-20T15:17:22-03:00",
    });
    expect(resolvePeriod({ from: "2026-11-10T08:00:00-03:00" }, context)).toMatchObject({
      byDays: false,
      start: "2026-11-10T08:00:00-03:00",
      end: "2026-11-20T15:17:22-03:00",
    });
  });

  test.each<[string, PeriodRequest]>([
    ["nothing at all", {}],
    ["an end alone", { to: "2026-10-01" }],
    ["a name beside them", { period: "today", from: "2026-10-01" }],
    ["a date and a date-time", { from: "2026-10-01", to: "2026-10-02T00:00:00Z" }],
    ["the end before the start", { from: "2026-10-02", to: "2026-10-01" }],
    ["the end before the start, in time", { from: "2026-10-02T00:00:00Z", to: "2026-10-02T00:00:00+01:00" }],
    ["a day that isn't there", { from: "2026-02-30", to: "2026-03-01" }],
    ["an hour that isn't there", { from: "2026-02-03T25:00:00Z", to: "2026-03-01T00:00:00Z" }],
    ["a date-time without offset", { from: "2026-02-03T10:00:00", to: "2026-03-01T00:00:00" }],
    ["a date-time with a zone's name", { from: "2026-02-03T10:00:00Z[UTC]", to: "2026-03-01T00:00:00Z" }],
    ["another order of the parts", { from: "01-10-2026", to: "02-10-2026" }],
  ])("--from and --to refuse %s", (_, request) => {
    expect(refusal(request).code).toBe("invalid_input");
  });
});

describe("zones", () => {
  test("A zone can leave a day out", () => {
    const then = { now: Date.parse("2012-03-01T00:00:00Z"), zone: "Pacific/Apia" };
    expect(refusal({ period: "2011-12-30" }, then).code).toBe("invalid_input");
    expect(resolvePeriod({ from: "2011-12-30", to: "2011-12-31" }, then)).toMatchObject({
      start: "2011-12-31T00:00:00+14:00",
      end: "2011-12-31T23:59:59.999999+14:00",
    });
  });
});

describe("the service's limits", () => {
  test.each([
    ["2023-11-18", "more than 3 years back"],
    ["2026-11-22", "in the future"],
  ])("A period that starts on %s is refused: %s", (from, why) => {
    const error = refusal({ from, to: "2026-11-30" });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(why);
    expect(error.hint).toBeDefined();
  });

  test.each(["2023-11-19", "2023-11-20", "2026-11-20", "2026-11-21"])(
    "A period that starts on %s is left to the service",
    (from) => {
      expect(resolvePeriod({ from, to: "2026-11-30" }, context).first).toBe(from);
    },
  );

  test("Orders can be scheduled for days to come", () => {
    const request = { from: "2026-12-24", to: "2026-12-31" };
    expect(resolvePeriod(request, { ...context, dateField: "scheduled_date" }).first).toBe("2026-12-24");
  });
});
