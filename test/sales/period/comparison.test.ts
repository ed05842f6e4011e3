/** The period to compare with, for each value of `--compare`. */
import { expect, test } from "vitest";

import { comparisonPeriod, edgesOf, resolvePeriod } from "../../../src/sales/period.js";
import type { Comparison, PeriodRequest } from "../../../src/sales/period.js";
import { windowsOf } from "../../../src/sales/fetch.js";

/** It is Friday, 15:17:22 in São Paulo. */
const now = Date.parse("2026-11-20T18:17:22Z");
const zone = "America/Sao_Paulo";

const between = (from: string, to: string) => ({ from: `${from}:00-03:00`, to: `${to}:00-03:00` });

test.each<[PeriodRequest, string, string, today?: string]>([
  [{ period: "this-week" }, "2026-11-09T00:00:00-03:00", "2026-11-13T15:17:22-03:00"],
  [{ period: "this-month" }, "2026-10-01T00:00:00-03:00", "2026-10-20T15:17:22-03:00"],
  [{ period: "this-year" }, "2025-01-01T00:00:00-03:00", "2025-11-20T15:17:22-03:00"],
  [{ from: "2026-11-19" }, "2026-11-17T00:00:00-03:00", "2026-11-18T15:17:22-03:00"],
  [between("2026-10-01T18:00", "2026-10-01T23:00"), "2026-09-30T18:00:00-03:00", "2026-09-30T23:00:00-03:00"],
  [between("2026-10-08T00:00", "2026-10-15T00:00"), "2026-09-30T00:00:00-03:00", "2026-10-07T00:00:00-03:00"],
  [between("2026-10-08T12:00", "2026-10-15T11:00"), "2026-10-01T12:00:00-03:00", "2026-10-08T11:00:00-03:00"],
  [{ period: "this-month" }, "2026-02-01T00:00:00-03:00", "2026-02-28T15:17:22-03:00", "2026-03-28"],
  // February had fewer days.
  [{ period: "this-month" }, "2026-02-01T00:00:00-03:00", "2026-02-28T23:59:59.999999-03:00", "2026-03-30"],
])("the period before %j starts at %s and ends at %s", (request, start, end, today = "2026-11-20") => {
  const context = { now: Date.parse(`${today}T18:17:22Z`), zone };
  const before = comparisonPeriod(resolvePeriod(request, context), "previous");
  expect(before).toMatchObject({ start, end });
});

test.each<[PeriodRequest, Comparison, string, string, string]>([
  [{ period: "last-week" }, "previous", "2026-11-20", "2026-11-02", "2026-11-08"],
  [{ period: "last-month" }, "previous", "2026-11-20", "2026-09-01", "2026-09-30"],
  // A month and a half count as days.
  [{ from: "2026-09-01", to: "2026-10-15" }, "previous", "2026-11-20", "2026-07-18", "2026-08-31"],
  [{ from: "2026-09-15", to: "2026-10-31" }, "previous", "2026-11-20", "2026-07-30", "2026-09-14"],
  [{ period: "2024-02" }, "year", "2024-06-01", "2023-02-01", "2023-02-28"],
  [{ period: "last-year" }, "year", "2026-11-20", "2024-01-01", "2024-12-31"],
  [{ period: "this-month" }, "year", "2026-11-20", "2025-11-01", "2025-11-20"],
  [{ period: "last-30-days" }, "year", "2026-12-01", "2025-11-02", "2025-12-01"],
  [{ period: "last-month" }, "week", "2026-11-20", "2026-09-24", "2026-10-24"],
  [{ period: "2026-06" }, "month", "2026-11-20", "2026-05-01", "2026-05-31"],
  [{ period: "2025" }, "month", "2026-11-20", "2024-12-01", "2025-11-30"],
  [{ period: "yesterday" }, "month", "2026-11-20", "2026-10-19", "2026-10-19"],
  [{ period: "month-to-yesterday" }, "month", "2026-11-20", "2026-10-01", "2026-10-19"],
  [{ period: "last-7-days" }, "month", "2026-11-20", "2026-10-13", "2026-10-19"],
])("%j with --compare %s on %s is compared with %s to %s", (request, comparison, today, first, last) => {
  const context = { now: Date.parse(`${today}T18:17:22Z`), zone };
  const before = comparisonPeriod(resolvePeriod(request, context), comparison);
  expect(before).toMatchObject({ first, last });
});

test("scheduled days that go beyond the current month are compared with as many days", () => {
  const request = { from: "2026-11-01", to: "2026-12-05" };
  const period = resolvePeriod(request, { now, zone, dateField: "scheduled_date" });
  expect(comparisonPeriod(period, "previous")).toMatchObject({ first: "2026-09-27", last: "2026-10-31" });
});

// Weeks begin on Monday, such as 2026-11-16 and 2026-06-01.
test.each<[PeriodRequest, string, string, string, string?]>([
  [{ period: "month-to-yesterday" }, "2026-11-28", "2026-10-01", "2026-10-27"],
  [{ period: "month-to-yesterday" }, "2026-11-01", "2026-09-01", "2026-09-30"],
  [{ period: "month-to-yesterday" }, "2026-03-31", "2026-02-01", "2026-02-28"],
  [{ period: "month-to-yesterday" }, "2026-01-15", "2025-12-01", "2025-12-14"],
  [{ period: "this-month" }, "2026-11-01", "2026-10-01", "2026-10-01"],
  [{ period: "this-week" }, "2026-11-16", "2026-11-09", "2026-11-09"],
  [{ from: "2026-11-01", to: "yesterday" }, "2026-11-28", "2026-10-01", "2026-10-27"],
  [{ from: "2026-11-01", to: "2026-11-10" }, "2026-11-28", "2026-10-01", "2026-10-10"],
  [{ from: "2026-03-01", to: "2026-03-29" }, "2026-03-31", "2026-02-01", "2026-02-28"],
  [{ from: "monday" }, "2026-11-18", "2026-11-09", "2026-11-11"],
  [{ from: "monday", to: "yesterday" }, "2026-11-18", "2026-11-09", "2026-11-10"],
  [{ from: "2026-11-16", to: "2026-11-29" }, "2026-11-18", "2026-11-09", "2026-11-11"],
  // A month and a week begin on 1 June.
  [{ from: "2026-06-01" }, "2026-06-03", "2026-05-01", "2026-05-03"],
  // One day is compared with the day before.
  [{ from: "2026-11-01" }, "2026-11-01", "2026-10-31", "2026-10-31"],
  [{ from: "2026-11-01", to: "2026-11-01" }, "2026-11-28", "2026-10-31", "2026-10-31"],
  // Days that don't begin with the current month or week are compared with as many days.
  [{ from: "2026-11-02", to: "yesterday" }, "2026-11-28", "2026-10-07", "2026-11-01"],
  [{ from: "2026-10-01", to: "2026-10-10" }, "2026-11-28", "2026-09-21", "2026-09-30"],
  [{ period: "last-27-days" }, "2026-11-28", "2026-10-05", "2026-10-31"],
  // If days start at 04:00, it is still 30 November at 02:00 on 1 December.
  [{ period: "month-to-yesterday" }, "2026-12-01T05:00:00Z", "2026-10-01", "2026-10-29", "04:00"],
  [{ from: "2026-11-01" }, "2026-12-01T05:00:00Z", "2026-10-01", "2026-10-30", "04:00"],
  [{ from: "2026-11-30" }, "2026-12-01T05:00:00Z", "2026-11-29", "2026-11-29", "04:00"],
])("%j on %s is compared with the days from %s to %s %s", (request, today, first, last, dayStarts) => {
  const time = today.includes("T") ? today : `${today}T18:17:22Z`;
  const period = resolvePeriod(request, { now: Date.parse(time), zone, dayStarts });
  expect(comparisonPeriod(period, "previous")).toMatchObject({ first, last });
});

test.each<[PeriodRequest, Comparison, string]>([
  [{ from: "2026-11-01" }, "previous", "the same days of the month before, until then"],
  [{ from: "monday", to: "yesterday" }, "previous", "the same days of the week before"],
  [{ from: "2026-08-01", to: "2026-09-30" }, "previous", "the 2 months before"],
  [{ period: "today" }, "previous", "the day before, until then"],
  [{ period: "last-month" }, "year", "last-month, a year before"],
  [{ period: "yesterday" }, "year", "yesterday, 364 days before"],
])("%j with --compare %s is compared with %s", (request, comparison, label) => {
  expect(comparisonPeriod(resolvePeriod(request, { now, zone }), comparison)).toMatchObject({ label });
});

test("a running or future period of scheduled dates can be compared", () => {
  const context = { now, zone, dateField: "scheduled_date" as const };
  const before = (request: PeriodRequest) => comparisonPeriod(resolvePeriod(request, context), "previous");
  const [window] = windowsOf(before({ period: "this-month" }), undefined);
  expect(window && edgesOf(window, "scheduled_date").from).toBe("2026-10-01");
  expect(before({ period: "2026-12" })).toMatchObject({ first: "2026-11-01", last: "2026-11-30" });
});
