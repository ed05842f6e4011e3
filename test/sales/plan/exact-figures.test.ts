/** What is fetched in windows and merged equals one count over all orders, to the cent. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";

import type { Dimension } from "../../../src/contract/enums.js";
import type { Group } from "../../../src/contract/models.js";
import { fetchGrouped, fetchSummary } from "../support/fetch.js";
import { parseFilters } from "../../../src/sales/plan/filters.js";
import { comparisonPeriod, comparisons } from "../../../src/sales/period/comparison.js";
import type { Period } from "../../../src/sales/period/period.js";
import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import { groupedBy } from "../../../src/contract/summary.js";
import { summaryQuery } from "../../../src/sales/plan/queries.js";
import { splitPeriod, splitWindow, type Window } from "../../../src/sales/period/windows.js";
import { dimension, scenario, type Scenario } from "../support/arbitraries.js";
import { type FakeOrder, FakeService, metrics, passes } from "../support/fake-service.js";
import { tries } from "../support/oracle.js";

const filterLists = fc.constantFrom(
  [],
  ["status!=canceled"],
  ["total>=250.50", "status=closed"],
  ["customer_origin!=null"],
);

interface Asked {
  readonly period: Period;
  readonly windows: readonly Window[];
  /** For a service that refuses half a year. */
  readonly split: (window: Window) => readonly Window[];
  readonly service: FakeService;
}

function setUp(given: Scenario): Asked {
  const { from, to, now, choices } = given;
  // The one day that Apia left out is refused as a period of its own.
  fc.pre(!(from === to && from === "2011-12-30"));
  const period = resolvePeriod({ from, to }, { now, zone: choices.zone });
  const windows = splitPeriod(period);
  const split = (window: Window) => splitWindow(window, choices.zone, undefined);
  return { period, windows, split, service: new FakeService(given.orders, choices) };
}

function createdWithin({ from, to, orders }: Scenario, service: FakeService): FakeOrder[] {
  return orders.filter((order) => service.createdOn(order) >= from && service.createdOn(order) <= to);
}

/** Categorical groups have no order of their own; everything in time has. */
function comparable(groups: readonly Group[], by: Dimension): readonly Group[] {
  const temporal = ["hour", "day", "day_of_week", "week", "month"].includes(by);
  return temporal
    ? groups
    : groups.toSorted((a, b) => (JSON.stringify(a.key) < JSON.stringify(b.key) ? -1 : 1));
}

/** By how much the period that is compared with the scenario's lies later. */
const distances: Readonly<Record<(typeof comparisons)[number], (days: number) => Temporal.DurationLike>> = {
  previous: (days) => ({ days }),
  week: () => ({ days: 7 }),
  month: () => ({ months: 1 }),
  year: () => ({ days: 364 }),
  date: () => ({ years: 1 }),
};

const runs = tries({ test: 12, search: 200, soak: 5_000 });

describe("merged figures", () => {
  test("What a period is compared with equals one count of that other period's orders", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.constantFrom(...comparisons), async (given, comparison) => {
        const { zone } = given.choices;
        const [from, to] = [Temporal.PlainDate.from(given.from), Temporal.PlainDate.from(given.to)];
        const distance = distances[comparison](from.until(to, { largestUnit: "day" }).days + 1);
        const [first, last] = [from.add(distance), to.add(distance)];
        // Whole months are compared by months, and 29 February has no match: tables show these.
        fc.pre(first.day !== 1 || last.add({ days: 1 }).day !== 1);
        fc.pre(first.subtract(distance).equals(from) && last.subtract(distance).equals(to));
        const ends = [from, to, first, last].map((day) => day.toString());
        // A day that Apia never had.
        fc.pre(zone !== "Pacific/Apia" || !ends.includes("2011-12-30"));
        const now = last.add({ days: 2 }).toZonedDateTime(zone).epochMilliseconds;
        const current = resolvePeriod({ from: first.toString(), to: last.toString() }, { now, zone });
        const windows = splitPeriod(comparisonPeriod(current, comparison, { now }));
        const service = new FakeService(given.orders, { ...given.choices, halfYearIs180Days: false });
        const summary = await fetchSummary({
          windows,
          fetch: (window) => service.summary(summaryQuery(window, { dateField: undefined, filters: [] })),
        });
        expect(summary).toEqual(metrics(createdWithin(given, service)));
      }),
      runs,
    );
  });

  test("Merged summaries equal one count of the period's orders", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, filterLists, async (given, texts) => {
        const { windows, split, service } = setUp(given);
        const filters = parseFilters(texts);
        const summary = await fetchSummary({
          windows,
          split,
          fetch: (window) => service.summary(summaryQuery(window, { dateField: undefined, filters })),
        });
        const counted = createdWithin(given, service).filter((order) => passes(order, filters));
        expect(summary).toEqual(metrics(counted));
      }),
      runs,
    );
  });

  test("Merged groups equal one count for each group, in time's order", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, dimension, filterLists, async (given, by, texts) => {
        const { windows, split, service } = setUp(given);
        const filters = parseFilters(texts);
        const { grouped, placed } = await fetchGrouped({
          windows,
          dimension: by,
          split,
          fetch: (window) =>
            service.grouped(groupedBy(summaryQuery(window, { dateField: undefined, filters }), by)),
        });
        const counted = createdWithin(given, service).filter((order) => passes(order, filters));
        expect(grouped.group_by).toBe(by);
        expect(comparable(grouped.groups, by)).toEqual(comparable(service.group(counted, by), by));
        expect(placed.map(({ group }) => group)).toEqual(grouped.groups);
      }),
      runs,
    );
  });

  test("Merged groups by scheduled date equal one count", async () => {
    const daily = dimension.filter((one) => one !== "hour");
    await fc.assert(
      fc.asyncProperty(scenario, daily, async (given, by) => {
        const { period, service } = setUp(given);
        const windows = splitPeriod(period, "scheduled_date");
        const { grouped } = await fetchGrouped({
          windows,
          dimension: by,
          split: (window) => splitWindow(window, given.choices.zone, "scheduled_date"),
          fetch: (window) =>
            service.grouped(
              groupedBy(summaryQuery(window, { dateField: "scheduled_date", filters: [] }), by),
            ),
        });
        const counted = given.orders.filter(
          ({ scheduledFor }) => scheduledFor >= given.from && scheduledFor <= given.to,
        );
        const expected = service.group(counted, by, "scheduled_date");
        expect(comparable(grouped.groups, by)).toEqual(comparable(expected, by));
      }),
      runs,
    );
  });
});
