/** Each cell of a pivot equals a brute-force count over the orders, to the cent, whatever was asked for it. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";

import { dimensions, type Dimension } from "../../../src/contract/enums.js";
import { pivotPlan } from "../../../src/sales/pivot/pivot.js";
import { orderOf } from "../../emulator/summary/fixture.js";
import { tellFigure } from "../../support/soak.js";
import { afterwards, asking, callsOver, storeCases, tries, type StoreCase } from "../support/oracle.js";
import { countedCells } from "../support/pivot-oracle.js";

const size = tries({ test: 5, search: 100, soak: 5_000 });
const runs = size.numRuns;

async function pivotOf(given: StoreCase, rows: Dimension, cols: Dimension, filters: readonly string[] = []) {
  const now = afterwards(given);
  const service = callsOver(given, now, { filters });
  const asked = asking(given, { now });
  const request = { rows, cols, dateField: undefined };
  const { signal } = new AbortController();
  const plan = pivotPlan(request);
  const later = await plan.outlook?.(service.calls, asked, signal);
  const expected = [...(await plan.questions(asked, service.calls)), ...(later?.questions ?? [])];
  const foreseen = (await service.calls.count(expected)) + (later?.unknownCalls ?? 0);
  expect(service.sent).toEqual([]);
  const pivot = await plan.fetch(service.calls, asked, signal);
  return { pivot, service, foreseen };
}

test(`${runs} times every cell of any two dimensions is the count of its orders`, async () => {
  const cases = storeCases({ dayStarts: ["00:00", "00:00", "04:00", "05:30"], days: 200 });
  const pairs = fc
    .tuple(fc.constantFrom(...dimensions), fc.constantFrom(...dimensions))
    .filter(([rows, cols]) => rows !== cols);
  const filterLists = fc.constantFrom(
    [],
    [],
    ["status!=canceled", "total>=0.10"],
    ["created_at_time>=09:30", "created_at_time<21:15"],
    ["order_type=delivery,takeout"],
  );
  let cells = 0;
  await fc.assert(
    fc.asyncProperty(cases, pairs, filterLists, async (given, [rows, cols], filters) => {
      const { pivot, service } = await pivotOf(given, rows, cols, filters);
      const { cells: all, left } = countedCells(pivot, given, service.request.filters);
      expect(all.map(({ shown, ...cell }) => ({ ...cell, shown, left }))).toEqual(
        all.map((cell) => ({ ...cell, shown: cell.expected, left: 0 })),
      );
      cells += pivot.cells.length;
    }),
    size,
  );
  tellFigure({ what: "cells of pivots counted", of: `${runs} pivots`, seen: cells });
});

test.each([
  ["weekday and hour: the totals, and one for each hour", "day_of_week", "hour", 26],
  ["month and channel: one for each month, and how months are written", "month", "sales_channel", 7],
  ["channel and month: the same", "sales_channel", "month", 7],
  ["week and driver: the totals, and one for each driver", "week", "driver_id", 12],
  ["weekday and month: both follow from the day, and how they are written", "day_of_week", "month", 3],
] as const)("Half a year takes so many calls by %s", async (_, rows, cols, count) => {
  const start = Temporal.ZonedDateTime.from("2026-05-01T00:30[America/Sao_Paulo]");
  const orders = Array.from({ length: 500 }, (__, index) =>
    orderOf({
      createdAt: start.add({ minutes: index * 529 }).epochMilliseconds,
      driverId: index % 11 === 0 ? null : index % 11,
    }),
  );
  const zone = "America/Sao_Paulo";
  const given = { zone, dayStarts: "00:00", from: "2026-05-01", to: "2026-10-31", orders };
  const { service, foreseen } = await pivotOf(given, rows, cols);
  expect(service.sent).toHaveLength(count);
  expect(foreseen).toBe(count);
});

test("Without a driver is a column of its own, the last, and named", async () => {
  const given = { zone: "UTC", dayStarts: "00:00", from: "2026-10-01", to: "2026-10-31" };
  const at = (day: number) => Date.UTC(2026, 9, day, 12);
  const orders = [
    orderOf({ createdAt: at(1), driverId: 7, total: 1_005 }),
    orderOf({ createdAt: at(1), driverId: null, total: 20 }),
    orderOf({ createdAt: at(8), driverId: null, total: 30 }),
  ];
  const { pivot } = await pivotOf({ ...given, orders }, "day_of_week", "driver_id");
  expect(pivot.cells).toMatchObject([
    {
      row: { key: 4 },
      col: { key: 7, label: "Ana" },
      other: false,
      sum: { orders: 1, revenue: 1_005 },
    },
    {
      row: { key: 4 },
      col: { key: null, label: "Não informado" },
      other: true,
      sum: { orders: 2, revenue: 50 },
    },
  ]);
});
