/** The sums of rows. */
import { expect, test } from "vitest";

import { addWindows, totalOf, type Key, type Row } from "../../src/sales/figures.js";

const row = (key: Key, orders: number, revenue: number, label: string | null = null): Row => ({
  ...{ key, label, orders, revenue },
});

test("addWindows adds up a group of two windows, with its newest name", () => {
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

test("addWindows keeps the months of two years apart if the key is only the month's number", () => {
  const months = (...keys: number[]) => keys.map((key) => row(key, 1, 100));
  const windows = [months(11, 12), months(1, 2, 3, 4, 5, 6), months(6, 7, 8, 9, 10, 11)];
  const rows = addWindows(windows, "month");
  expect(rows).toEqual([...months(11, 12, 1, 2, 3, 4, 5), row(6, 2, 200), ...months(7, 8, 9, 10, 11)]);
});

test("totalOf rejects a sum that is too large to be exact", () => {
  const most = Number.MAX_SAFE_INTEGER;
  expect(totalOf([row(1, 1, most - 1), row(2, 1, 1)]).revenue).toBe(most);
  expect(() => totalOf([row(1, 1, most), row(2, 1, 1)])).toThrow(
    expect.objectContaining({ code: "unexpected_answer" }) as Error,
  );
});
