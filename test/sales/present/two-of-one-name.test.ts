/** Two drivers of one name: whatever tells figures of them says which one it is. */
import { expect, test } from "vitest";

import { parseAlert, type Alert } from "../../../src/sales/compare/alert-rules.js";
import { keyIdentity } from "../../../src/sales/merge/group-identity.js";
import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import type { Pivot } from "../../../src/sales/pivot/pivot.js";
import { alertText } from "../../../src/sales/present/alerts.js";
import { createNumberFormat } from "../../../src/sales/present/number-format.js";
import { pivotTables, type PivotTablesOptions } from "../../../src/sales/present/pivot-table.js";
import { restatedLines } from "../../../src/sales/present/restated.js";
import { plainStyle } from "../../../src/terminal/index.js";

const now = Date.parse("2026-11-21T12:00:00Z");
const display = { locale: "en", currency: "BRL" };
const drivers = [
  { key: 14, label: "Ana" },
  { key: 13, label: "Ana" },
];
const age = { askedAt: now, kept: false };

const members = drivers.map(({ key, label }) => ({ identity: keyIdentity(key), key, label }));
const month = { identity: "2026-10", key: "2026-10", label: null };
const pivot: Pivot = {
  rows: "month",
  cols: "driver_id",
  period: resolvePeriod({ period: "2026-10" }, { now, zone: "UTC" }),
  age,
  differences: [],
  rowMembers: [month],
  colMembers: members,
  cells: members.map((col, index) => ({
    row: month,
    col,
    other: false,
    sum: { orders: index + 1, revenue: 1_000 },
  })),
};
const options: PivotTablesOptions = {
  format: "markdown",
  figure: "orders",
  heatmap: false,
  view: { style: plainStyle },
  dateField: undefined,
};
function tables(figures: Pivot, shown: PivotTablesOptions): Promise<string> {
  const store = { kind: "figures", store: "centro", window: "2026-10", zone: "UTC", age, display } as const;
  const result = { kind: "result", areSeveral: false, stores: [{ ...store, figures }], totals: [] } as const;
  return pivotTables(result, shown);
}

test("In a pivot, in its columns and in its rows", async () => {
  expect(await tables(pivot, options)).toContain("| Ana (14) | Ana (13) | Total |");
  const turned: Pivot = {
    ...pivot,
    ...{ rows: "driver_id", cols: "month", rowMembers: members, colMembers: [month] },
    cells: pivot.cells.map((cell) => ({ ...cell, row: cell.col, col: cell.row })),
  };
  expect(await tables(turned, options)).toMatch(/^\| Ana \(14\) +\| +1 \|/m);
});

test("In an alert", () => {
  const rule = parseAlert("orders<5");
  const alerts: readonly Alert[] = drivers.map((group) => ({
    rule,
    holds: true,
    value: 4,
    baseline: null,
    group,
    dimension: "driver_id",
  }));
  const store = { kind: "figures", store: "centro", window: "2026-10", zone: "UTC" } as const;
  const texts = alerts.map((alert) => alertText(alert, { ...store, figures: {}, age, display, alerts }));
  expect(texts).toEqual([
    "centro, 2026-10, Ana (14): orders is 4: orders<5",
    "centro, 2026-10, Ana (13): orders is 4: orders<5",
  ]);
});

test("In what was restated, where the other one is out of sight", () => {
  const restated = {
    dimension: "driver_id",
    key: 13,
    label: "Ana",
    from: "2026-11-05",
    to: "2026-11-05",
    before: { total_order_count: 5, total_revenue: 100 },
    after: { total_order_count: 5, total_revenue: 90 },
    since: Date.parse("2026-11-10T12:00:00Z"),
  } as const;
  const format = createNumberFormat(display);
  expect(restatedLines([restated], { format, zone: "UTC", now })).toEqual([
    "driver_id Ana (13), 5 Nov restated: -R$10.00 since 10 Nov",
  ]);
});
