import { expect, test } from "vitest";

import type { Dimension } from "../../../src/contract/enums.js";
import type { Group } from "../../../src/contract/models.js";
import { ComandaError } from "../../../src/shared/errors.js";
import type { GroupList } from "../../../src/sales/merge/groups.js";
import { addCompared, addGroups, totalsOf } from "../../../src/sales/merge/stores.js";
import { addMetrics } from "../../../src/sales/merge/sums.js";
import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import type { Window } from "../../../src/sales/period/windows.js";
import type { Age, Canceled, StoreResult } from "../../../src/sales/results.js";
import { fetchGrouped } from "../support/fetch.js";

const summary = (total_order_count: number, total_revenue: number, average_order_value: number) => ({
  total_order_count,
  total_revenue,
  average_order_value,
});

const asked = (askedAt: number, kept = false) => ({ askedAt, kept });

function store<Figures>(name: string, figures: Figures, currency?: string): StoreResult<Figures> {
  const display = { locale: "en", currency };
  return { kind: "figures", store: name, figures, window: "a month", age: asked(0), zone: "UTC", display };
}
const canceledOf = (count: number): Canceled => ({ total_order_count: count, total_revenue: count });
const missing: StoreResult<never> = {
  kind: "missing",
  store: "praia",
  error: new ComandaError("token_refused", "The token was refused."),
};

const windows: readonly Window[] = [
  ["2025-06-01", "2025-10-31"],
  ["2025-11-01", "2026-03-31"],
  ["2026-04-01", "2026-08-31"],
].map(([firstDay = "", lastDay = ""]) => ({ start: firstDay, end: lastDay, firstDay, lastDay }));

function group(key: Group["key"], cents: number, label: string | null = null): Group {
  return { key, label, ...summary(1, cents / 100, cents / 100) };
}

function fetched(dimension: Dimension, ...lists: Group[][]): Promise<GroupList> {
  const answers = lists.values();
  return fetchGrouped({
    windows: windows.slice(0, lists.length),
    dimension,
    fetch: () => Promise.resolve({ group_by: dimension, groups: answers.next().value ?? [] }),
  });
}

/** Key and revenue of each group. */
function revenues({ grouped }: GroupList) {
  return grouped.groups.map(({ key, total_revenue }) => [key, total_revenue]);
}

test("A total adds up the stores that answered, in cents, and says which they are", () => {
  const stores = [store("centro", summary(2, 0.1, 0.05)), missing, store("norte", summary(1, 0.2, 0.2))];
  expect(totalsOf({ stores }, addMetrics)).toEqual([
    {
      covered: ["centro", "norte"],
      figures: summary(3, 0.3, 0.1),
      zones: ["UTC"],
      display: { locale: "en", currency: undefined },
    },
  ]);
});

test("Each currency has a total of its own, and so have the stores whose currency isn't known", () => {
  const stores = [
    store("centro", summary(2, 10, 5), "BRL"),
    store("lisboa", summary(1, 20, 20), "EUR"),
    store("norte", summary(1, 30, 30), "BRL"),
    store("novo", summary(1, 40, 40)),
  ];
  const totals = totalsOf({ stores }, addMetrics);
  expect(totals.map(({ display, covered, figures }) => [display.currency, covered, figures])).toEqual([
    ["BRL", ["centro", "norte"], summary(3, 40, 13.33)],
    ["EUR", ["lisboa"], summary(1, 20, 20)],
    [undefined, ["novo"], summary(1, 40, 40)],
  ]);
});

test("There is no total where no store answered, since 0 orders would be wrong", () => {
  expect(totalsOf({ stores: [missing] }, addMetrics)).toEqual([]);
});

test("A total of two periods adds up each of them, under the periods of the first store, as old as the oldest", () => {
  const at = (period: string, zone: string) =>
    resolvePeriod({ period }, { now: Date.parse("2026-11-20T12:00:00Z"), zone });
  const figures = (zone: string, [now, then]: readonly [number, number], ...ages: [Age, Age]) => ({
    current: {
      period: at("2026-10", zone),
      figures: summary(now, now, 1),
      age: ages[0],
      canceled: canceledOf(now),
    },
    previous: { period: at("2026-09", zone), figures: summary(then, then, 1), age: ages[1], canceled: null },
  });
  const stores = [
    figures("UTC", [1, 2], asked(20), asked(7)),
    figures("America/Sao_Paulo", [3, 4], asked(10, true), asked(8)),
  ] as const;
  expect(addCompared(stores, addMetrics)).toEqual(figures("UTC", [4, 6], asked(10, true), asked(7)));
});

test("What is canceled of a total is known where it is known of every store, and compared where all are", () => {
  const period = resolvePeriod(
    { period: "2026-10" },
    { now: Date.parse("2026-11-20T12:00:00Z"), zone: "UTC" },
  );
  const side = (canceled: Canceled | null) => ({
    period,
    figures: summary(3, 30, 10),
    age: asked(0),
    canceled,
  });
  const plain = (canceled: Canceled | null) => ({ current: side(canceled) });
  expect(addCompared([plain(canceledOf(1)), plain(null)], addMetrics).current.canceled).toBeNull();
  const compared = { ...plain(canceledOf(1)), previous: side(null) };
  const sum = addCompared([compared, plain(canceledOf(2))], addMetrics);
  expect([sum.current.canceled, sum.previous]).toEqual([canceledOf(3), undefined]);
});

test("Groups of several stores are added up by key; drivers and payment methods only where the label agrees too", async () => {
  const total = async (dimension: Dimension) =>
    revenues(
      addGroups(
        [
          await fetched(dimension, [group(1, 10, "Ana"), group(null, 5, "Não informado")]),
          await fetched(dimension, [group(1, 20, "Bia"), group(null, 6, "Não informado")]),
        ],
        dimension,
      ),
    );
  expect(await total("driver_id")).toEqual([
    // Those with the most orders first, as in each of the answers.
    [null, 0.11],
    [1, 0.1],
    [1, 0.2],
  ]);
  expect(await total("customer_origin")).toEqual([
    [1, 0.3],
    [null, 0.11],
  ]);
});

test("The months of two years stay apart, also where a store has nothing in one of them", async () => {
  const stores = [
    await fetched("month", [group(7, 1)], [group(12, 2)], [group(7, 4)]),
    await fetched("month", [], [], [group(7, 8), group(8, 16)]),
  ];
  expect(revenues(addGroups(stores, "month"))).toEqual([
    [7, 0.01],
    [12, 0.02],
    [7, 0.12],
    [8, 0.16],
  ]);
});
