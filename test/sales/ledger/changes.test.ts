import * as fc from "fast-check";
import { expect, test } from "vitest";

import { addChanges, changesBetween, type GroupsBySection } from "../../../src/sales/ledger/changes.js";

const cents = fc.integer({ min: 0, max: 10_000_000 });
const list = (keys: fc.Arbitrary<string | number | null>) =>
  fc.uniqueArray(
    fc.record({ key: keys, total_order_count: fc.integer({ min: 0, max: 500 }), revenue: cents }),
    { selector: ({ key }) => JSON.stringify(key), maxLength: 12 },
  );
const day = fc.integer({ min: 1, max: 31 }).map((date) => `2026-10-${String(date).padStart(2, "0")}`);
const groupsOf = (
  rows: readonly { key: string | number | null; total_order_count: number; revenue: number }[],
) =>
  rows.map(({ revenue, ...row }) => ({
    ...{ ...row, label: null, total_revenue: revenue / 100, average_order_value: 0 },
  }));
const said = fc.tuple(list(day), fc.boolean()).map(([days, isSplit]): GroupsBySection => {
  const groups = groupsOf(days);
  // One channel has all of it: it agrees with the days, where it is known.
  const whole = groupsOf([
    {
      key: "catalog",
      total_order_count: days.reduce((sum, { total_order_count: count }) => sum + count, 0),
      revenue: days.reduce((sum, { revenue }) => sum + revenue, 0),
    },
  ]);
  return new Map([["day", groups] as const, ...(isSplit ? [["sales_channel", whole] as const] : [])]);
});
const inCents = (amount: number) => Math.round(amount * 100);

test("what was said and the changes are what is said now, whatever was edited, of one store and of several", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(said, said), { minLength: 1, maxLength: 3 }), (stores) => {
      const each = stores.flatMap(([before, now]) => changesBetween(before, now) ?? []);
      expect(each).toHaveLength(stores.length);
      for (const changes of [...each, addChanges(each)]) {
        for (const section of changes.sections.values()) {
          const orders = section.reduce((sum, change) => sum + change.orders, 0);
          const revenue = section.reduce((sum, change) => sum + inCents(change.revenue), 0);
          expect(changes.before.total_order_count + orders).toBe(changes.now.total_order_count);
          expect(inCents(changes.before.total_revenue) + revenue).toBe(inCents(changes.now.total_revenue));
          for (const change of section) expect([change.orders, change.revenue]).not.toEqual([0, 0]);
        }
      }
    }),
  );
});

test("a section that isn't the days' total on both sides is left out, and so are figures without days", () => {
  const days = groupsOf([{ key: "2026-10-05", total_order_count: 2, revenue: 1000 }]);
  const other = groupsOf([{ key: "closed", total_order_count: 3, revenue: 1000 }]);
  const before: GroupsBySection = new Map([
    ["day", days],
    ["status", other],
  ]);
  expect([...(changesBetween(before, before)?.sections.keys() ?? [])]).toEqual(["day"]);
  expect(changesBetween(new Map([["status", other]]), before)).toBeUndefined();
});
