import { describe, expect, it } from "vitest";

import type { Group } from "../../../src/contract/summary.js";
import { parseSort, parseTop, sortGroups, topGroups } from "../../../src/summary/present/ranking.js";

function group(key: Group["key"], label: string | null, orders: number, revenue: number): Group {
  return { key, label, total_order_count: orders, total_revenue: revenue, average_order_value: 0 };
}

const groups = [
  group(10, "Zé", 1, 30.1),
  group(null, null, 3, 10.1),
  group(9, "Água", 2, 20.2),
  group("9", "banana", 2, 30.1),
];

function sorted(text: string): Group["key"][] {
  return sortGroups(groups, parseSort(text), "pt-BR").map(({ key }) => key);
}

describe("--sort", () => {
  it.each<[string, Group["key"][]]>([
    ["revenue", [10, "9", 9, null]],
    ["revenue:asc", [null, 9, 10, "9"]],
    ["orders", [null, 9, "9", 10]],
    ["average", [10, null, 9, "9"]],
    ["label", [9, "9", 10, null]],
    ["label:desc", [10, "9", 9, null]],
    ["key", [9, "9", 10, null]],
    ["key:desc", [10, 9, "9", null]],
  ])("%s", (text, keys) => {
    expect(sorted(text)).toEqual(keys);
  });

  it("leaves what it was given as it was", () => {
    const before = [...groups];
    sortGroups(groups, parseSort("label"));
    expect(groups).toEqual(before);
  });

  it.each([
    ["revenu", 'Did you mean "revenue"?'],
    ["revenue:down", "revenue:down"],
    ["revenue:asc:desc", "revenue:asc:desc"],
    ["", "sorted by"],
  ])("%j is refused", (text, said) => {
    expect(() => parseSort(text)).toThrow(
      expect.objectContaining({ code: "invalid_input", message: expect.stringContaining(said) as string }),
    );
  });
});

describe("--top", () => {
  it("keeps the first and sums up the rest, in cents", () => {
    const { groups: top, rest } = topGroups(groups, 1);
    expect(top).toEqual(groups.slice(0, 1));
    expect(rest).toEqual({
      group_count: 3,
      total_order_count: 7,
      total_revenue: 60.4,
      average_order_value: 8.63,
    });
  });

  it("has no rest where all groups fit", () => {
    expect(topGroups(groups, 4)).toEqual({ groups, rest: null });
    expect(topGroups([], 4)).toEqual({ groups: [], rest: null });
  });

  it.each(["0", "-1", "1.5", "ten", ""])("%j is refused", (text) => {
    expect(() => parseTop(text)).toThrow(expect.objectContaining({ code: "invalid_input" }));
    expect(parseTop("12")).toBe(12);
  });
});
