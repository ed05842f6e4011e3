import { expect, test } from "vitest";

import type { DateField, Dimension } from "../../../src/contract/enums.js";
import { keyOutside } from "../../../src/sales/merge/outside.js";

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
