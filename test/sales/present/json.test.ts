import { describe, expect, test } from "vitest";

import { ComandaError } from "../../../src/shared/errors.js";
import { compareMetrics } from "../../../src/sales/compare/metrics.js";
import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import { groupedShape, resultShape, summaryShape } from "../../../src/sales/present/json.js";
import type { SalesResult, StoreFigures } from "../../../src/sales/results.js";

const summary = (total_order_count: number, total_revenue: number, average_order_value: number) => ({
  total_order_count,
  total_revenue,
  average_order_value,
});
const context = { now: Date.parse("2026-11-20T12:00:00Z"), zone: "UTC" };
const [october, september] = [
  resolvePeriod({ period: "2026-10" }, context),
  resolvePeriod({ period: "2026-09" }, context),
];

const fresh = { askedAt: context.now, kept: false };
const old = { askedAt: Date.parse("2026-11-01T00:00:00Z"), kept: true };

describe("the shape of a result", () => {
  const display = { locale: "en", currency: undefined };
  const centro: StoreFigures<object> = {
    kind: "figures",
    store: "centro",
    figures: { ...summary(2, 0.1, 0.05), extra: 1 },
    window: "October",
    age: { askedAt: 0, kept: false },
    zone: "UTC",
    display,
  };
  const shape = (result: SalesResult<object>) => resultShape(result, undefined, (figures) => figures);

  test("The JSON of one store is its figures as they are, unknown fields included", () => {
    expect(shape({ kind: "result", areSeveral: false, stores: [centro], totals: [] })).toEqual({
      ...summary(2, 0.1, 0.05),
      extra: 1,
    });
  });

  test("The JSON of several stores names them, says why one gave no figures, and whose the total is", () => {
    const error = new ComandaError("token_refused", "The token was refused.");
    const stores = [centro, { kind: "missing", store: "praia", error } as const];
    const total = { covered: ["centro"], figures: summary(2, 0.1, 0.05), zones: ["UTC"], display };
    expect(shape({ kind: "result", areSeveral: true, stores, totals: [total] })).toEqual({
      stores: [
        { store: "centro", ...summary(2, 0.1, 0.05), extra: 1 },
        {
          store: "praia",
          error: {
            exit_code: 3,
            code: "token_refused",
            service_code: null,
            message: "The token was refused.",
          },
        },
      ],
      totals: [{ stores: ["centro"], ...summary(2, 0.1, 0.05) }],
      total: { stores: ["centro"], ...summary(2, 0.1, 0.05) },
    });
    const none = { stores: [], totals: [] };
    expect(shape({ kind: "result", areSeveral: true, ...none })).toEqual({ ...none, total: null });
  });

  test("The JSON of stores with two currencies has two totals and no single one, and names several zones", () => {
    const total = (currency: string, zones: readonly string[]) => ({
      covered: [currency],
      figures: {},
      zones,
      display: { ...display, currency },
    });
    const totals = [total("BRL", ["UTC"]), total("EUR", ["UTC", "Europe/Lisbon"])];
    const shaped = resultShape(
      { kind: "result", areSeveral: true, stores: [], totals },
      undefined,
      (_, { currency }) => ({
        currency,
      }),
    );
    expect(shaped).toEqual({
      stores: [],
      totals: [
        { stores: ["BRL"], currency: "BRL" },
        { stores: ["EUR"], currency: "EUR", time_zones: ["UTC", "Europe/Lisbon"] },
      ],
      total: null,
    });
  });
});

describe("the shape of a summary", () => {
  const canceled = { total_order_count: 1, total_revenue: 4 };
  const current = { period: october, figures: summary(2, 10, 5), age: fresh, canceled };
  const previous = { period: september, figures: summary(1, 5, 5), age: old, canceled: null };
  const context = { dateField: undefined, currency: "BRL" };

  test("The JSON of a summary is the API's own object, with what it is about beside it", () => {
    const figures = { ...current.figures, from_the_service: true };
    expect(summaryShape({ current: { ...current, figures } }, context)).toEqual({
      ...figures,
      period: {
        from: "2026-10-01T00:00:00+00:00",
        to: "2026-10-31T23:59:59.999999+00:00",
        time_zone: "UTC",
      },
      currency: "BRL",
      asked_at: "2026-11-20T12:00:00.000Z",
      kept: false,
      canceled,
    });
  });

  test("The JSON of a comparison has two periods, each as it was asked for", () => {
    const figures = { current, previous };
    const label = { label: "2026-10", zone: "UTC", time_zone: "UTC" };
    expect(summaryShape(figures, { ...context, currency: undefined })).toEqual({
      current: {
        currency: null,
        canceled,
        period: { ...label, from: "2026-10-01T00:00:00+00:00", to: "2026-10-31T23:59:59.999999+00:00" },
        ...current.figures,
        asked_at: "2026-11-20T12:00:00.000Z",
        kept: false,
      },
      previous: expect.objectContaining({
        ...previous.figures,
        asked_at: "2026-11-01T00:00:00.000Z",
        kept: true,
      }) as object,
      change: compareMetrics(current.figures, previous.figures),
    });
    expect(summaryShape(figures, { ...context, dateField: "scheduled_date" })).toMatchObject({
      current: { period: { ...label, from: "2026-10-01", to: "2026-10-31" } },
    });
  });
});

describe("the shape of groups", () => {
  const context = { dateField: undefined, currency: "BRL" };
  const rest = { group_count: 3, ...summary(1, 1, 1) };

  test("The JSON of groups has the rest only where there is one", () => {
    const beside = { period: october, age: old, canceled: null };
    const plain = { groupBy: "status", current: beside, groups: [], whole: { current: rest } };
    const shape = groupedShape({ ...plain, rest: { current: rest } }, context);
    expect(shape).toMatchObject({
      group_by: "status",
      groups: [],
      rest,
      currency: "BRL",
      canceled: null,
      kept: true,
    });
    expect(groupedShape({ ...plain, rest: null }, context)).not.toHaveProperty("rest");
  });

  test("The JSON of compared groups lists what each period has, and every change", () => {
    const group = { key: 1, label: "Ana", ...summary(1, 1, 1) };
    const change = { key: 1, label: "Ana", ...compareMetrics(undefined, group) };
    const compared = {
      groupBy: "driver_id",
      current: { period: october, age: fresh, canceled: null },
      previous: { period: september, age: old, canceled: null },
      groups: [{ key: 1, label: "Ana", previous: group, change, part: {}, isRunning: false }],
      rest: null,
      whole: { current: rest, previous: rest, change: compareMetrics(rest, rest) },
    } as const;
    expect(groupedShape(compared, context)).toMatchObject({
      current: { group_by: "driver_id", groups: [] },
      previous: { group_by: "driver_id", groups: [group] },
      change: { group_by: "driver_id", groups: [change] },
    });
  });
});
