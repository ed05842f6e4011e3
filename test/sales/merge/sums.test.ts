import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { addCents, addMetrics, centsOf, noOrders, withWholeCents } from "../../../src/sales/merge/sums.js";

describe("amounts", () => {
  test("Amounts are read exactly, or rounded to the nearest cent", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000_000, max: 10_000_000 }),
        fc.integer({ min: 0, max: 999 }),
        (cents, rest) => {
          const text = `${(Math.abs(cents) / 100).toFixed(2)}${String(rest).padStart(3, "0")}`;
          const read = centsOf(cents < 0 ? -Number(text) : Number(text));
          const [sign, magnitude] = [cents < 0 ? -1 : 1, Math.abs(cents)];
          const up = sign < 0 ? rest > 500 : rest >= 500;
          expect(read + 0).toBe(sign * (magnitude + (up ? 1 : 0)) + 0);
        },
      ),
    );
  });

  test.each([
    [1.005, 101],
    [-1.005, -100],
    [-1.0051, -101],
    [-0.011, -1],
    [-0.001, 0],
    [-0, 0],
  ])("%d is rounded half up to %d cents", (amount, cents) => {
    expect(centsOf(amount)).toBe(cents);
  });

  test("An answer keeps what it says, but for amounts with parts of a cent", () => {
    const answer = { total_order_count: 3, total_revenue: 10, average_order_value: 3.33, since: "2026" };
    const rounded: number[] = [];
    const read = (amounts: object) => withWholeCents({ ...answer, ...amounts }, (one) => rounded.push(one));
    expect(read({})).toEqual(answer);
    expect(read({ average_order_value: 3.3333 })).toEqual(answer);
    expect(read({ total_revenue: 9.999 })).toEqual(answer);
    expect(rounded).toEqual([3.3333, 9.999]);
  });

  test("No figures at all are zeros", () => {
    expect(addMetrics([])).toEqual(noOrders);
    expect(noOrders).toEqual({ total_order_count: 0, total_revenue: 0, average_order_value: 0 });
  });

  test("Amounts are never added beyond what is exact", () => {
    expect(() => addCents(Number.MAX_SAFE_INTEGER, 1)).toThrow(
      expect.objectContaining({ code: "unexpected_answer" }),
    );
  });
});
