/** Which questions of a report go to the endpoint for summaries, and what their answers come to. */
import { describe, expect, test } from "vitest";

import type { Dimension, Summary } from "../../../src/contract/summary.js";
import { movesOf, splitTotal } from "../../../src/summary/plan/across-endpoints.js";
import { parseFilters } from "../../../src/summary/plan/filters.js";
import { askedPeriods } from "../../../src/summary/plan/request.js";
import type { Question } from "../../../src/summary/plan/store-calls.js";

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

function questionsOf(period: { from: string; to: string }, now: number): readonly Question[] {
  const request = { dateField: undefined, filters: [], comparison: undefined, comparisonIsOptional: false };
  const place = { zone: "America/Sao_Paulo", storeZone: "America/Sao_Paulo", onWarning: () => undefined };
  const { current: asked } = askedPeriods({ period, ...request }, { now, ...place });
  return sections.map((dimension) => ({ asked, dimension }));
}

const november = Date.parse("2026-11-20T15:00:00Z");
const year = { from: "2025-01-01", to: "2025-12-31" };

describe("moves", () => {
  test.each([
    ["a month: it takes a minute in any case", { from: "2026-09-01", to: "2026-09-30" }, [], []],
    ["a year: every order has one of four types", year, [], ["order_type"]],
    ["settled years: both", { from: "2023-11-21", to: "2026-10-01" }, [], ["order_type", "status"]],
    ["years until now: orders are open", { from: "2023-11-21", to: "2026-11-19" }, [], ["order_type"]],
    ["nothing that the request filters", year, ["order_type=delivery,takeout"], ["status"]],
    ["nothing where both are filtered", year, ["status!=canceled", "order_type=delivery"], []],
  ] as const)("%s", (_, period, filters, moved) => {
    const moves = movesOf(questionsOf(period, november), { filters: parseFilters(filters), now: november });
    expect(moves.map(({ dimension }) => dimension)).toEqual(moved);
  });
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
      labels: new Map([["closed", "Finalizado"]]),
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

  test.each([
    ["an order is of none", metrics(4, 30.3)],
    ["an order was changed in between", metrics(3, 30.31)],
    ["they are more than the total", metrics(2, 30.3)],
  ])("tell nothing where %s", (_, total) => {
    expect(split(total, metrics(1, 10.1), metrics(2, 20.2))).toBeUndefined();
  });
});
