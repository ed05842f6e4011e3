/** Compares the figures of random queries with a count of the orders, to the cent. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";

import { dimensions } from "../../src/api/values.js";
import { dimensionRule } from "../../src/api/input.js";
import { fetchFigures, fetchCompared, planOf } from "../../src/sales/fetch.js";
import { compare } from "../../src/sales/figures.js";
import { comparisonPeriod, resolvePeriod } from "../../src/sales/period.js";
import { sized, soak } from "../support/soak.js";
import {
  afterwards,
  answersInMemory,
  fetchOptionsFor,
  books,
  counted,
  habits,
  plainHabits,
  serviceOver,
  soldIn,
} from "./support/books.js";

const runs = (of: { readonly test: number; readonly search: number; readonly soak: number }) => ({
  numRuns: sized(of),
  ...(!soak && { seed: 20_111_230 }),
});

const queries = fc.record({
  by: fc.constantFrom(undefined, ...dimensions),
  dateField: fc.constantFrom(undefined, "created_at", "scheduled_date"),
  filterTexts: fc.constantFrom(
    [],
    [],
    ["status!=canceled"],
    ["total>=10", "status=closed,delivered"],
    ["customer_origin!=null"],
    ["customer_origin=null", "total<=10"],
    ["total!=10"],
    ["total=10"],
    ["customer_origin=a, b"],
    ["created_at_time<15:00"],
    ["driver_id=7", "delivery_fee>0"],
    ["payment_method_id!=1", "sales_channel=catalog,totem", "order_type!=onsite", "order_timing=immediate"],
  ),
  habits,
});

test("any query's figures equal a count of the orders", async () => {
  await fc.assert(
    fc.asyncProperty(books, queries, async (book, { by, dateField, filterTexts, habits: service }) => {
      fc.pre(by === undefined || dimensionRule.holds({ group_by: by, date_field: dateField }));
      const { from, to, zone } = book;
      const now = afterwards(book);
      const dayStarts = book.dayStarts === "00:00" ? undefined : book.dayStarts;
      const period = resolvePeriod({ from, to }, { now, zone, dayStarts, dateField });
      // The command rejects these, and a request for each day takes long.
      fc.pre(period.dayStarts === undefined || !(by === "week" || by === "month" || by === "day_of_week"));
      fc.pre(period.dayStarts === undefined || by !== "day" || from >= isoDay(to, -60));
      const { client, sent } = serviceOver(book, now, service);
      const answers = answersInMemory();
      const fetchOptions = fetchOptionsFor(client, now, { dateField, filterTexts, answers });
      const { rows } = await fetchFigures(fetchOptions, await planOf(fetchOptions, period, by));
      const expected = counted(book, { by, dateField, filterTexts, write: service.write });
      expect(soldIn(rows)).toEqual(by === undefined && expected.length === 0 ? [] : expected);
      // The same query again returns the cached answer.
      const calls = sent.length;
      const later = { ...fetchOptions, clock: { now: () => now + 1000 } };
      const again = await fetchFigures(later, await planOf(later, period, by));
      expect(again).toMatchObject({ rows, cached: true });
      // A window that is rejected as too long is sent again.
      if (!service.halfYearIs180Days) expect(sent.length).toBe(calls);
    }),
    runs({ test: 60, search: 1_200, soak: 20_000 }),
  );
});

test("a comparison equals the other period requested alone, and has all days in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      books,
      fc.constantFrom(undefined, ...dimensions),
      fc.constantFrom("week", "year", "previous"),
      async (book, by, comparison) => {
        const { from, to, zone } = book;
        const now = afterwards(book);
        const { client } = serviceOver(book, now);
        const fetchOptions = fetchOptionsFor(client, now);
        const current = resolvePeriod({ from, to }, { now, zone });
        const previous = comparisonPeriod(current, comparison);
        fc.pre("days" in current.unit);
        // A week or month in progress is compared with the same days of the last one.
        fc.pre(comparison !== "previous" || current.beginningOf === undefined);
        const days = Temporal.PlainDate.from(from).until(to, { largestUnit: "day" }).days + 1;
        const back = { week: 7, year: 364, previous: days }[comparison];
        expect(previous).toMatchObject({ first: isoDay(from, -back), last: isoDay(to, -back) });
        fc.pre(previous.last !== "2011-12-30" && previous.first !== "2011-12-30" && days < 500);
        const both = await fetchCompared(fetchOptions, await planOf(fetchOptions, current, by), comparison);
        const then = { ...book, dayStarts: "00:00", from: previous.first, to: previous.last };
        const selection = { by, dateField: undefined, filterTexts: [], write: plainHabits.write };
        expect(soldIn(both.previous?.rows ?? [])).toEqual(counted(then, selection));
        const pairs = compare(both.current, both.previous, by);
        const sides = pairs.flatMap(({ previous: row }) => row ?? []);
        expect(soldIn(sides)).toEqual(soldIn(both.previous?.rows ?? []));
        if (by !== "day" || both.current.rows.length + sides.length === 0) return;
        const keys = both.current.rows.map(({ key }) => key);
        expect(keys).toEqual(keys.toSorted());
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.length).toBeGreaterThanOrEqual(days);
      },
    ),
    runs({ test: 40, search: 400, soak: 4_000 }),
  );
});

function isoDay(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}
