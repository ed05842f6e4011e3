import * as fc from "fast-check";
import { expect, test } from "vitest";

import { calendarPart } from "../../../src/sales/compare/calendar.js";

const dayMs = 86_400_000;
const daysOf = (from: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(from) + index * dayMs).toISOString().slice(0, 10),
  );
const period = (from: string, count: number) => ({
  kind: "days" as const,
  from: { date: from, sent: from },
  to: { date: daysOf(from, count).at(-1) ?? from, sent: "" },
});
/** @param ofWeekday orders and cents of a day, from Sunday on */
const groups = (from: string, count: number, ofWeekday: (weekday: number) => readonly [number, number]) =>
  daysOf(from, count).map((key) => {
    const [orders, cents] = ofWeekday(new Date(key).getUTCDay());
    return {
      key,
      label: null,
      total_order_count: orders,
      total_revenue: cents / 100,
      average_order_value: 0,
    };
  });

test("a month with a fifth Saturday in place of a fifth Tuesday sells more by what a Saturday has more", () => {
  // September 2026 has five Tuesdays and Wednesdays, October five Thursdays, Fridays and Saturdays.
  const ofSeptember = groups("2026-09-01", 30, (weekday) => (weekday === 6 ? [10, 50_000] : [2, 10_000]));
  expect(calendarPart(period("2026-10-01", 31), period("2026-09-01", 30), ofSeptember)).toEqual({
    // A Thursday, a Friday and a Saturday more, a Tuesday and a Wednesday less.
    total_order_count: 2 + 2 + 10 - 2 - 2,
    total_revenue: 100 + 100 + 500 - 100 - 100,
    weekdays: [2, 3]
      .map((weekday) => ({ weekday, current: 4, previous: 5 }))
      .concat([4, 5, 6].map((weekday) => ({ weekday, current: 5, previous: 4 }))),
  });
});

test("where each weekday always sells the same, all of a change is the calendar's", () => {
  const week = fc.array(fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99_999 })), {
    minLength: 7,
    maxLength: 7,
  });
  const length = fc.integer({ min: 7, max: 190 });
  const start = fc.integer({ min: 0, max: 800 }).map((day) => daysOf("2024-02-01", day + 1).at(-1) ?? "");
  fc.assert(
    fc.property(week, length, length, start, start, (sales, now, then, from, before) => {
      const ofWeekday = (weekday: number) => sales[weekday] ?? ([0, 0] as const);
      const [current, previous] = [groups(from, now, ofWeekday), groups(before, then, ofWeekday)];
      const sum = (list: typeof current, of: (group: (typeof current)[number]) => number) =>
        list.reduce((total, group) => total + of(group), 0);
      const changeOf = (of: (group: (typeof current)[number]) => number) =>
        sum(current, of) - sum(previous, of);
      const part = calendarPart(period(from, now), period(before, then), previous);
      expect(part?.total_order_count).toBe(changeOf((group) => group.total_order_count));
      const cents = changeOf((group) => Math.round(group.total_revenue * 100));
      expect(Math.round((part?.total_revenue ?? NaN) * 100)).toBe(cents);
    }),
  );
});

test("it isn't told of days that can't be read, of a period that isn't over, or of a weekday that there was not", () => {
  const week = groups("2026-10-05", 7, () => [1, 100]);
  const [october, september] = [period("2026-10-05", 7), period("2026-09-28", 6)];
  expect(calendarPart(october, september, week)).toBeUndefined();
  expect(calendarPart({ ...october, kind: "running" }, october, week)).toBeUndefined();
  expect(calendarPart(period("2026-10-01", 8), october, [{ ...week[0], key: 5 } as never])).toBeUndefined();
});
