import { describe, expect, test } from "vitest";

import { readGroupedSummary, readSummary } from "../../src/api/responses.js";

const answer = (total_order_count: unknown, total_revenue: unknown, average_order_value: unknown) => ({
  total_order_count,
  total_revenue,
  average_order_value,
});

describe("a summary", () => {
  test.each([
    ["computes an average that is null", answer(3, 100, null), 33.33],
    ["computes an average with more than two decimals, rounded half up", answer(8, 0.2, 0.025), 0.03],
    ["reads the average of no orders as 0", answer(0, 0, null), 0],
    ["reads the average of no orders as 0 if the revenue is a text", answer(0, "0.00", null), 0],
    ["reads a null revenue and average of no orders as 0", answer(0, null, null), 0],
    ["accepts the service's average, right or wrong", answer(3, 100, 33.34), 33.34],
  ])("%s", (_, given, average) => {
    // Undocumented fields are only in the response's text.
    expect(readSummary({ ...given, more: 1 })).toEqual({
      ...given,
      total_revenue: Number(given.total_revenue),
      average_order_value: average,
    });
    const group = { key: 1, label: "Ana", ...given };
    expect(readGroupedSummary({ group_by: "driver_id", groups: [group] })).toEqual({
      group_by: "driver_id",
      groups: [{ ...group, total_revenue: Number(given.total_revenue), average_order_value: average }],
    });
  });

  test.each([
    ["no average", { total_order_count: 1, total_revenue: 1 }],
    ["no revenue", answer(1, null, null)],
    ["an average without revenue", answer(2, null, 7)],
    ["no count", answer(null, null, null)],
    ["half an order", answer(1.5, 1, null)],
    ["nothing", undefined],
  ])("isn't from the API with %s", (_, given) => {
    expect(readSummary(given)).toBeUndefined();
    expect(readGroupedSummary({ group_by: "day", groups: [given] })).toBeUndefined();
  });
});
