import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { Dimension } from "../../../src/contract/enums.js";
import type { Group } from "../../../src/contract/models.js";
import { compareGroups } from "../../../src/sales/compare/groups.js";
import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import { splitPeriod } from "../../../src/sales/period/windows.js";
import { fetchGrouped } from "../support/fetch.js";

const now = Date.parse("2026-11-20T18:17:22Z");
const zone = "America/Sao_Paulo";

const group = (key: Group["key"], total_order_count: number): Group => ({
  key,
  label: key === null ? null : `label ${key}`,
  total_order_count,
  total_revenue: total_order_count,
  average_order_value: 1,
});

async function side(from: string, to: string, dimension: Dimension, groups: Group[]) {
  const period = resolvePeriod({ from, to }, { now, zone });
  const fetched = await fetchGrouped({
    windows: splitPeriod(period),
    dimension,
    fetch: () => Promise.resolve({ group_by: dimension, groups }),
  });
  return { period, figures: fetched, age: { askedAt: 0, kept: false }, canceled: null };
}

async function changes(dimension: Dimension, current: Group[], previous: Group[]) {
  const [now_, then] = [
    await side("2026-10-01", "2026-10-07", dimension, current),
    await side("2026-09-24", "2026-09-30", dimension, previous),
  ];
  return compareGroups(now_, then, dimension, { dateField: undefined }).map(({ change }) => [
    change.key,
    change.previous_key,
    change.total_order_count.absolute,
  ]);
}

test("Groups of two periods are matched by key, null included, and those of one side are listed", async () => {
  expect(
    await changes("driver_id", [group(1, 5), group(null, 2)], [group(null, 3), group(7, 4), group("1", 1)]),
  ).toEqual([
    [1, undefined, 5],
    [null, undefined, -1],
    [7, undefined, -4],
    ["1", undefined, -1],
  ]);
});

test("Days are compared by their place in the period", async () => {
  const given = await changes(
    "day",
    [group("2026-10-01", 5), group("2026-10-03", 2)],
    [group("2026-09-24", 1), group("2026-09-25", 4)],
  );
  expect(given).toEqual([
    ["2026-10-01", "2026-09-24", 4],
    ["2026-10-03", undefined, 2],
    ["2026-09-25", undefined, -4],
  ]);
});

test("Days whose key can't be read are compared by key", async () => {
  expect(await changes("day", [group("first", 5)], [group("first", 1), group("second", 1)])).toEqual([
    ["first", "first", 4],
    ["second", undefined, -1],
  ]);
});

test("The changes of all groups sum up to the change of the whole", async () => {
  const keys = fc.uniqueArray(fc.constantFrom(1, 2, "1", null, "x"));
  await fc.assert(
    fc.asyncProperty(keys, keys, fc.nat(1000), async (current, previous, count) => {
      const given = await changes(
        "status",
        current.map((key) => group(key, count)),
        previous.map((key) => group(key, 3)),
      );
      const sum = given.reduce((total, [, , absolute]) => total + Number(absolute), 0);
      expect(sum).toBe(current.length * count - previous.length * 3);
    }),
    { numRuns: 50 },
  );
});
