/** Each cell of a pivot equals a brute-force count over the orders, to the cent, whatever was asked for it. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";

import { dimensions, type Dimension, type GroupedSummaryQuery } from "../../../src/contract/summary.js";
import type { OrderRecord } from "../../../src/emulator/domain/orders.js";
import { summarizeGrouped } from "../../../src/emulator/domain/summary/aggregate.js";
import { readGroupedQuery } from "../../../src/emulator/domain/summary/query.js";
import { createWallClock } from "../../../src/emulator/domain/zone.js";
import { pivotOutline, pivotPlan, type Pivot } from "../../../src/summary/pivot/pivot.js";
import { parseFilters } from "../../../src/summary/plan/filters.js";
import type { PlannedCalls } from "../../../src/summary/plan/plans.js";
import type { SalesRequest } from "../../../src/summary/plan/request.js";
import { createStoreCalls } from "../../../src/summary/plan/store-calls.js";
import { resolvePeriod } from "../../../src/summary/period/resolve.js";
import { splitPeriod } from "../../../src/summary/period/windows.js";
import { groupSlowly, selectSlowly } from "../../emulator/summary/brute-force.js";
import { orders as orderOfAnyKind, orderOf } from "../../emulator/summary/fixture.js";

/** The clocks change at midnight, by half an hour, by a whole day that is left out, at one in the morning, never. */
const places = [
  { zone: "America/Sao_Paulo", last: "2018-12-15" },
  { zone: "Australia/Lord_Howe", last: "2026-10-20" },
  { zone: "Pacific/Apia", last: "2012-01-10" },
  { zone: "Europe/Lisbon", last: "2026-11-10" },
  { zone: "Asia/Kathmandu", last: "2026-11-10" },
] as const;

interface Case {
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly orders: readonly OrderRecord[];
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    place: fc.constantFrom(...places),
    days: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 400 })),
    ahead: fc.integer({ min: 0, max: 20 }),
  })
  .chain(({ place: { zone, last }, days, ahead }) => {
    const to = Temporal.PlainDate.from(last).add({ days: ahead });
    const from = to.subtract({ days });
    const moment = fc
      .record({
        day: fc.integer({ min: -1, max: days + 1 }),
        second: fc.oneof(fc.integer({ min: 0, max: 86_399 }), fc.constantFrom(0, 1, 3_599, 3_600, 86_399)),
      })
      .map(({ day, second }) => {
        const start = from.add({ days: day }).toZonedDateTime(zone).epochMilliseconds;
        return start + second * 1_000;
      });
    const order = fc.tuple(orderOfAnyKind, moment).map(([fields, createdAt]) => ({ ...fields, createdAt }));
    return fc.record({
      zone: fc.constant(zone),
      from: fc.constant(from.toString()),
      to: fc.constant(to.toString()),
      orders: fc.array(order, { maxLength: 60, size: "max" }),
    });
  });

/** A service over these orders; each question that it is asked is counted. */
function serviceOf({ zone, orders }: Pick<Case, "zone" | "orders">, now: number, filters: readonly string[]) {
  const clock = createWallClock(zone);
  const asked: GroupedSummaryQuery[] = [];
  const request: Pick<SalesRequest, "dateField" | "filters"> = {
    dateField: undefined,
    filters: parseFilters(filters),
  };
  const call = (query: GroupedSummaryQuery) => {
    asked.push(query);
    const search = new URLSearchParams({
      start_date: query.start_date,
      end_date: query.end_date,
      group_by: query.group_by,
    });
    for (const [name, value] of Object.entries(query.filters ?? {})) {
      for (const each of [value].flat()) search.append(`filters[${name}]`, String(each));
    }
    const names = { driver: () => "Ana", paymentMethod: () => "Pix" };
    const read = readGroupedQuery(search, { now, clock });
    if (!read.ok) throw new Error(read.details);
    return Promise.resolve(summarizeGrouped(orders, read.value, clock, names));
  };
  const endpoint = { history: () => [], keep: () => Promise.resolve() };
  const share = <Result>(_: unknown, work: () => Promise<Result>) => work();
  const refuse = () => Promise.reject(new Error("not asked"));
  const calls: PlannedCalls = {
    ...createStoreCalls({
      summary: { ...endpoint, share, call: refuse },
      grouped: { ...endpoint, share, call },
      request,
      freshness: { kind: "fresh" },
      doubtedAt: undefined,
      now: () => now,
      onCalled: () => undefined,
      onWarning: (message) => {
        throw new Error(message);
      },
    }),
    hasRoomForGroups: () => Promise.resolve(true),
    warn: (message) => {
      throw new Error(message);
    },
    announce: () => Promise.resolve(),
  };
  return { asked, calls, filters: request.filters };
}

async function pivotOf(given: Case, rows: Dimension, cols: Dimension, filters: readonly string[] = []) {
  const now = Temporal.PlainDate.from(given.to)
    .add({ days: 2 })
    .toZonedDateTime(given.zone).epochMilliseconds;
  const service = serviceOf(given, now, filters);
  const period = resolvePeriod({ from: given.from, to: given.to }, { now, zone: given.zone });
  const asked = {
    kind: "plain",
    current: { period, windows: splitPeriod(period, { storeZone: given.zone }) },
  } as const;
  const request = { rows, cols, dateField: undefined };
  const { signal } = new AbortController();
  const outline = await pivotOutline(request).fetch(service.calls, asked, signal);
  expect(service.asked).toEqual([]);
  const pivot = await pivotPlan(request).fetch(service.calls, asked, signal);
  return { pivot, service, outline };
}

/** Every cell, counted by going through the orders one by one; what no filter selects may be one sum. */
function expectCounted(pivot: Pivot, given: Case, filters: ReturnType<typeof parseFilters>): void {
  const start = (date: string, days: number) =>
    Temporal.PlainDate.from(date).add({ days }).toZonedDateTime(given.zone).epochMilliseconds;
  const period = {
    dateField: "created_at",
    start: start(given.from, 0),
    end: start(given.to, 1) - 1,
  } as const;
  const keyOf = (order: OrderRecord, groupBy: Dimension) =>
    [...groupSlowly([order], { groupBy, period, filters: [] }, given.zone).keys()][0];
  let left = selectSlowly(given.orders, { period, filters }, given.zone).map((order) => ({
    cents: order.total,
    row: keyOf(order, pivot.rows),
    col: keyOf(order, pivot.cols),
  }));
  for (const { row, col, other, sum } of pivot.cells) {
    const isRow = other && row.identity === "other" ? isUnfiltered : is(row.key);
    const isCol = other && col.identity === "other" ? isUnfiltered : is(col.key);
    const own = left.filter((order) => isRow(order.row) && isCol(order.col));
    const cents = own.reduce((total, order) => total + order.cents, 0);
    expect([row.key, col.key, sum]).toEqual([row.key, col.key, { orders: own.length, revenue: cents }]);
    left = left.filter((order) => !own.includes(order));
  }
  expect(left).toEqual([]);
}

function is(key: unknown): (other: unknown) => boolean {
  return (other) => other === key;
}

/** What no filter selects. */
function isUnfiltered(key: unknown): boolean {
  return key === null || key === "canceling" || key === "pending_online_payment";
}

test("Every cell of any two dimensions is the count of its orders", async () => {
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
  await fc.assert(
    fc.asyncProperty(cases, pairs, filterLists, async (given, [rows, cols], filters) => {
      fc.pre(given.zone !== "Pacific/Apia" || ![given.from, given.to].includes("2011-12-30"));
      const { pivot, service } = await pivotOf(given, rows, cols, filters);
      expectCounted(pivot, given, service.filters);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["weekday and hour: the totals, and one for each hour", "day_of_week", "hour", 26],
  ["month and channel: one for each month", "month", "sales_channel", 6],
  ["channel and month: the same", "sales_channel", "month", 6],
  ["week and driver: the totals, and one for each driver", "week", "driver_id", 12],
  ["weekday and month: both follow from the day", "day_of_week", "month", 1],
] as const)("Half a year takes so many calls by %s", async (_, rows, cols, count) => {
  const start = Temporal.ZonedDateTime.from("2026-05-01T00:30[America/Sao_Paulo]");
  const orders = Array.from({ length: 500 }, (__, index) =>
    orderOf({
      createdAt: start.add({ minutes: index * 529 }).epochMilliseconds,
      driverId: index % 11 === 0 ? null : index % 11,
    }),
  );
  const given = { zone: "America/Sao_Paulo", from: "2026-05-01", to: "2026-10-31", orders };
  const { service, outline } = await pivotOf(given, rows, cols);
  expect(service.asked).toHaveLength(count);
  expect(outline.calls).toBe(count);
});

test("Without a driver is a column of its own, the last, and named", async () => {
  const given = { zone: "UTC", from: "2026-10-01", to: "2026-10-31" };
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
