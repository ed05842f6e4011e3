/** Weeks and months of two periods: which are set against each other, and which of them are only parts. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";

import { compareGroups } from "../../../src/sales/compare/groups.js";
import { groupAlerts } from "../../../src/sales/compare/group-alerts.js";
import { parseAlert } from "../../../src/sales/compare/alert-rules.js";
import { calendars, dateOrdinal } from "../../../src/sales/merge/calendar-forms.js";
import { keyIdentity, type PlacedGroup } from "../../../src/sales/merge/group-identity.js";
import { mergeGroups } from "../../../src/sales/merge/groups.js";
import { canBeCut, isPart, unitsOf } from "../../../src/sales/merge/parts.js";
import { comparisons, type Comparison } from "../../../src/sales/period/comparison.js";
import type { Period } from "../../../src/sales/period/period.js";
import type { PeriodRequest } from "../../../src/sales/period/resolve.js";
import { requestedPeriods } from "../../../src/sales/plan/request.js";
import { sized } from "../../support/soak.js";

type Dimension = "day" | "week" | "month";

/** A Saturday, noon in São Paulo. */
const now = Date.parse("2026-11-21T15:00:00Z");

/** One order of one real a day: the figures of a group are its days. */
function figures(period: Period, dimension: Dimension) {
  const groups: PlacedGroup[] = [];
  let day = Temporal.PlainDate.from(period.from.date);
  while (Temporal.PlainDate.compare(day, period.to.date) <= 0) {
    const [{ keys }] = calendars[dimension];
    const ordinal = dateOrdinal(day.toString(), dimension);
    const key = keys[0]?.(ordinal ?? 0) ?? null;
    const group = { key, label: null, total_order_count: 1, total_revenue: 1, average_order_value: 1 };
    groups.push({ group, identity: `${keyIdentity(key)}@${ordinal}`, ordinal });
    day = day.add({ days: 1 });
  }
  const list = mergeGroups(dimension, [groups]);
  return { period, figures: list, age: { askedAt: 0, kept: false }, canceled: null };
}

function compared(request: PeriodRequest, comparison: Comparison, dimension: Dimension, dayStarts?: string) {
  const asked = requestedPeriods(
    { period: request, dateField: undefined, filters: [], comparison, comparisonIsOptional: false },
    { now, zone: "America/Sao_Paulo", dayStarts, onWarning: () => undefined },
  );
  if (!asked.previous) throw new Error("nothing is compared");
  return { current: figures(asked.current, dimension), previous: figures(asked.previous, dimension) };
}

function rows(request: PeriodRequest, comparison: Comparison, dimension: Dimension, dayStarts?: string) {
  const { current, previous } = compared(request, comparison, dimension, dayStarts);
  return compareGroups(current, previous, dimension, { dateField: undefined }).map(
    ({ current: one, previous: other, change }) => [
      one?.key ?? null,
      other?.key ?? null,
      one?.total_order_count ?? 0,
      other?.total_order_count ?? 0,
      change.comparable ?? true,
      change.total_revenue.percent,
    ],
  );
}

test("Whole weeks meet whole weeks, and what an edge cuts meets no percentage", () => {
  // November begins on a Sunday, October on a Thursday.
  expect(rows({ period: "this-month" }, "previous", "week")).toEqual([
    ["2026-W44", "2026-W40", 1, 4, false, null],
    ["2026-W45", "2026-W41", 7, 7, true, 0],
    ["2026-W46", "2026-W42", 7, 7, true, 0],
    ["2026-W47", "2026-W43", 6, 3, false, null],
  ]);
});

test.each<[title: string, PeriodRequest, Comparison, Dimension, unknown[][]]>([
  [
    "the same weekdays a year before are the same parts",
    { from: "2026-10-28", to: "2026-11-03" },
    "year",
    "week",
    [
      ["2026-W44", "2025-W44", 5, 5, true, 0],
      ["2026-W45", "2025-W45", 2, 2, true, 0],
    ],
  ],
  [
    "a month that is running meets the same part of the one before",
    { period: "this-month" },
    "previous",
    "month",
    [["2026-11", "2026-10", 21, 21, true, 0]],
  ],
  [
    "whole months of other lengths are whole",
    { from: "2026-09-01", to: "2026-10-31" },
    "previous",
    "month",
    [
      ["2026-09", "2026-07", 30, 31, true, -3.23],
      ["2026-10", "2026-08", 31, 31, true, 0],
    ],
  ],
  [
    "parts of months are parts",
    { from: "2026-10-13", to: "2026-11-20" },
    "previous",
    "month",
    [
      ["2026-10", "2026-09", 19, 27, false, null],
      ["2026-11", "2026-10", 20, 12, false, null],
    ],
  ],
  [
    "a day that the current period doesn't have has not fallen by 100%",
    { period: "2026-09" },
    "previous",
    "day",
    [[null, "2026-08-31", 0, 1, false, null]],
  ],
])("%s", (_, request, comparison, dimension, expected) => {
  expect(rows(request, comparison, dimension).slice(-expected.length)).toEqual(expected);
});

test("A week that is only a part raises no alarm against a longer one", () => {
  const { current, previous } = compared({ period: "this-month" }, "previous", "week");
  const alerts = groupAlerts(
    { current, previous },
    {
      ...{ dimension: "week", dateField: undefined, weeks: undefined },
      rules: [parseAlert("revenue<-30%")],
    },
  );
  expect(alerts.map(({ holds, unjudged }) => [holds, unjudged])).toEqual([
    [false, "part"],
    [false, undefined],
    [false, undefined],
    [false, "part"],
  ]);
});

test("Every week and month is there once, and a percentage is of as many days of the same part", () => {
  const day = fc
    .integer({ min: 0, max: 150 })
    .map((back) => Temporal.PlainDate.from("2026-11-20").subtract({ days: back }));
  const dimensions = fc.constantFrom<Dimension[]>("week", "month");
  const starts = fc.constantFrom(undefined, "04:00");
  fc.assert(
    fc.property(
      fc.tuple(day, day),
      dimensions,
      fc.constantFrom(...comparisons),
      starts,
      (days, dimension, comparison, dayStarts) => {
        const [from = "", to = ""] = days.map(String).toSorted();
        const { current, previous } = compared({ from, to }, comparison, dimension, dayStarts);
        const found = compareGroups(current, previous, dimension, { dateField: undefined });
        expect(new Set(found.flatMap((one) => one.current ?? [])).size).toBe(current.figures.placed.length);
        expect(new Set(found.flatMap((one) => one.previous ?? [])).size).toBe(previous.figures.placed.length);
        if (!canBeCut(dimension)) throw new Error("weeks and months alone");
        const partOf = (side: typeof current, key: unknown) => {
          const ordinal = side.figures.placed.find(({ group }) => group.key === key)?.ordinal;
          return unitsOf(dimension, side.period, side.figures.placed).find(
            (unit) => unit.ordinal === ordinal,
          );
        };
        const isOnlyOne = current.figures.placed.length === 1 && previous.figures.placed.length === 1;
        for (const { current: one, previous: other, change } of found) {
          if (!one || !other || isOnlyOne) continue;
          const [now_, then] = [partOf(current, one.key), partOf(previous, other.key)];
          expect([now_?.days, then?.days]).toEqual([one.total_order_count, other.total_order_count]);
          if (change.total_revenue.percent === null) continue;
          const areWhole = [now_, then].every((unit) => unit && !isPart(unit));
          if (!areWhole && dimension === "week") expect(now_?.days).toBe(then?.days);
          expect([now_?.offset, now_ && isPart(now_)]).toEqual([then?.offset, then && isPart(then)]);
        }
      },
    ),
    { numRuns: sized({ test: 10, search: 300, soak: 3_000 }) },
  );
});
