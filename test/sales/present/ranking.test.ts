import { describe, expect, test } from "vitest";

import type { Group } from "../../../src/contract/models.js";
import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import type { Compared, PeriodFigures } from "../../../src/sales/results.js";
import type { GroupList } from "../../../src/sales/merge/groups.js";
import { parseSort, rankGroups, type Ranking } from "../../../src/sales/present/ranking.js";

function group(key: Group["key"], label: string | null, orders: number, revenue: number): Group {
  return { key, label, total_order_count: orders, total_revenue: revenue, average_order_value: 0 };
}

const groups = [
  group(10, "Zé", 1, 30.1),
  group(null, null, 3, 10.1),
  group(9, "Água", 2, 20.2),
  group("9", "banana", 2, 30.1),
];

const display = { locale: "pt-BR", currency: undefined };

function sorted(text: string): Group["key"][] {
  return ranked({ sort: parseSort(text) }).groups.map(({ key }) => key);
}

describe("--sort", () => {
  test.each<[string, Group["key"][]]>([
    ["revenue", [10, "9", 9, null]],
    ["revenue:asc", [null, 9, 10, "9"]],
    ["orders", [null, 9, "9", 10]],
    ["average", [10, null, 9, "9"]],
    ["label", [9, "9", 10, null]],
    ["label:desc", [10, "9", 9, null]],
    ["key", [9, "9", 10, null]],
    ["key:desc", [10, 9, "9", null]],
  ])("--sort %s orders the groups as %j", (text, keys) => {
    expect(sorted(text)).toEqual(keys);
  });

  test("Sorting leaves the list that it was given as it was", () => {
    const before = [...groups];
    ranked({ sort: parseSort("label") });
    expect(groups).toEqual(before);
  });

  test.each([
    ["revenu", 'Did you mean "revenue"?'],
    ["revenue:down", "revenue:down"],
    ["revenue:asc:desc", "revenue:asc:desc"],
    ["", "sorted by"],
  ])("--sort %j is refused", (text, said) => {
    expect(() => parseSort(text)).toThrow(
      expect.objectContaining({ code: "invalid_input", message: expect.stringContaining(said) as string }),
    );
  });
});

const zone = { now: Date.parse("2026-11-20T12:00:00Z"), zone: "UTC" };
const [october, september] = [
  resolvePeriod({ period: "2026-10" }, zone),
  resolvePeriod({ period: "2026-09" }, zone),
];

function listOf(all: readonly Group[]): GroupList {
  return {
    grouped: { group_by: "driver_id", groups: [...all] },
    placed: all.map((one) => ({ group: one, identity: JSON.stringify(one.key), ordinal: undefined })),
  };
}

const age = { askedAt: 0, kept: false };
const plain: Compared<PeriodFigures<GroupList>> = {
  current: { period: october, figures: listOf(groups), age, canceled: null },
};

function ranked(ranking: Partial<Ranking>, figures = plain) {
  return rankGroups(figures, {
    dimension: "driver_id",
    dateField: undefined,
    ranking: { rest: false, ...ranking },
    display,
  });
}

function shown(count: number) {
  return groups.slice(0, count).map((current) => ({ current }));
}

describe("--top and --rest", () => {
  test("--top keeps the first groups and --rest sums up the others, in cents", () => {
    expect(ranked({ top: 1, rest: true })).toMatchObject({
      groupBy: "driver_id",
      current: { period: october, age, canceled: null },
      groups: shown(1),
      rest: {
        current: { group_count: 3, total_order_count: 7, total_revenue: 60.4, average_order_value: 8.63 },
      },
      whole: { current: { group_count: 4 } },
    });
    expect(ranked({ top: 1 }).groups).toHaveLength(1);
  });

  test("There is no rest where all groups are shown, or nobody asked for it", () => {
    expect(ranked({ top: 4, rest: true })).toMatchObject({ groups: shown(4), rest: null });
    expect(ranked({ top: 1 })).toMatchObject({ groups: shown(1), rest: null });
  });

  test("A comparison is ranked by its current period, and what is left out is compared", () => {
    const previous = {
      period: september,
      canceled: null,
      figures: listOf([group(7, "Ana", 9, 900), group(9, "Água", 1, 10)]),
      age,
    };
    const figures = ranked(
      { sort: parseSort("revenue"), top: 3, rest: true },
      { current: plain.current, previous },
    );
    expect(figures).toMatchObject({
      groups: [{ change: { key: 10 } }, { change: { key: "9" } }, { change: { key: 9 } }],
      rest: {
        current: { group_count: 1, total_revenue: 10.1 },
        previous: { group_count: 1, total_revenue: 900 },
        change: { total_revenue: { absolute: -889.9 } },
      },
    });
  });
});
