import { describe, expect, it } from "vitest";

import { ComandaError } from "../../../src/shared/errors.js";
import { compareMetrics } from "../../../src/summary/compare/metrics.js";
import { resolvePeriod } from "../../../src/summary/period/resolve.js";
import { groupedShape, resultShape, summaryShape } from "../../../src/summary/present/json.js";
import type { SalesResult, StoreFigures } from "../../../src/summary/results.js";

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
  const shape = (result: SalesResult<object>) => resultShape(result, (figures) => figures);

  it("The JSON of one store is its figures as they are, unknown fields included", () => {
    expect(shape({ kind: "one store", store: centro })).toEqual({ ...summary(2, 0.1, 0.05), extra: 1 });
  });

  it("The JSON of several stores names them, says why one gave no figures, and whose the total is", () => {
    const error = new ComandaError("token_refused", "The token was refused.");
    const stores = [centro, { kind: "missing", store: "praia", error } as const];
    const total = { covered: ["centro"], figures: summary(2, 0.1, 0.05) };
    expect(shape({ kind: "several stores", stores, total })).toEqual({
      stores: [
        { store: "centro", ...summary(2, 0.1, 0.05), extra: 1 },
        { store: "praia", error: { exit_code: 3, code: "token_refused", message: "The token was refused." } },
      ],
      total: { stores: ["centro"], ...summary(2, 0.1, 0.05) },
    });
    expect(shape({ kind: "several stores", stores: [], total: null })).toEqual({ stores: [], total: null });
  });
});

describe("the shape of a summary", () => {
  const current = { period: october, figures: summary(2, 10, 5), age: fresh };
  const previous = { period: september, figures: summary(1, 5, 5), age: old };

  it("The JSON of a summary is the API's own object, with the time it was asked for", () => {
    expect(summaryShape({ kind: "plain", current }, undefined)).toEqual({
      ...current.figures,
      asked_at: "2026-11-20T12:00:00.000Z",
      kept: false,
    });
  });

  it("The JSON of a comparison has two periods, each as it was asked for", () => {
    const figures = { kind: "comparison", current, previous } as const;
    const label = { label: "2026-10", zone: "UTC" };
    expect(summaryShape(figures, undefined)).toEqual({
      current: {
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
    expect(summaryShape(figures, "scheduled_date")).toMatchObject({
      current: { period: { ...label, from: "2026-10-01", to: "2026-10-31" } },
    });
  });
});

describe("the shape of groups", () => {
  const rest = { group_count: 3, ...summary(1, 1, 1) };

  it("The JSON of groups has the rest only where there is one", () => {
    const plain = { kind: "plain", groupBy: "status", age: old, groups: [] } as const;
    const shape = { group_by: "status", groups: [], asked_at: "2026-11-01T00:00:00.000Z", kept: true };
    expect(groupedShape({ ...plain, rest: null }, undefined)).toEqual(shape);
    expect(groupedShape({ ...plain, rest }, undefined)).toEqual({ ...shape, rest });
  });

  it("The JSON of compared groups lists what each period has, and every change", () => {
    const group = { key: 1, label: "Ana", ...summary(1, 1, 1) };
    const change = { key: 1, label: "Ana", ...compareMetrics(undefined, group) };
    const compared = {
      kind: "comparison",
      groupBy: "driver_id",
      periods: { current: october, previous: september },
      ages: { current: fresh, previous: old },
      groups: [{ current: undefined, previous: group, change }],
      rest: null,
    } as const;
    expect(groupedShape(compared, undefined)).toMatchObject({
      current: { group_by: "driver_id", groups: [], kept: false },
      previous: { group_by: "driver_id", groups: [group], kept: true },
      change: { group_by: "driver_id", groups: [change] },
    });
  });
});
