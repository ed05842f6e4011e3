import { describe, expect, test } from "vitest";

import type { DateField, Dimension } from "../../../src/contract/enums.js";
import type { Group } from "../../../src/contract/models.js";
import { keyOutside, placeGroups, placesIn } from "../../../src/sales/merge/group-identity.js";
import type { Window } from "../../../src/sales/period/windows.js";

type Key = Group["key"];

describe("the place of a key", () => {
  const ordinalOf = (key: Key, dimension: Dimension, window: Window) => placesIn(window, dimension)(key);
  const first = { start: "", end: "", firstDay: "2025-06-10", lastDay: "2025-10-31" };
  const second = { start: "", end: "", firstDay: "2025-11-01", lastDay: "2026-03-31" };

  test("All usual forms of a week are understood", () => {
    const forms = [
      "2025-10-29",
      "2025-W44",
      "2025W44",
      "202544",
      "44",
      44,
      "W44",
      "2025-10-27T00:00:00-03:00",
    ];
    expect(new Set(forms.map((key) => ordinalOf(key, "week", first))).size).toBe(1);
    expect(ordinalOf("2025-W44", "week", first)).toBe(ordinalOf(44, "week", second));
  });

  test("The year of a plain week or month follows from the window", () => {
    expect(ordinalOf(12, "month", second)).toBe(ordinalOf("2025-12", "month", second));
    expect(ordinalOf("03", "month", second)).toBe(ordinalOf("2026-03-01", "month", second));
    expect(ordinalOf(1, "week", second)).toBe(ordinalOf("2026-W01", "week", second));
    expect(ordinalOf(52, "week", second)).toBe(ordinalOf("2025-W52", "week", second));
  });

  test.each([
    ["2025-10-01", "2026-02-28", 1, "2026-01"],
    ["2025-10-01", "2026-02-28", 10, "2025-10"],
    ["2025-12-01", "2026-05-31", 12, "2025-12"],
    ["2025-12-01", "2026-05-31", 5, "2026-05"],
  ])("In %s to %s the month %d is %s", (firstDay, lastDay, key, month) => {
    const window = { start: "", end: "", firstDay, lastDay };
    expect(ordinalOf(key, "month", window)).toBe(ordinalOf(month, "month", window));
  });

  test.each([
    ["2025-10-01", "2026-02-28", 8, "2026-W08"],
    ["2025-10-01", "2026-02-28", 40, "2025-W40"],
    ["2025-12-01", "2026-05-31", 49, "2025-W49"],
    ["2025-12-01", "2026-05-31", 22, "2026-W22"],
  ])("In %s to %s the week %d is %s", (firstDay, lastDay, key, week) => {
    const window = { start: "", end: "", firstDay, lastDay };
    expect(ordinalOf(key, "week", window)).toBe(ordinalOf(week, "week", window));
    expect(ordinalOf(54, "week", window)).toBeUndefined();
  });

  test.each([null, true, "", "soon", "2025-13-01", "13", 0, -1, 1.5, "2025-10-29-1"])(
    "has none for %j",
    (key) => {
      expect(ordinalOf(key, "month", first)).toBeUndefined();
      expect(ordinalOf(key, "day", first)).toBeUndefined();
      expect(ordinalOf(5, "day", first)).toBeUndefined();
      expect(ordinalOf("2025-10-29", "status", first)).toBeUndefined();
    },
  );
});

test("A week whose key can't be read is one on both sides of each seam, and in no other place", () => {
  const answers = [
    ["a", "b"],
    ["b", "c"],
    ["c", "a"],
  ].map((keys) => ({
    group_by: "week",
    groups: keys.map((key) => ({
      key,
      label: null,
      ...{ total_order_count: 1, total_revenue: 1, average_order_value: 1 },
    })),
  }));
  const windows = answers.map(() => ({ start: "", end: "", firstDay: "2026-01-01", lastDay: "2026-01-31" }));
  const identities = placeGroups(answers, windows, "week").map((list) =>
    list.map(({ identity }) => identity),
  );
  const [[first, seam] = [], [same, next] = [], [sameAgain, last] = []] = identities;
  expect([same, sameAgain]).toEqual([seam, next]);
  expect(new Set([first, seam, next, last]).size).toBe(4);
});

/** The day in São Paulo; in UTC it reaches into the next one. */
const window = {
  start: "2026-10-31T00:00:00-03:00",
  end: "2026-10-31T23:59:59.999999-03:00",
  firstDay: "2026-10-31",
  lastDay: "2026-10-31",
};

function outside(dimension: Dimension, keys: readonly (string | number | null)[], dateField?: DateField) {
  const groups = keys.map((key) => ({
    key,
    label: null,
    ...{ total_order_count: 1, total_revenue: 1, average_order_value: 1 },
  }));
  return keyOutside(groups, dimension, { window, zone: "America/Sao_Paulo", dateField });
}

test.each<[Dimension, readonly (string | number | null)[], string | undefined]>([
  ["day", ["2026-10-31"], undefined],
  ["day", ["2026-10-31", "2026-11-01"], "2026-11-01"],
  ["day", ["2026-10-30", "2026-10-31"], "2026-10-30"],
  ["month", ["2026-10"], undefined],
  ["month", ["2026-10", "2026-11"], "2026-11"],
  ["day", ["some day", null], undefined],
  // Which week is the first of a year is the service's own, and an hour has no day.
  ["week", ["2026-W50"], undefined],
  ["hour", [23], undefined],
])("By %s, of the keys %j the one that proves another zone is %s", (dimension, keys, key) => {
  expect(outside(dimension, keys)).toBe(key);
});

test("A scheduled date is the same in every zone, and proves none", () => {
  expect(outside("day", ["2026-11-01"], "scheduled_date")).toBeUndefined();
});
