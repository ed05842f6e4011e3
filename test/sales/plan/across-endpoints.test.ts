/** Which questions of a report go to the endpoint for summaries, and what their answers come to. */
import { describe, expect, test } from "vitest";

import { finalStatuses, orderTypes, type OrderStatus } from "../../../src/contract/enums.js";
import type { Dimension } from "../../../src/contract/enums.js";
import type { Summary } from "../../../src/contract/models.js";
import {
  acrossEndpoints,
  costOf,
  movesOf,
  splitTotal,
  type Move,
} from "../../../src/sales/plan/across-endpoints.js";
import { parseFilters } from "../../../src/sales/plan/filters.js";
import { askedPeriods, type PeriodSpan, type Question } from "../../../src/sales/plan/request.js";
import { reportPlan } from "../../../src/sales/report/plan.js";
import { orderOf } from "../../emulator/summary/fixture.js";
import { callsOver, emptyKept } from "../support/oracle.js";

const sections: readonly Dimension[] = [
  "day",
  "hour",
  "status",
  "sales_channel",
  "order_type",
  "payment_method_id",
  "driver_id",
  "customer_origin",
];

function askedYear(period: { from: string; to: string }, now: number): PeriodSpan {
  const request = { dateField: undefined, filters: [], comparison: undefined, comparisonIsOptional: false };
  const place = { zone: "America/Sao_Paulo", storeZone: "America/Sao_Paulo", onWarning: () => undefined };
  return askedPeriods({ period, ...request }, { now, ...place }).current;
}

function questionsOf(period: { from: string; to: string }, now: number): readonly Question[] {
  const asked = askedYear(period, now);
  return sections.map((dimension) => ({ span: asked, dimension }));
}

const november = Date.parse("2026-11-20T15:00:00Z");
const year = { from: "2025-01-01", to: "2025-12-31" };

describe("moves", () => {
  test.each([
    ["a month: it takes a minute in any case", { from: "2026-09-01", to: "2026-09-30" }, [], []],
    ["a settled year: two statuses are fewer calls than four types", year, [], ["status"]],
    [
      "a year until now: every order has one of four types",
      { from: "2026-01-01", to: "2026-11-18" },
      [],
      ["order_type"],
    ],
    ["settled years: both", { from: "2023-11-21", to: "2026-10-01" }, [], ["order_type", "status"]],
    ["years until now: orders are open", { from: "2023-11-21", to: "2026-11-19" }, [], ["order_type"]],
    ["nothing that the request filters", year, ["order_type=delivery,takeout"], ["status"]],
    ["nothing where both are filtered", year, ["status!=canceled", "order_type=delivery"], []],
  ] as const)("%s", (_, period, filters, moved) => {
    const moves = movesOf(questionsOf(period, november), { filters: parseFilters(filters), now: november });
    expect(moves.map(({ dimension }) => dimension)).toEqual(moved);
  });
});

test("A year's report takes 14 + 6 calls and 120 s; 12 + 14 is what moving all would take, and no less time", () => {
  const questions = questionsOf(year, november);
  const before = askedYear({ from: "2024-01-01", to: "2024-12-31" }, november);
  const withHeadline = [...questions, { span: before }];
  const options = { filters: [], now: november };
  expect(costOf(withHeadline, movesOf(withHeadline, options))).toEqual({ calls: 14 + 6, minutes: 2 });
  const moved = (dimension: "status" | "order_type", values: readonly string[]): Move => ({
    ...{ dimension, values },
    span: questions[0]?.span ?? before,
  });
  const both = [moved("status", finalStatuses), moved("order_type", orderTypes)];
  expect(costOf(withHeadline, both)).toEqual({ calls: 12 + 14, minutes: 2 });
  expect(costOf(withHeadline, both.slice(1))).toEqual({ calls: 14 + 10, minutes: 2 });
  expect(costOf(withHeadline, [])).toEqual({ calls: 16 + 2, minutes: 3 });
});

test.each([
  ["closed", { groups: 14, summaries: 4 }],
  // Two more for the statuses, two less for the types: as long as before.
  ["delivered", { groups: 14, summaries: 4 + 8 }],
] as const)("A year of orders that are %s is asked for in 120 s", async (status, expected) => {
  const orders = [1, 5, 9].map((month) =>
    orderOf({ createdAt: Date.UTC(2025, month, 12, 15), status, total: 1_000 }),
  );
  const zone = "America/Sao_Paulo";
  const kept = emptyKept();
  await askLabels(kept, status);
  const { calls, request, sent } = callsOver({ zone, orders }, november, { kept });
  const plan = acrossEndpoints(
    reportPlan({ ...request, compareSections: false, heatmap: false, keys: false, now: november }),
    { ...request, now: november },
  );
  const asked = { current: askedYear(year, november) } as const;
  const { groups } = await plan.fetch(calls, asked, new AbortController().signal);
  expect(groups.get("status")?.grouped.groups).toMatchObject([{ key: status, total_order_count: 3 }]);
  expect(groups.get("order_type")?.grouped.groups).toMatchObject([{ total_order_count: 3 }]);
  const grouped = sent.filter((query) => "group_by" in query);
  expect({ groups: grouped.length, summaries: sent.length - grouped.length }).toEqual(expected);
});

/** A month that was looked at before tells how the service calls a status, and the types of orders. */
async function askLabels(kept: ReturnType<typeof emptyKept>, status: OrderStatus): Promise<void> {
  const orders = [orderOf({ createdAt: Date.UTC(2024, 5, 12, 15), status })];
  const { calls } = callsOver({ zone: "America/Sao_Paulo", orders }, november, { kept });
  const { signal } = new AbortController();
  const june = askedYear({ from: "2024-06-01", to: "2024-06-30" }, november);
  for (const dimension of ["status", "order_type"] as const) await calls.grouped(june, dimension, signal);
}

test("Whether a year or a month was looked at first, groups are called by the same names", async () => {
  const orders = [1, 5, 9].map((month) =>
    orderOf({ createdAt: Date.UTC(2025, month, 12, 15), status: "closed" }),
  );
  const labelsOf = async (statusesKnown: readonly OrderStatus[]) => {
    const kept = emptyKept();
    for (const status of statusesKnown) await askLabels(kept, status);
    const { calls, request } = callsOver({ zone: "America/Sao_Paulo", orders }, november, { kept });
    const plan = acrossEndpoints(
      reportPlan({ ...request, compareSections: false, heatmap: false, keys: false, now: november }),
      { ...request, now: november },
    );
    const asked = { current: askedYear(year, november) } as const;
    const { groups } = await plan.fetch(calls, asked, new AbortController().signal);
    return [groups.get("status"), groups.get("order_type")].map((list) => list?.grouped.groups);
  };
  const first = await labelsOf([]);
  expect(first).toMatchObject([[{ label: "Finalizado" }], [{ label: "Entrega" }]]);
  expect(await labelsOf(["closed"])).toEqual(first);
  // Of this status nothing was known.
  expect(await labelsOf(["canceled"])).toEqual(first);
});

const metrics = (total_order_count: number, total_revenue: number): Summary => ({
  total_order_count,
  total_revenue,
  average_order_value: total_order_count === 0 ? 0 : total_revenue / total_order_count,
});

describe("the parts of a total", () => {
  const move = { dimension: "status", values: ["canceled", "closed"] } as const;
  const split = (total: Summary, ...parts: Summary[]) =>
    splitTotal(total, move, {
      parts: parts.map((figures, index) => ({ figures, age: { askedAt: 5 - index, kept: index > 0 } })),
      labels: new Map([
        ["closed", "Finalizado"],
        ["canceled", null],
      ]),
    });

  test("are its groups, the largest first, as old as the oldest, without those that have no orders", () => {
    const found = split(metrics(3, 30.3), metrics(1, 10.1), metrics(2, 20.2));
    expect(found?.figures.grouped).toEqual({
      group_by: "status",
      groups: [
        { key: "closed", label: "Finalizado", ...metrics(2, 20.2) },
        { key: "canceled", label: null, ...metrics(1, 10.1) },
      ],
    });
    expect(found?.age).toEqual({ askedAt: 4, kept: true });
    expect(split(metrics(2, 20), metrics(0, 0), metrics(2, 20))?.figures.placed).toHaveLength(1);
  });

  test("tell nothing where the service hasn't told how it calls one of them", () => {
    const parts = [metrics(1, 10.1)].map((figures) => ({ figures, age: { askedAt: 1, kept: false } }));
    const accepted = { dimension: "status", values: ["accepted"] } as const;
    expect(splitTotal(metrics(1, 10.1), accepted, { parts, labels: new Map() })).toBeUndefined();
  });

  test.each([
    ["an order is of none", metrics(4, 30.3)],
    ["an order was changed in between", metrics(3, 30.31)],
    ["they are more than the total", metrics(2, 30.3)],
  ])("tell nothing where %s", (_, total) => {
    expect(split(total, metrics(1, 10.1), metrics(2, 20.2))).toBeUndefined();
  });
});
