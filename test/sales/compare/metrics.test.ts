import { describe, expect, test } from "vitest";

import { compareMetrics } from "../../../src/sales/compare/metrics.js";

function metrics(total_order_count: number, total_revenue: number, average_order_value: number) {
  return { total_order_count, total_revenue, average_order_value };
}

describe("compareMetrics", () => {
  test("A change is absolute and in percent, exact in cents", () => {
    expect(compareMetrics(metrics(3, 0.3, 0.1), metrics(4, 0.1, 0.03))).toEqual({
      total_order_count: { absolute: -1, percent: -25 },
      total_revenue: { absolute: 0.2, percent: 200 },
      average_order_value: { absolute: 0.07, percent: 233.33 },
    });
  });

  test("A change never divides by zero", () => {
    const change = compareMetrics(metrics(2, 5, 2.5), metrics(0, 0, 0));
    expect(change.total_revenue).toEqual({ absolute: 5, percent: null });
    expect(compareMetrics(metrics(0, 0, 0), metrics(2, 5, 2.5)).total_order_count).toEqual({
      absolute: -2,
      percent: -100,
    });
    expect(compareMetrics().total_revenue).toEqual({ absolute: 0, percent: null });
  });

  test.each([
    [1, 3, -66.67],
    [2, 3, -33.33],
    [20_001, 20_000, 0.01],
    [19_999, 20_000, 0],
    [40_001, 40_000, 0],
    [1_000_000_000, 3, 33_333_333_233.33],
  ])("%d after %d is a change of %d percent", (current, previous, percent) => {
    expect(compareMetrics(metrics(current, 0, 0), metrics(previous, 0, 0)).total_order_count.percent).toBe(
      percent,
    );
  });
});
