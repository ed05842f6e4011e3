/** What follows from days equals what the service answers, to the letter; where its answers don't tell how, nothing follows. */
import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { Group, GroupedSummary } from "../../../src/contract/models.js";
import type { CalendarDimension } from "../../../src/sales/merge/calendar-forms.js";
import { exactNames, groupsOfDays, namesLike } from "../../../src/sales/merge/derive.js";
import { addMetrics } from "../../../src/sales/merge/sums.js";
import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import { splitPeriod, splitWindow, type Window } from "../../../src/sales/period/windows.js";
import { groupedBy } from "../../../src/contract/summary.js";
import { summaryQuery } from "../../../src/sales/plan/queries.js";
import { scenario } from "../support/arbitraries.js";
import { FakeService } from "../support/fake-service.js";
import { fetchGrouped, fetchSummary } from "../support/fetch.js";
import { sized } from "../../support/soak.js";

/** With a field that the specification doesn't name. */
function noted<Answer extends object>(answer: Answer): Answer {
  return Object.assign({ note: 1 }, answer);
}

const request = { dateField: undefined, filters: [] };

test("The period and the weekdays that follow from days are those that the service answers", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { from, to, now, choices, orders } = given;
      fc.pre(!(from === to && from === "2011-12-30"));
      const period = resolvePeriod({ from, to }, { now, zone: choices.zone });
      const windows = splitPeriod(period);
      const split = (window: Window) => splitWindow(window, choices.zone, undefined);
      const service = new FakeService(orders, choices);
      const grouped = (dimension: "day" | "day_of_week") =>
        fetchGrouped({
          windows,
          dimension,
          split,
          fetch: (window) => service.grouped(groupedBy(summaryQuery(window, request), dimension)),
        });
      const days = await grouped("day");
      const summary = await fetchSummary({
        windows,
        split,
        fetch: (window) => service.summary(summaryQuery(window, request)),
      });
      expect(addMetrics(days.grouped.groups)).toEqual(summary);
      const { grouped: answer } = await grouped("day_of_week");
      const names = exactNames([{ days: days.grouped.groups, answer }], "day_of_week");
      const derived = groupsOfDays(days.grouped.groups, "day_of_week", names);
      expect(derived?.grouped).toEqual(answer.groups.length === 0 ? undefined : answer);
    }),
    { numRuns: sized({ test: 40, search: 100, soak: 1_000 }) },
  );
});

/** Orders of a day, each of 10. */
function group(key: Group["key"], orders: number, label: string | null = null): Group {
  return { key, label, total_order_count: orders, total_revenue: orders * 10, average_order_value: 10 };
}

function answer(group_by: CalendarDimension, ...groups: Group[]): GroupedSummary {
  return { group_by, groups };
}

// A Saturday, a Sunday, a Monday and a Tuesday.
const days = [group("2026-10-03", 1), group("2026-10-04", 2), group("2026-10-05", 4), group("2026-10-06", 8)];
const sameDays = days.map(({ key }) => group(key, 1));

test.each<[string, CalendarDimension, GroupedSummary, readonly Group[], readonly Group[]]>([
  [
    "weekdays that were seen",
    "day_of_week",
    answer("day_of_week", group("dom", 2, "D"), group("x", 4, "S"), group(true, 8), group("sab", 1, "S")),
    [group("2026-10-11", 3), group("2026-10-13", 5)],
    [group("dom", 3, "D"), group(true, 5)],
  ],
  [
    "one that wasn't seen, where only one form fits",
    "day_of_week",
    answer("day_of_week", group(1, 4, "seg."), group(2, 8, "ter."), group(6, 1, "sáb."), group(7, 2, "dom.")),
    [group("2026-10-07", 3)],
    [group(3, 3, "qua.")],
  ],
  [
    "weeks",
    "week",
    answer("week", group("2026-W40", 3, "Semana 40 de 2026"), group("2026-W41", 12, "Semana 41 de 2026")),
    [group("2026-12-30", 5)],
    [group("2026-W53", 5, "Semana 53 de 2026")],
  ],
  [
    "weeks that begin on Sunday, by their date",
    "week",
    answer("week", group("2026-09-27", 1), group("2026-10-04", 14)),
    [group("2026-10-10", 1), group("2026-10-11", 1)],
    [group("2026-10-04", 1), group("2026-10-11", 1)],
  ],
  [
    "months in words",
    "month",
    answer("month", group(10, 15, "outubro de 2026")),
    [group("2027-01-31", 5)],
    [group(1, 5, "janeiro de 2027")],
  ],
])("What follows is written as the service wrote it: %s", (_, dimension, seen, asked, expected) => {
  const names = exactNames([{ days, answer: seen }], dimension);
  expect(groupsOfDays(asked, dimension, names)?.grouped).toEqual({ group_by: dimension, groups: expected });
});

const week = (one: string, other: string) => answer("week", group(one, 3), group(other, 12));

test.each<[string, CalendarDimension, readonly Group[], GroupedSummary, string]>([
  ["nothing was answered", "week", days, answer("week"), "2026-10-05"],
  ["another week has words of its own", "week", days, week("quarenta", "quarenta e um"), "2026-10-12"],
  [
    "another label has words of its own",
    "month",
    days,
    answer("month", group("2026-10", 15, "out!")),
    "2026-11-01",
  ],
  [
    "weekdays sell the same, and are numbered without a name",
    "day_of_week",
    sameDays,
    answer("day_of_week", group(0, 1), group(1, 1), group(5, 1), group(6, 1)),
    "2026-10-11",
  ],
  [
    "a name is another weekday's",
    "day_of_week",
    sameDays,
    answer("day_of_week", group(0, 1, "sábado"), group(1, 1), group(5, 1), group(6, 1)),
    "2026-10-11",
  ],
  [
    "a month's number may be a text with a 0 before it",
    "month",
    days,
    answer("month", group("10", 15)),
    "2026-09-01",
  ],
  [
    "its weeks are others than these",
    "week",
    days,
    answer("week", group("2026-W40", 1), group("2026-W41", 14)),
    "2026-10-12",
  ],
  ["it has fields of its own", "month", days, noted(answer("month", group("2026-10", 15))), "2026-10-01"],
  ["its groups have", "month", days, answer("month", noted(group("2026-10", 15))), "2026-10-01"],
  [
    "its average is another",
    "month",
    days,
    answer("month", { ...group("2026-10", 15), average_order_value: 9.99 }),
    "2026-10-01",
  ],
  [
    "its order is another",
    "day_of_week",
    days,
    answer("day_of_week", group(2, 8), group(1, 4), group(0, 2), group(6, 1)),
    "2026-10-11",
  ],
])("Nothing follows where %s", (_, dimension, known, seen, day) => {
  const names = exactNames([{ days: known, answer: seen }], dimension);
  expect(groupsOfDays([group(day, 3)], dimension, names)).toBeUndefined();
});

test("Answers that contradict each other tell nothing", () => {
  const evidence = ["outubro", "Outubro"].map((label) => ({
    days,
    answer: answer("month", group("2026-10", 15, label)),
  }));
  expect(exactNames(evidence, "month")).toEqual([]);
});

test("What the service can't be asked about is written as ISO 8601 does where its answers don't tell", () => {
  const isoKeys = (dimension: CalendarDimension) =>
    groupsOfDays([group("2026-10-04", 1), group("2026-10-05", 1)], dimension, [
      namesLike([], dimension),
    ])?.grouped.groups.map(({ key, label }) => [key, label]);
  expect(isoKeys("week")).toEqual([
    ["2026-W40", null],
    ["2026-W41", null],
  ]);
  expect(isoKeys("day_of_week")).toEqual([
    [0, null],
    [1, null],
  ]);
  expect(isoKeys("month")).toEqual([["2026-10", null]]);
});
