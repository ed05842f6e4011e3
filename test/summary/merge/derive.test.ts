/** What follows from days equals what the service answers, to the cent, in zones whose clocks change. */
import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { Group } from "../../../src/contract/summary.js";
import { labelsLike } from "../../../src/summary/merge/calendar-labels.js";
import { totalOfDays, weekdaysOfDays } from "../../../src/summary/merge/derive.js";
import { noOrders } from "../../../src/summary/merge/sums.js";
import { resolvePeriod } from "../../../src/summary/period/resolve.js";
import { splitPeriod, splitWindow, type Window } from "../../../src/summary/period/windows.js";
import { groupedQuery, summaryQuery } from "../../../src/summary/plan/queries.js";
import { scenario } from "../support/arbitraries.js";
import { FakeService } from "../support/fake-service.js";
import { fetchGrouped, fetchSummary } from "../support/fetch.js";

const request = { dateField: undefined, filters: [] };

test("The period and the weekdays that follow from days are those that the service answers", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { from, to, now, choices, orders } = given;
      fc.pre(!(from === to && from === "2011-12-30"));
      const period = resolvePeriod({ from, to }, { now, zone: choices.zone });
      const windows = splitPeriod(period, { storeZone: choices.zone });
      const split = (window: Window) => splitWindow(window, choices.zone, undefined);
      const service = new FakeService(orders, choices);
      const grouped = (dimension: "day" | "day_of_week") =>
        fetchGrouped({
          windows,
          dimension,
          split,
          fetch: (window) => service.grouped(groupedQuery(window, dimension, request)),
        });
      const days = await grouped("day");
      const summary = await fetchSummary({
        windows,
        split,
        fetch: (window) => service.summary(summaryQuery(window, request)),
      });
      expect(totalOfDays(days)).toEqual(summary);
      // The service counts weekdays from Monday, 1, to Sunday, 7.
      const answered = (await grouped("day_of_week")).grouped.groups.map(
        ({ key, total_order_count, total_revenue }) => ({
          key: Number(key) % 7,
          total_order_count,
          total_revenue,
        }),
      );
      const derived = weekdaysOfDays(days)?.grouped.groups.map(
        ({ key, total_order_count, total_revenue }) => ({
          key,
          total_order_count,
          total_revenue,
        }),
      );
      expect(derived).toEqual(answered.toSorted((a, b) => a.key - b.key));
    }),
    { numRuns: 100 },
  );
});

test.each([
  ["05/10/2026", "04/10/2026", "Semana 41 de 2026", "10/2026", "Segunda-feira"],
  ["2026-10-05", "2026-10-04", "2026-W41", "2026-10", "Monday"],
  ["05/10", "04/10", "Semana 41 de 2026", "10/2026", "Segunda-feira"],
  ["Mon, 5th", null, "Semana 41 de 2026", "10/2026", "Segunda-feira"],
])("What follows from a day that is called %s is called alike", (label, dayBefore, week, month, weekday) => {
  const monday = Date.parse("2026-10-05T00:00:00Z") / 86_400_000;
  const labelOf = labelsLike([
    {
      group: { key: "2026-10-05", label, ...noOrders },
      identity: "",
      ordinal: monday,
    },
  ]);
  expect([labelOf("day", monday), labelOf("day", monday - 1)]).toEqual([label, dayBefore]);
  expect(labelOf("week", Math.floor((monday + 3) / 7))).toBe(week);
  expect(labelOf("month", 2026 * 12 + 9)).toBe(month);
  expect(labelOf("day_of_week", 1)).toBe(weekday);
});

test("Weekdays have names, and don't follow from days whose keys can't be read", () => {
  const group = (key: Group["key"]) => ({
    key,
    label: null,
    total_order_count: 1,
    total_revenue: 1,
    average_order_value: 1,
  });
  const list = (ordinal: number | undefined) => ({
    grouped: { group_by: "day", groups: [group("2026-10-05")] },
    placed: [{ group: group("2026-10-05"), identity: "", ordinal }],
  });
  // 5 October 2026 is a Monday.
  const ordinal = Date.parse("2026-10-05T00:00:00Z") / 86_400_000;
  expect(weekdaysOfDays(list(ordinal))?.grouped.groups).toMatchObject([{ key: 1, label: "Segunda-feira" }]);
  expect(weekdaysOfDays(list(undefined))).toBeUndefined();
});
