/** Days that start later than midnight: what is asked, and what it comes to, equals a count over the orders. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";

import type { GroupedSummaryQuery, SummaryQuery } from "../../../src/contract/summary.js";
import type { OrderRecord } from "../../../src/emulator/domain/orders.js";
import { summarize, summarizeGrouped } from "../../../src/emulator/domain/summary/aggregate.js";
import { readGroupedQuery, readSummaryQuery } from "../../../src/emulator/domain/summary/query.js";
import { createWallClock } from "../../../src/emulator/domain/zone.js";
import { parseDayStart } from "../../../src/state/settings/store-settings.js";
import { describePeriod } from "../../../src/summary/period/period.js";
import { askedPeriods } from "../../../src/summary/plan/request.js";
import { createStoreCalls } from "../../../src/summary/plan/store-calls.js";
import { periodsOf } from "../../../src/summary/results.js";
import { orders as orderOfAnyKind } from "../../emulator/summary/fixture.js";

const { signal } = new AbortController();

/** The clocks change at midnight, by half an hour, by a day that is left out, at one in the morning, never. */
const places = [
  { zone: "America/Sao_Paulo", last: "2018-11-20" },
  { zone: "Australia/Lord_Howe", last: "2026-10-20" },
  { zone: "Pacific/Apia", last: "2012-01-10" },
  { zone: "Europe/Lisbon", last: "2026-11-10" },
  { zone: "Asia/Kathmandu", last: "2026-11-10" },
] as const;

interface Case {
  readonly zone: string;
  readonly dayStarts: string;
  readonly from: string;
  readonly to: string;
  readonly orders: readonly OrderRecord[];
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    place: fc.constantFrom(...places),
    dayStarts: fc.constantFrom("04:00", "05:30", "11:59"),
    days: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 250 })),
  })
  .chain(({ place: { zone, last }, dayStarts, days }) => {
    const to = Temporal.PlainDate.from(last);
    const from = to.subtract({ days });
    const edge = Temporal.PlainTime.from(dayStarts);
    const order = fc
      .record({
        fields: orderOfAnyKind,
        day: fc.integer({ min: -1, max: days + 2 }),
        second: fc.oneof(fc.integer({ min: 0, max: 86_399 }), fc.constantFrom(-1, 0, 1)),
      })
      .map(({ fields, day, second }) => {
        const start = from.add({ days: day }).toZonedDateTime({ timeZone: zone, plainTime: edge });
        return { ...fields, createdAt: start.epochMilliseconds + second * 1_000 };
      });
    return fc.record({
      zone: fc.constant(zone),
      dayStarts: fc.constant(dayStarts),
      from: fc.constant(from.toString()),
      to: fc.constant(to.toString()),
      orders: fc.array(order, { maxLength: 60, size: "max" }),
    });
  });

function callsOf({ zone, orders }: Case, now: number) {
  const context = { now, clock: createWallClock(zone) };
  const asked: (SummaryQuery | GroupedSummaryQuery)[] = [];
  const searchOf = ({ filters = {}, ...fields }: SummaryQuery | GroupedSummaryQuery) => {
    asked.push({ ...fields, filters });
    const search = new URLSearchParams(Object.entries(fields));
    for (const [name, value] of Object.entries(filters))
      for (const each of [value].flat()) search.append(`filters[${name}]`, String(each));
    return search;
  };
  const taken = <Value>(read: { ok: true; value: Value } | { ok: false; details: string }): Value => {
    if (!read.ok) throw new Error(read.details);
    return read.value;
  };
  const names = { driver: () => "Ana", paymentMethod: () => "Pix" };
  const endpoint = {
    history: () => [],
    keep: () => Promise.resolve(),
    share: <Result>(_: unknown, work: () => Promise<Result>) => work(),
  };
  const calls = createStoreCalls({
    summary: {
      ...endpoint,
      call: (query) =>
        Promise.resolve(summarize(orders, taken(readSummaryQuery(searchOf(query), context)), context.clock)),
    },
    grouped: {
      ...endpoint,
      call: (query) => {
        const read = taken(readGroupedQuery(searchOf(query), context));
        return Promise.resolve(summarizeGrouped(orders, read, context.clock, names));
      },
    },
    request: { dateField: undefined, filters: [] },
    freshness: { kind: "fresh" },
    doubtedAt: undefined,
    now: () => now,
    onCalled: () => undefined,
    onWarning: (message) => {
      throw new Error(message);
    },
  });
  return { calls, asked };
}

/** Of days that the zone left out there are no figures. */
function isThere({ zone, from, to }: Case): boolean {
  return zone !== "Pacific/Apia" || ![from, to].includes("2011-12-30");
}

/** The day that an order belongs to: the date, with the night before the start taken to the day before. */
function dayOf({ createdAt }: OrderRecord, { zone, dayStarts }: Case): Temporal.PlainDate {
  const at = Temporal.Instant.fromEpochMilliseconds(createdAt).toZonedDateTimeISO(zone);
  const isNight = Temporal.PlainTime.compare(at.toPlainTime(), Temporal.PlainTime.from(dayStarts)) < 0;
  return isNight ? at.startOfDay().subtract({ seconds: 1 }).toPlainDate() : at.toPlainDate();
}

const keys = {
  day: (day: Temporal.PlainDate) => day.toString(),
  week: (day: Temporal.PlainDate) => `${day.yearOfWeek ?? 0}-W${String(day.weekOfYear).padStart(2, "0")}`,
  month: (day: Temporal.PlainDate) => day.toString().slice(0, 7),
  day_of_week: (day: Temporal.PlainDate) => day.dayOfWeek % 7,
} as const;

function asking(
  { from, to, zone, dayStarts }: Case,
  comparison: "previous" | "week" | undefined,
  now: number,
) {
  return askedPeriods(
    {
      period: { from, to },
      dateField: undefined,
      filters: [],
      comparison,
      comparisonIsOptional: false,
    },
    { now, zone, storeZone: zone, dayStarts, onWarning: () => undefined },
  );
}

function nowOf({ to, zone }: Case): number {
  return Temporal.PlainDate.from(to).add({ days: 3 }).toZonedDateTime(zone).epochMilliseconds;
}

test("A summary, and what it is compared with, count the orders of their business days", async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.constantFrom("previous", "week", undefined), async (given, comparison) => {
      fc.pre(isThere(given) && (given.zone !== "Pacific/Apia" || comparison === undefined));
      const now = nowOf(given);
      const { calls, asked: sent } = callsOf(given, now);
      for (const asked of periodsOf(asking(given, comparison, now))) {
        const { figures } = await calls.summary(asked, signal);
        const own = given.orders.filter((order) => {
          const day = dayOf(order, given).toString();
          return day >= asked.period.from.date && day <= asked.period.to.date;
        });
        expect([figures.total_order_count, Math.round(figures.total_revenue * 100)]).toEqual([
          own.length,
          own.reduce((sum, { total }) => sum + total, 0),
        ]);
        expect(sent.length).toBe(asked.windows.length);
        sent.length = 0;
      }
    }),
    { numRuns: 50 },
  );
});

test("Days, weeks, months and weekdays have the orders of their business days, in two calls", async () => {
  const dimensions = fc.constantFrom("day", "week", "month", "day_of_week");
  await fc.assert(
    fc.asyncProperty(cases, dimensions, async (given, dimension) => {
      fc.pre(isThere(given));
      const now = nowOf(given);
      const { calls, asked: sent } = callsOf(given, now);
      const { current } = asking(given, undefined, now);
      const { figures } = await calls.grouped(current, dimension, signal);
      const expected = new Map<string | number, { count: number; cents: number }>();
      for (const order of given.orders) {
        const day = dayOf(order, given);
        if (day.toString() < given.from || day.toString() > given.to) continue;
        const { count, cents } = expected.get(keys[dimension](day)) ?? { count: 0, cents: 0 };
        expected.set(keys[dimension](day), { count: count + 1, cents: cents + order.total });
      }
      const found = figures.grouped.groups.map(
        ({ key, total_order_count: count, total_revenue: revenue }) => [
          key,
          { count, cents: Math.round(revenue * 100) },
        ],
      );
      const ordered = [...expected].toSorted(([a], [b]) => (a < b ? -1 : 1));
      expect(found).toEqual(ordered);
      expect(sent.length).toBe(2 * current.windows.length);
      expect(calls.count([{ asked: current, dimension }])).toBe(2 * current.windows.length);
    }),
    { numRuns: 50 },
  );
});

const clock = { zone: "America/Sao_Paulo", storeZone: "America/Sao_Paulo", dayStarts: "04:00" };
const request = { dateField: undefined, filters: [], comparison: undefined, comparisonIsOptional: false };

test.each([
  // Half past one at night: the evening is still today.
  ["today", "2026-11-21T01:30:00-03:00", "2026-11-20T04:00:00-03:00", "2026-11-21T01:30:00-03:00"],
  ["yesterday", "2026-11-21T01:30:00-03:00", "2026-11-19T04:00:00-03:00", "2026-11-20T03:59:59.999999-03:00"],
  ["yesterday", "2026-11-21T04:00:00-03:00", "2026-11-20T04:00:00-03:00", "2026-11-21T03:59:59.999999-03:00"],
  ["this-month", "2026-12-01T03:00:00-03:00", "2026-11-01T04:00:00-03:00", "2026-12-01T03:00:00-03:00"],
  ["2026-10", "2026-11-21T12:00:00-03:00", "2026-10-01T04:00:00-03:00", "2026-11-01T03:59:59.999999-03:00"],
])("%s at %s begins and ends with the day", (period, now, start, end) => {
  const { current } = askedPeriods(
    { ...request, period: { period } },
    { ...clock, now: Date.parse(now), onWarning: () => undefined },
  );
  expect([current.period.from.sent, current.period.to.sent]).toEqual([start, end]);
});

test("The heading says when days start; scheduled dates have no hour and stay what they are", () => {
  const at = { ...clock, now: Date.parse("2026-11-21T12:00:00-03:00"), onWarning: () => undefined };
  const october = { ...request, period: { period: "2026-10" } };
  expect(describePeriod(askedPeriods(october, at).current.period)).toBe(
    "2026-10-01 to 2026-10-31 (America/Sao_Paulo, days from 04:00)",
  );
  const scheduled = askedPeriods({ ...october, dateField: "scheduled_date" }, at).current.period;
  expect([scheduled.dayStarts, scheduled.from.date]).toEqual([undefined, "2026-10-01"]);
});

test("A day starts at a time until noon; 00:00 is midnight", () => {
  expect(["00:00", "04:00", "12:00"].map(parseDayStart)).toEqual([undefined, "04:00", "12:00"]);
  for (const text of ["4:00", "24:00", "12:01", "04:60", "noon", ""]) {
    expect(() => parseDayStart(text)).toThrow(`A day can't start at "${text}".`);
  }
});
