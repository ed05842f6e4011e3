/** Every comparison of every kind of period, over or running, set against a count of the days that it stands for. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";

import { comparisons } from "../../../src/sales/period/comparison.js";
import type { PeriodRequest } from "../../../src/sales/period/resolve.js";
import {
  asking,
  callsOver,
  counted,
  startOfDay,
  storeCases,
  told,
  tries,
  type StoreCase,
} from "../support/oracle.js";

const size = tries({ test: 20, search: 50, soak: 10_000 });
const runs = size.numRuns;
const { signal } = new AbortController();

type PlainDate = Temporal.PlainDate;

/** First and last day; of a running period the last one goes on until now. */
interface Days {
  readonly first: PlainDate;
  readonly last: PlainDate;
}

interface Kind {
  readonly name: string;
  readonly running: boolean;
  /** How many whole months it is; absent where it is none. */
  readonly months?: number;
  /** A whole week is set beside the week before, however little of it is over. */
  readonly isWeek?: boolean;
  request(today: PlainDate): PeriodRequest;
  days(today: PlainDate): Days;
}

const firstOfMonth = (day: PlainDate) => day.with({ day: 1 });
const firstOfYear = (day: PlainDate) => day.with({ month: 1, day: 1 });
const monday = (day: PlainDate) => day.subtract({ days: day.dayOfWeek - 1 });
const named = (period: string) => () => ({ period });

const kinds: readonly Kind[] = [
  { name: "today", running: true, request: named("today"), days: (day) => ({ first: day, last: day }) },
  {
    name: "this week",
    running: true,
    isWeek: true,
    request: named("this-week"),
    days: (day) => ({ first: monday(day), last: day }),
  },
  {
    name: "this month",
    running: true,
    months: 1,
    request: named("this-month"),
    days: (day) => ({ first: firstOfMonth(day), last: day }),
  },
  {
    name: "this year",
    running: true,
    months: 12,
    request: named("this-year"),
    days: (day) => ({ first: firstOfYear(day), last: day }),
  },
  {
    name: "last week",
    running: false,
    isWeek: true,
    request: named("last-week"),
    days: (day) => ({ first: monday(day).subtract({ days: 7 }), last: monday(day).subtract({ days: 1 }) }),
  },
  {
    name: "last month",
    running: false,
    months: 1,
    request: named("last-month"),
    days: (day) => ({
      first: firstOfMonth(day).subtract({ months: 1 }),
      last: firstOfMonth(day).subtract({ days: 1 }),
    }),
  },
  {
    name: "a day",
    running: false,
    request: (day) => ({ period: day.subtract({ days: 9 }).toString() }),
    days: (day) => ({ first: day.subtract({ days: 9 }), last: day.subtract({ days: 9 }) }),
  },
  {
    name: "11 days",
    running: false,
    request: (day) => ({
      from: day.subtract({ days: 13 }).toString(),
      to: day.subtract({ days: 3 }).toString(),
    }),
    days: (day) => ({ first: day.subtract({ days: 13 }), last: day.subtract({ days: 3 }) }),
  },
];

/** The days that a comparison stands for, as the help tells them. */
function comparedDays({ first, last }: Days, kind: Kind, comparison: (typeof comparisons)[number]): Days {
  const earlier = (by: Temporal.DurationLike): Days => ({
    first: first.subtract(by),
    last: last.subtract(by),
  });
  const monthsEarlier = (back: number, length: number): Days => {
    const start = first.subtract({ months: back });
    if (!kind.running) return { first: start, last: start.add({ months: length }).subtract({ days: 1 }) };
    return { first: start, last: last.subtract({ months: back }) };
  };
  switch (comparison) {
    case "previous":
      if (kind.months !== undefined) return monthsEarlier(kind.months, kind.months);
      return earlier({ days: kind.isWeek === true ? 7 : first.until(last).days + 1 });
    case "week":
      return earlier({ days: 7 });
    case "month":
      return kind.months === 1 ? monthsEarlier(1, 1) : earlier({ months: 1 });
    case "year":
      return kind.months === undefined ? earlier({ days: 364 }) : monthsEarlier(12, kind.months);
    case "date":
      return earlier({ years: 1 });
  }
}

/** From the start of the first day to the end of the last, or to the same time of it. */
function countOf(
  { orders, zone, dayStarts }: StoreCase,
  { first, last }: Days,
  until: Temporal.PlainTime | undefined,
) {
  const start = startOfDay(first, { zone, dayStarts });
  // At half past two at night the day is still the one before, whose date is earlier.
  const isNight =
    until !== undefined && Temporal.PlainTime.compare(until, Temporal.PlainTime.from(dayStarts)) < 0;
  const end =
    until === undefined
      ? startOfDay(last.add({ days: 1 }), { zone, dayStarts }) - 1
      : (isNight ? last.add({ days: 1 }) : last).toZonedDateTime({ timeZone: zone, plainTime: until })
          .epochMilliseconds;
  return counted(orders.filter(({ createdAt }) => start <= createdAt && createdAt <= end));
}

const cases = storeCases({ dayStarts: ["00:00", "04:00"], days: 90, before: 430, orders: 80 });
/** Away from midnight and noon, so that no clock changes there; one at night. */
const times = fc.constantFrom("02:30", "09:15", "17:45", "23:10");

test(`${runs} periods and what they are compared with count the orders of their days`, async () => {
  await fc.assert(
    fc.asyncProperty(
      cases,
      times,
      fc.constantFrom(...kinds),
      fc.constantFrom(...comparisons),
      async (given, time, kind, comparison) => {
        const { zone, dayStarts } = given;
        const until = Temporal.PlainTime.from(time);
        const clock = Temporal.PlainDate.from(given.to).toZonedDateTime({ timeZone: zone, plainTime: until });
        // Of a running period neither edge may be a time that one of the two days doesn't have.
        fc.pre(clock.toPlainTime().equals(until));
        const isNight = Temporal.PlainTime.compare(until, Temporal.PlainTime.from(dayStarts)) < 0;
        const today = clock.toPlainDate().subtract({ days: isNight ? 1 : 0 });
        const own = kind.days(today);
        const other = comparedDays(own, kind, comparison);
        fc.pre(!touchesTheLostDay(zone, own) && !touchesTheLostDay(zone, other));
        // A month that has no such day is compared as a whole: a table shows that.
        fc.pre(!kind.running || own.last.day <= 28);

        const now = clock.epochMilliseconds;
        const asked = asking(given, { now, period: kind.request(today), comparison });
        if (!asked.previous) throw new Error("nothing is compared");
        const { calls } = callsOver(given, now);
        const figures = async (period: typeof asked.current) =>
          told((await calls.summary({ period }, signal)).figures);
        const end = kind.running ? until : undefined;
        expect(await figures(asked.current)).toEqual(countOf(given, own, end));
        expect(await figures(asked.previous)).toEqual(countOf(given, other, end));
      },
    ),
    size,
  );
});

/** Samoa had no 30 December 2011: what begins or ends there is not told apart here. */
function touchesTheLostDay(zone: string, { first, last }: Days): boolean {
  const near = ["2011-12-29", "2011-12-30", "2011-12-31"];
  return zone === "Pacific/Apia" && [first, last].some((day) => near.includes(day.toString()));
}
