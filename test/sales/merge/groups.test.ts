import { expect, test } from "vitest";

import { keyIdentity, type PlacedGroup } from "../../../src/sales/merge/group-identity.js";
import { mergeGroups } from "../../../src/sales/merge/groups.js";

const placed = (key: string | number | null): PlacedGroup => ({
  group: { key, label: null, total_order_count: 1, total_revenue: 1, average_order_value: 1 },
  identity: keyIdentity(key),
  ordinal: undefined,
});
type Keys = readonly (string | number | null)[];

test.each<[title: string, lists: readonly Keys[], merged: Keys]>([
  [
    "numbers, where every list ascends",
    [
      [8, 10],
      [9, 12],
    ],
    [8, 9, 10, 12],
  ],
  ["numbers as text", [["08:00", "10:00"], ["09:00"]], ["08:00", "09:00", "10:00"]],
  [
    "the lists, where one doesn't ascend",
    [
      [12, 9],
      [8, 10],
    ],
    [12, 9, 8, 10],
  ],
  [
    "the lists, where a key is no number",
    [
      [8, null],
      [9, null],
    ],
    [8, 9, null],
  ],
  [
    "the lists, a new group before the next that is known",
    [
      ["a", "c"],
      ["b", "c"],
    ],
    ["a", "b", "c"],
  ],
])("Groups of several answers stand in the order of %s", (_, lists, merged) => {
  const { grouped } = mergeGroups(
    "hour",
    lists.map((keys) => keys.map(placed)),
  );
  expect(grouped.groups.map(({ key }) => key)).toEqual(merged);
});

test("A group that several answers have is there once, with all of its orders and its newest name", () => {
  const named = (label: string | null) => ({ ...placed(7), group: { ...placed(7).group, label } });
  const { grouped } = mergeGroups("driver_id", [[named("Ana")], [named("Ana Lima")], [named(null)]]);
  expect(grouped.groups).toEqual([
    { key: 7, label: "Ana Lima", total_order_count: 3, total_revenue: 3, average_order_value: 1 },
  ]);
});
