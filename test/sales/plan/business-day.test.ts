/** Days that start later than midnight: what is asked, and what it comes to, equals a count over the orders. */
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { parseDayStart } from "../../../src/state/settings/store-settings.js";
import { describePeriod } from "../../../src/sales/period/period.js";
import { splitPeriod } from "../../../src/sales/period/windows.js";
import { requestedPeriods } from "../../../src/sales/plan/request.js";
import {
  afterwards,
  asking,
  callsOver,
  counted,
  countedBy,
  keyOf,
  ordersOfDays,
  storeCases,
  told,
  tries,
} from "../support/oracle.js";

const { signal } = new AbortController();
const size = tries({ test: 15, search: 100, soak: 5_000 });
const runs = size.numRuns;
const cases = storeCases({ dayStarts: ["00:00", "04:00", "05:30", "11:59"], days: 250 });

test(`${runs} summaries count the orders of their business days, in one call for each window`, async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (given) => {
      const now = afterwards(given);
      const { calls, sent } = callsOver(given, now);
      const { current } = asking(given, { now });
      const { figures } = await calls.summary({ period: current }, signal);
      expect(told(figures)).toEqual(counted(ordersOfDays(given.orders, given.from, given.to, given)));
      expect(sent).toHaveLength(splitPeriod(current).length);
    }),
    size,
  );
});

test(`${runs} splits by day, week, month and weekday have the orders of their business days`, async () => {
  const dimensions = fc.constantFrom("day", "week", "month", "day_of_week");
  await fc.assert(
    fc.asyncProperty(cases, dimensions, async (given, dimension) => {
      const now = afterwards(given);
      const { calls, sent } = callsOver(given, now);
      const { current } = asking(given, { now });
      // The service's own weeks, months and weekdays tell how it writes them.
      const parts = given.dayStarts === "00:00" ? 1 : dimension === "day" ? 2 : 3;
      expect(await calls.count([{ period: current, dimension }])).toBe(parts * splitPeriod(current).length);
      const { figures } = await calls.grouped({ period: current, dimension }, signal);
      const own = ordersOfDays(given.orders, given.from, given.to, given);
      const expected = [...countedBy(own, (order) => keyOf(order, dimension, given))];
      expect(figures.grouped.groups.map((group) => [group.key, told(group)])).toEqual(
        expected.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      );
      expect(sent).toHaveLength(parts * splitPeriod(current).length);
    }),
    size,
  );
});

const onWarning = () => undefined;
const clock = { zone: "America/Sao_Paulo", dayStarts: "04:00" };
const request = { dateField: undefined, filters: [], comparison: undefined, comparisonIsOptional: false };

test.each([
  // Half past one at night: the evening is still today.
  ["today", "2026-11-21T01:30:00-03:00", "2026-11-20T04:00:00-03:00", "2026-11-21T01:30:00-03:00"],
  ["yesterday", "2026-11-21T01:30:00-03:00", "2026-11-19T04:00:00-03:00", "2026-11-20T03:59:59.999999-03:00"],
  ["yesterday", "2026-11-21T04:00:00-03:00", "2026-11-20T04:00:00-03:00", "2026-11-21T03:59:59.999999-03:00"],
  ["this-month", "2026-12-01T03:00:00-03:00", "2026-11-01T04:00:00-03:00", "2026-12-01T03:00:00-03:00"],
  ["2026-10", "2026-11-21T12:00:00-03:00", "2026-10-01T04:00:00-03:00", "2026-11-01T03:59:59.999999-03:00"],
])("%s at %s begins and ends with the day", (period, now, start, end) => {
  const { current } = requestedPeriods(
    { ...request, period: { period } },
    { ...clock, now: Date.parse(now), onWarning: () => undefined },
  );
  expect([current.from.sent, current.to.sent]).toEqual([start, end]);
});

test.each([
  ["today", "2026-11-20T15:17:22-03:00", "2026-11-19T04:00:00-03:00", "2026-11-19T15:17:22-03:00"],
  // Half past one at night: the evening before is compared until half past one, too.
  ["today", "2026-11-21T01:30:00-03:00", "2026-11-19T04:00:00-03:00", "2026-11-20T01:30:00-03:00"],
  ["this-week", "2026-11-23T03:59:59-03:00", "2026-11-09T04:00:00-03:00", "2026-11-16T03:59:59-03:00"],
  // The night after 30 November is compared with that after 30 October.
  ["this-month", "2026-12-01T03:00:00-03:00", "2026-10-01T04:00:00-03:00", "2026-10-31T03:00:00-03:00"],
  ["yesterday", "2026-11-21T01:30:00-03:00", "2026-11-18T04:00:00-03:00", "2026-11-19T03:59:59.999999-03:00"],
])("%s at %s is compared with as much of the time before", (period, now, start, end) => {
  const asked = requestedPeriods(
    { ...request, period: { period }, comparison: "previous" },
    { ...clock, now: Date.parse(now), onWarning: () => undefined },
  );
  const { from, to } = asked.previous ?? asked.current;
  expect([from.sent, to.sent]).toEqual([start, end]);
});

test("The morning after which the clocks have changed is compared until the same time, too", () => {
  // Berlin's clocks left an hour out in the night to 26 March 2017.
  const { previous } = requestedPeriods(
    { ...request, period: { from: "2017-04-25" }, comparison: "month" },
    { zone: "Europe/Berlin", dayStarts: "04:00", now: Date.parse("2017-04-26T06:51:00+02:00"), onWarning },
  );
  expect(previous?.to).toEqual({ date: "2017-03-26", sent: "2017-03-26T06:51:00+02:00" });
});

test("A day alone begins with its start, and is compared with as much of the day before", () => {
  const asked = requestedPeriods(
    { ...request, period: { from: "2026-11-20" }, comparison: "previous" },
    { ...clock, now: Date.parse("2026-11-21T01:30:00-03:00"), onWarning: () => undefined },
  );
  expect(asked).toMatchObject({
    current: { from: { sent: "2026-11-20T04:00:00-03:00" }, to: { sent: "2026-11-21T01:30:00-03:00" } },
    previous: { from: { sent: "2026-11-19T04:00:00-03:00" }, to: { sent: "2026-11-20T01:30:00-03:00" } },
  });
});

test("A moment alone is one until now", () => {
  const { current } = requestedPeriods(
    { ...request, period: { from: "2026-11-20T01:00:00-03:00" } },
    { ...clock, now: Date.parse("2026-11-20T02:30:00-03:00"), onWarning: () => undefined },
  );
  expect([current.from.sent, current.to.sent]).toEqual([
    "2026-11-20T01:00:00-03:00",
    "2026-11-20T02:30:00-03:00",
  ]);
});

test("Between two moments a day has no start, and they are compared as they are", () => {
  const [from, to] = ["2026-11-20T01:00:00-03:00", "2026-11-20T02:00:00-03:00"];
  const asked = requestedPeriods(
    { ...request, period: { from, to }, comparison: "previous" },
    { ...clock, now: Date.parse("2026-11-20T02:30:00-03:00"), onWarning: () => undefined },
  );
  expect(asked).toMatchObject({
    current: { from: { sent: from }, to: { sent: to } },
    previous: { from: { sent: "2026-11-19T01:00:00-03:00" }, to: { sent: "2026-11-19T02:00:00-03:00" } },
  });
});

test.each([
  // Santiago's clocks leave out 00:00 to 01:00: the day starts at 01:30.
  ["America/Santiago", "00:30", "2027-09-05T01:00:17-03:00", "2027-09-04T00:30:00-04:00"],
  ["America/Santiago", "00:30", "2027-09-05T01:29:59-03:00", "2027-09-04T00:30:00-04:00"],
  ["America/Santiago", "00:30", "2027-09-05T01:30:00-03:00", "2027-09-05T01:30:00-03:00"],
  // Berlin's leave out 02:00 to 03:00.
  ["Europe/Berlin", "02:30", "2027-03-28T03:10:00+02:00", "2027-03-27T02:30:00+01:00"],
  ["Europe/Berlin", "02:30", "2027-03-28T03:30:00+02:00", "2027-03-28T03:30:00+02:00"],
  // Berlin's go through 02:00 to 03:00 twice: once the day has begun, it isn't yesterday again.
  ["Europe/Berlin", "02:30", "2027-10-31T02:29:59+02:00", "2027-10-30T02:30:00+02:00"],
  ["Europe/Berlin", "02:30", "2027-10-31T02:40:00+02:00", "2027-10-31T02:30:00+02:00"],
  ["Europe/Berlin", "02:30", "2027-10-31T02:10:00+01:00", "2027-10-31T02:30:00+02:00"],
  ["Europe/Berlin", "02:30", "2027-10-31T02:40:00+01:00", "2027-10-31T02:30:00+02:00"],
])("in %s today from %s is, at %s, the day that began at %s", (zone, dayStarts, now, start) => {
  const { current } = requestedPeriods(
    { ...request, period: { period: "today" } },
    { zone, dayStarts, now: Date.parse(now), onWarning: () => undefined },
  );
  expect([current.from.sent, current.to.sent]).toEqual([start, now]);
});

test("The heading says when days start; scheduled dates have no hour and stay what they are", () => {
  const at = { ...clock, now: Date.parse("2026-11-21T12:00:00-03:00"), onWarning: () => undefined };
  const october = { ...request, period: { period: "2026-10" } };
  expect(describePeriod(requestedPeriods(october, at).current)).toBe(
    "2026-10-01 to 2026-10-31 (America/Sao_Paulo, days from 04:00)",
  );
  const scheduled = requestedPeriods({ ...october, dateField: "scheduled_date" }, at).current;
  expect([scheduled.dayStarts, scheduled.from.date]).toEqual([undefined, "2026-10-01"]);
});

test("A day starts at a time until noon; 00:00 is midnight", () => {
  expect(["00:00", "04:00", "12:00"].map(parseDayStart)).toEqual([undefined, "04:00", "12:00"]);
  for (const text of ["4:00", "24:00", "12:01", "04:60", "noon", ""]) {
    expect(() => parseDayStart(text)).toThrow(`A day can't start at "${text}".`);
  }
});
