import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { Dimension } from "../../../src/contract/enums.js";
import type { Group } from "../../../src/contract/models.js";
import { fillAlike } from "../../../src/sales/merge/fill.js";
import { addMetrics } from "../../../src/sales/merge/sums.js";
import { type PeriodRequest, resolvePeriod } from "../../../src/sales/period/resolve.js";
import { splitPeriod } from "../../../src/sales/period/windows.js";
import { dimension as anyDimension, scenario } from "../support/arbitraries.js";
import { FakeService } from "../support/fake-service.js";
import { fetchGrouped } from "../support/fetch.js";

/** A Friday, 15:17 in UTC. */
const now = Date.parse("2026-11-20T15:17:00Z");

async function filled(
  dimension: Dimension,
  groups: Group[],
  request: PeriodRequest,
  dateField?: "scheduled_date",
) {
  const period = resolvePeriod(request, { now, zone: "UTC" });
  const list = await fetchGrouped({
    windows: splitPeriod(period),
    dimension,
    fetch: () => Promise.resolve({ group_by: dimension, groups }),
  });
  const [{ grouped } = list] = fillAlike([{ figures: list, period }], dimension, { now, dateField });
  return grouped.groups.map(({ key, label, total_order_count }) => [key, label, total_order_count]);
}

function group(key: Group["key"], label: string | null): Group {
  return { key, label, total_order_count: 1, total_revenue: 1, average_order_value: 1 };
}

const week: PeriodRequest = { from: "2026-11-09", to: "2026-11-11" };

describe("groups without orders", () => {
  test.each<[string, Dimension, PeriodRequest, Group[], unknown[]]>([
    [
      "days between, before and after",
      "day",
      week,
      [group("2026-11-10", "10/11/2026")],
      [
        ["2026-11-09", "09/11/2026", 0],
        ["2026-11-10", "10/11/2026", 1],
        ["2026-11-11", "11/11/2026", 0],
      ],
    ],
    [
      "days of a period without any order",
      "day",
      { from: "2026-11-09", to: "2026-11-10" },
      [],
      [
        ["2026-11-09", null, 0],
        ["2026-11-10", null, 0],
      ],
    ],
    [
      "weeks",
      "week",
      { from: "2026-11-02", to: "2026-11-15" },
      [group("2026-W45", "Semana 45 de 2026")],
      [
        ["2026-W45", "Semana 45 de 2026", 1],
        ["2026-W46", "Semana 46 de 2026", 0],
      ],
    ],
    [
      "months as numbers",
      "month",
      { from: "2026-08-01", to: "2026-10-31" },
      [group(9, "set")],
      [
        [8, "ago", 0],
        [9, "set", 1],
        [10, "out", 0],
      ],
    ],
    [
      "hours that the period has had",
      "hour",
      { from: "2026-11-20T13:00:00Z", to: "2026-11-20T15:00:00Z" },
      [group("13", "13h")],
      [
        ["13", "13h", 1],
        ["14", "14h", 0],
        ["15", "15h", 0],
      ],
    ],
    [
      "weekdays that the period has had, named as the service names them",
      "day_of_week",
      week,
      [group(1, "Segunda-feira")],
      [
        [1, "Segunda-feira", 1],
        [2, "Terça-feira", 0],
        [3, "Quarta-feira", 0],
      ],
    ],
  ])("There are %s", async (_, dimension, request, groups, expected) => {
    await expect(filled(dimension, groups, request)).resolves.toEqual(expected);
  });

  test.each<[string, Dimension, Group[]]>([
    ["days whose key isn't known", "day", [group("9 Nov", null)]],
    ["weekdays whose number isn't known", "day_of_week", [group(1, null)]],
    ["channels", "sales_channel", [group("catalog", null)]],
  ])("%s stay as they are", async (_, dimension, groups) => {
    await expect(filled(dimension, groups, week)).resolves.toHaveLength(1);
  });

  test.each<[string, Dimension, Group[]]>([
    ["hours that may be written with a 0 before them", "hour", [group("10", null), group("22", null)]],
    ["hours of a day without any order", "hour", []],
    ["weeks of a period without any order", "week", []],
  ])("%s are left out", async (_, dimension, groups) => {
    await expect(filled(dimension, groups, { period: "yesterday" })).resolves.toHaveLength(groups.length);
  });

  test("Of two periods the one tells how the other's are written", () => {
    const sides = ["2026-11-16", "2026-11-17"].map((date) =>
      resolvePeriod({ period: date }, { now, zone: "UTC" }),
    );
    const lists = [[group("22", "22h")], [group("09", "9h")]].map((groups) => ({
      grouped: { group_by: "hour", groups },
      placed: groups.map((one) => ({ group: one, identity: JSON.stringify(one.key), ordinal: undefined })),
    }));
    const both = sides.flatMap((period, index) => {
      const figures = lists[index];
      return figures ? { figures, period } : [];
    });
    const [first, second] = fillAlike(both, "hour", { now, dateField: undefined }).map(({ grouped }) =>
      grouped.groups.map(({ key }) => key),
    );
    expect(first).toEqual(second);
    expect(first?.slice(8, 11)).toEqual(["08", "09", "10"]);
  });

  test("All hours of a whole day are there, and today's until now", async () => {
    await expect(filled("hour", [group(9, "09:00")], { period: "yesterday" })).resolves.toHaveLength(24);
    await expect(filled("hour", [group(9, "09:00")], { period: "today" })).resolves.toHaveLength(16);
  });

  test("Days to come are none of them, unless sales are counted by scheduled date", async () => {
    const groups = [group("2026-11-02", "02/11/2026")];
    await expect(filled("day", groups, { period: "2026-11" })).resolves.toHaveLength(20);
    await expect(filled("day", groups, { period: "2026-11" }, "scheduled_date")).resolves.toHaveLength(30);
  });

  test("Weekdays that are numbered from Monday stay in that order, with Sunday as 7", async () => {
    const groups = [group(6, "Saturday"), group(7, "Sunday")];
    const keys = await filled("day_of_week", groups, { period: "last-week" });
    expect(keys.map(([key]) => key)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("Whatever is filled in, no group is lost, changed or doubled", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, anyDimension, async (given, dimension) => {
        fc.pre(given.from !== "2011-12-30" || given.to !== "2011-12-30");
        const clock = { now: given.now, zone: given.choices.zone };
        const period = resolvePeriod({ from: given.from, to: given.to }, clock);
        const service = new FakeService(given.orders, { ...given.choices, halfYearIs180Days: false });
        const list = await fetchGrouped({
          windows: splitPeriod(period),
          dimension,
          fetch: ({ start, end }) =>
            service.grouped({ start_date: start, end_date: end, group_by: dimension }),
        });
        const context = { now: given.now, dateField: undefined };
        const [after = list] = fillAlike([{ figures: list, period }], dimension, context);
        const sold = after.placed.filter(({ group: { total_order_count } }) => total_order_count > 0);
        expect(sold).toEqual(list.placed);
        expect(addMetrics(after.grouped.groups)).toEqual(addMetrics(list.grouped.groups));
        expect(new Set(after.placed.map(({ identity }) => identity)).size).toBe(after.placed.length);
      }),
      { numRuns: 50 },
    );
  });
});
