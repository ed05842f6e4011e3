/** Rows of windows that follow on one another are added up by key, exactly. */
import { expect, test } from "vitest";

import { addWindows, totalOf, type Key, type Row } from "../../src/sales/figures.js";

const row = (key: Key, orders: number, revenue: number, label: string | null = null): Row => ({
  ...{ key, label, orders, revenue },
});

test("A group that two windows have has the orders of both, and its newest name", () => {
  const windows = [
    [row(11, 2, 1050, "Bia"), row(null, 1, 5)],
    [row("11", 9, 9), row(11, 1, 5, "Beatriz")],
  ];
  expect(addWindows(windows, "driver_id")).toEqual([
    row(11, 3, 1055, "Beatriz"),
    row(null, 1, 5),
    row("11", 9, 9),
  ]);
});

test("The months of two years stay apart where a key is the month's number alone", () => {
  const months = (...keys: number[]) => keys.map((key) => row(key, 1, 100));
  const windows = [months(11, 12), months(1, 2, 3, 4, 5, 6), months(6, 7, 8, 9, 10, 11)];
  const rows = addWindows(windows, "month");
  expect(rows.map(({ key, orders }) => [key, orders])).toEqual([
    ...[11, 12, 1, 2, 3, 4, 5].map((key) => [key, 1]),
    [6, 2],
    ...[7, 8, 9, 10, 11].map((key) => [key, 1]),
  ]);
});

test("Amounts are never added beyond what is exact", () => {
  const most = Number.MAX_SAFE_INTEGER;
  expect(totalOf([row(1, 1, most - 1), row(2, 1, 1)]).revenue).toBe(most);
  expect(() => totalOf([row(1, 1, most), row(2, 1, 1)])).toThrow(
    expect.objectContaining({ code: "unexpected_answer" }) as Error,
  );
});
