/** The days of the values of `--period`, `--from` and `--to`. */
import { expect, test } from "vitest";

import { containing } from "../../support/output.js";
import { describePeriod, resolvePeriod, tooEarly, type PeriodRequest } from "../../../src/sales/period.js";

/** It is Friday, 15:17:22.5 in São Paulo. */
const now = Date.parse("2026-11-20T18:17:22.500Z");
const context = { now, zone: "America/Sao_Paulo" };
const isRefused = expect.objectContaining({ code: "invalid_input" }) as Error;

test.each([
  ["today", "2026-11-20", "2026-11-20 15:17"],
  ["yesterday", "2026-11-19", "2026-11-19"],
  ["this-week", "2026-11-16", "2026-11-20 15:17"],
  ["last-week", "2026-11-09", "2026-11-15"],
  ["this-month", "2026-11-01", "2026-11-20 15:17"],
  ["last-month", "2026-10-01", "2026-10-31"],
  ["month-to-yesterday", "2026-11-01", "2026-11-19"],
  ["last-year", "2025-01-01", "2025-12-31"],
  ["last-1-day", "2026-11-19", "2026-11-19"],
  ["last-30-days", "2026-10-21", "2026-11-19"],
  ["2025", "2025-01-01", "2025-12-31"],
  ["2024-02", "2024-02-01", "2024-02-29"],
  ["Friday", "2026-11-20", "2026-11-20 15:17"],
  ["saturday", "2026-11-14", "2026-11-14"],
  ["october", "2026-10-01", "2026-10-31"],
  ["December", "2025-12-01", "2025-12-31"],
  ["05/10", "2026-10-05", "2026-10-05"],
  ["2026-W46", "2026-11-09", "2026-11-15"],
  // 1 January 2026 is a Thursday, and 31 December 2024 a Tuesday.
  ["2026-W01", "2025-12-29", "2026-01-04"],
  ["2025-W01", "2024-12-30", "2025-01-05"],
  ["20/11", "2026-11-20", "2026-11-20 15:17"],
  ["21/11", "2025-11-21", "2025-11-21"],
  ["29/02", "2024-02-29", "2024-02-29"],
  ["1/2/2024", "2024-02-01", "2024-02-01"],
  ["11/2025", "2025-11-01", "2025-11-30"],
  ["october 2025", "2025-10-01", "2025-10-31"],
])("the period %s is %s to %s", (period, from, to) => {
  const days = from === to ? from : `${from} to ${to}`;
  expect(describePeriod(resolvePeriod({ period }, context))).toBe(`${days} (America/Sao_Paulo)`);
});

test("a period's label is its canonical name, and the default is yesterday", () => {
  const labels = { "Last-7-Days": "last-7-days", october: "2026-10", "2026-w47": "2026-W47" };
  for (const [period, label] of Object.entries(labels))
    expect(resolvePeriod({ period }, context).label).toBe(label);
  expect(resolvePeriod({}, context).label).toBe("yesterday");
});

test("the description of a period has its date-times, and when its days start", () => {
  const between = { from: "2026-10-01T08:00Z", to: "2026-10-01T22:00Z" };
  expect(describePeriod(resolvePeriod(between, context))).toBe(
    "2026-10-01T08:00Z to 2026-10-01T22:00Z (America/Sao_Paulo)",
  );
  const late = resolvePeriod({ period: "2026-10-05" }, { ...context, dayStarts: "04:00" });
  expect(describePeriod(late)).toBe("2026-10-05 (America/Sao_Paulo, days start at 04:00)");
});

test.each<[from: string, to: string | undefined, object]>([
  ["2026-10-01", "2026-10-05", { byDays: true, start: "2026-10-01T00:00:00-03:00" }],
  ["2026-10-01", "2026-10-05", { end: "2026-10-05T23:59:59.999999-03:00" }],
  ["2026-10-01", "2026-10-05", { label: "2026-10-01 to 2026-10-05" }],
  ["2026-11-10", undefined, { label: "since 2026-11-10" }],
  // Date-times stay as they were typed.
  ["2026-10-01T08:00Z", "2026-10-01T22:00:00.50+02:00", { byDays: false, start: "2026-10-01T08:00Z" }],
  ["2026-10-01T08:00Z", "2026-10-01T22:00:00.50+02:00", { end: "2026-10-01T22:00:00.50+02:00" }],
  // Without an end, a period ends now, in whole seconds.
  ["2026-11-10", undefined, { endsNow: true, end: "2026-11-20T15:17:22-03:00" }],
  ["2026-11-10", "this-week", { endsNow: true, last: "2026-11-20" }],
  // A moment is a period.
  ["2026-10-01T08:00Z", "2026-10-01T08:00Z", { endsNow: false, byDays: false }],
  ["2026-11-10T08:00:00-03:00", undefined, { byDays: false, end: "2026-11-20T15:17:22-03:00" }],
  ["last-month", "last-week", { first: "2026-10-01", last: "2026-11-15" }],
])("the period from %s to %s is %j", (from, to, period) => {
  expect(resolvePeriod({ from, to }, context)).toMatchObject(period);
});

const unknownNames = [
  ...["", "5", "2026-13", "2026-10-05-03", "last-0-days", "last-1000000-days"],
  ...["2026-W00", "2025-W53"],
];

test.each<[string, PeriodRequest]>([
  ...unknownNames.map((period): [string, PeriodRequest] => [`the period "${period}"`, { period }]),
  ["only an end", { to: "2026-10-01" }],
  ["a name with a start", { period: "today", from: "2026-10-01" }],
  ["a date and a date-time", { from: "2026-10-01", to: "2026-10-02T00:00:00Z" }],
  ["the end before the start", { from: "2026-10-02", to: "2026-10-01" }],
  ["the end before the start, in time", { from: "2026-10-02T00:00:00Z", to: "2026-10-02T00:00:00+01:00" }],
  ["a day that doesn't exist", { from: "2026-02-30", to: "2026-03-01" }],
  ["a date-time with ten decimals", { from: "2026-10-05T18:00:00.1234567890Z" }],
  ["a date-time without offset", { from: "2026-02-03T10:00:00", to: "2026-03-01T00:00:00" }],
  ["a start in the future", { from: "2026-11-21", to: "2026-11-30" }],
  ["a start later today", { from: "2026-11-20T18:18:00Z", to: "2026-11-20T19:00:00Z" }],
])("resolvePeriod rejects %s", (_, request) => {
  expect(() => resolvePeriod(request, context)).toThrow(isRefused);
});

test.each([
  ["hoje", "today"],
  ["Mês passado", "last-month"],
  ["últimos-30-dias", "last-30-days"],
  ["outubro", "october"],
])("the error for %s names the word to type: %s", (typed, meant) => {
  for (const request of [{ period: typed }, { from: typed }])
    expect(() => resolvePeriod(request, context)).toThrow(new RegExp(`\\. Did you mean "${meant}"\\?$`));
});

test.each([
  // In Auckland, it is already 21 November.
  ["America/Sao_Paulo", "2023-11-19", "2023-11-20"],
  ["Pacific/Auckland", "2023-11-20", "2023-11-21"],
])(
  "a period in %s can't start on %s, and the error names the first day that it can: %s",
  (zone, early, first) => {
    const earlyFrom = (from: string) =>
      tooEarly(resolvePeriod({ from, to: "2026-11-30" }, { now, zone }), now);
    expect(earlyFrom(early)).toMatchObject({
      code: "invalid_input",
      hint: containing(`on ${first} or later`),
    });
    expect(earlyFrom(first)).toBeUndefined();
  },
);

test("scheduled dates can be in the future", () => {
  const request = { from: "2026-12-24", to: "2026-12-31" };
  const scheduled = { ...context, dateField: "scheduled_date" } as const;
  expect(resolvePeriod(request, scheduled).first).toBe("2026-12-24");
  const times = { from: "2026-12-24T10:00:00Z", to: "2026-12-24T12:00:00Z" };
  expect(() => resolvePeriod(times, scheduled)).toThrow(isRefused);
});

test("today is the day of the zone, not of the machine or UTC", () => {
  const late = Date.parse("2026-11-21T01:00:00Z");
  const today = (zone: string) => resolvePeriod({ period: "today" }, { now: late, zone }).start;
  expect(today("America/Sao_Paulo")).toBe("2026-11-20T00:00:00-03:00");
  expect(today("Pacific/Apia")).toBe("2026-11-21T00:00:00+13:00");
});

test.each([
  ["Europe/Lisbon", "2026-03-29", "01:30", "02:00:00+01:00"],
  ["Africa/Cairo", "2026-04-24", "00:30", "01:00:00+03:00"],
  ["Australia/Lord_Howe", "2026-10-04", "02:15", "02:30:00+11:00"],
  ["Europe/Lisbon", "2026-03-29", "02:00", "02:00:00+01:00"],
  ["Europe/Lisbon", "2026-10-25", "01:30", "01:30:00+01:00"],
])("in %s, %s starts at %s, or when the clocks skip it: %s", (zone, period, dayStarts, start) => {
  expect(resolvePeriod({ period }, { now, zone, dayStarts }).start).toBe(`${period}T${start}`);
});

test("days have 23 or 25 hours if the clocks change, and a zone can skip a day", () => {
  const hours = (day: string, zone: string) => {
    const { start, end } = resolvePeriod({ period: day }, { now, zone });
    return Math.round((Date.parse(end) - Date.parse(start)) / 360_000) / 10;
  };
  expect(hours("2026-03-29", "Europe/Lisbon")).toBe(23);
  expect(hours("2026-10-25", "Europe/Lisbon")).toBe(25);
  expect(hours("2026-10-04", "Australia/Lord_Howe")).toBe(23.5);
  const then = { now: Date.parse("2012-03-01T00:00:00Z"), zone: "Pacific/Apia" };
  expect(() => resolvePeriod({ period: "2011-12-30" }, then)).toThrow(isRefused);
  const { start } = resolvePeriod({ from: "2011-12-30", to: "2011-12-31" }, then);
  expect(start).toBe("2011-12-31T00:00:00+14:00");
});
