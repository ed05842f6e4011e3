import { expect, test } from "vitest";

import { dateOrdinal } from "../../../src/sales/merge/calendar-forms.js";
import { canBeCut, isPart, unitsOf } from "../../../src/sales/merge/parts.js";
import { resolvePeriod } from "../../../src/sales/period/resolve.js";

const now = Date.parse("2026-11-20T18:00:00Z");

test("Weeks and months may be cut by the edges of a period, and nothing else is", () => {
  const dimensions = ["day", "week", "month", "day_of_week", "hour", "status"];
  expect(dimensions.filter(canBeCut)).toEqual(["week", "month"]);
});

test("A period has the months that it touches, each with its days", () => {
  const period = resolvePeriod({ from: "2026-08-20", to: "2026-10-05" }, { now, zone: "UTC" });
  const cut = { isCutBefore: false, isCutAfter: false };
  expect(unitsOf("month", period, [])).toMatchObject([
    { ...cut, days: 12, daysOfUnit: 31, offset: 19, isCutBefore: true },
    { ...cut, days: 30, daysOfUnit: 30, offset: 0 },
    { ...cut, days: 5, daysOfUnit: 31, offset: 0, isCutAfter: true },
  ]);
});

test("Where a service's key lies outside of the period, or can't be read, nothing is known of parts", () => {
  const period = resolvePeriod({ from: "2026-08-20", to: "2026-10-05" }, { now, zone: "UTC" });
  const at = (day: string) => ({ ordinal: dateOrdinal(day, "month") });
  expect(unitsOf("month", period, [at("2026-08-31"), at("2026-10-31")])).toHaveLength(3);
  for (const outside of [at("2026-07-31"), at("2026-11-01"), { ordinal: undefined }])
    expect(unitsOf("month", period, [at("2026-09-01"), outside])).toEqual([]);
});

test.each([
  ["2026-10-01T00:00:00Z", "2026-10-31T23:59:59Z", [false]],
  ["2026-10-01T00:00:00Z", "2026-10-31T23:59:57Z", [true]],
  ["2026-10-01T00:00:01Z", "2026-10-31T23:59:59Z", [true]],
  ["2026-09-15T00:00:00Z", "2026-10-31T23:59:59Z", [true, false]],
])("From %s to %s the months are parts: %j", (from, to, parts) => {
  const period = resolvePeriod({ from, to }, { now, zone: "UTC" });
  expect(unitsOf("month", period, []).map(isPart)).toEqual(parts);
});
