import { describe, expect, test } from "vitest";

import { canceledByFilters, canceledByStatus, withoutCanceled } from "../../../src/sales/plan/canceled.js";
import { parseFilters } from "../../../src/sales/plan/filters.js";

describe("how many orders are canceled", () => {
  test.each([
    [[withoutCanceled], "none"],
    [["status=closed,delivered"], "none"],
    [["total>=50", "status!=canceled,closed"], "none"],
    [["status=canceled"], "all"],
    [["status=canceled", "total>=50"], "all"],
    [["status=canceled,closed"], "unknown"],
    [["status!=closed"], "unknown"],
    [["total>=50"], "unknown"],
    [[], "unknown"],
  ])("The filters %j say: %s", (texts, answer) => {
    expect(canceledByFilters(parseFilters(texts))).toBe(answer);
  });

  const group = (key: string, count: number, revenue: number) => ({
    key,
    label: null,
    total_order_count: count,
    total_revenue: revenue,
    average_order_value: 0,
  });
  const groups = [group("closed", 3, 0.1), group("canceled", 1, 0.2)];
  const all = { total_order_count: 4, total_revenue: 0.3, average_order_value: 0.08 };

  test("The same orders by status say it, in cents", () => {
    expect(canceledByStatus(groups, all)).toEqual({ total_order_count: 1, total_revenue: 0.2 });
    expect(canceledByStatus(groups.slice(0, 1), group("", 3, 0.1))).toEqual({
      total_order_count: 0,
      total_revenue: 0,
    });
  });

  test("Orders by status that don't add up to the figures are of another time, and say nothing", () => {
    expect(canceledByStatus(groups, { ...all, total_order_count: 5 })).toBeNull();
    expect(canceledByStatus(groups, { ...all, total_revenue: 0.31 })).toBeNull();
  });
});
