import { expect, test } from "vitest";

import { isContradicted, totalOf, type Total } from "../../../src/sales/plan/known-totals.js";

const total = (askedAt: number, orders: number, revenue = orders * 1_000): Total => ({
  askedAt,
  sum: { orders, revenue },
});

test.each<[string, Total, readonly Total[], boolean]>([
  ["nothing else is known", total(1, 758), [], false],
  ["a younger answer has another total", total(1, 758), [total(2, 759)], true],
  ["a younger answer has as many orders of another revenue", total(1, 758), [total(2, 758, 1)], true],
  ["a younger answer has the same total", total(1, 758), [total(2, 758)], false],
  ["an older answer has another total", total(2, 758), [total(1, 759)], false],
  ["one of the same moment has another total", total(1, 758), [total(1, 759)], false],
  ["what changed was taken back", total(1, 758), [total(2, 759), total(3, 758)], false],
  ["what agreed has changed since", total(1, 758), [total(3, 759), total(2, 758)], true],
])("Where %s an answer is contradicted: %s", (_, own, others, expected) => {
  expect(isContradicted(own, others)).toBe(expected);
});

test("A total is the same however the orders are split", () => {
  const group = { label: null, average_order_value: 0 };
  const answers = [
    { total_order_count: 3, total_revenue: 10.3, average_order_value: 3.43 },
    {
      group_by: "status",
      groups: [
        { ...group, key: "closed", total_order_count: 2, total_revenue: 10.1 },
        { ...group, key: null, total_order_count: 1, total_revenue: 0.2 },
      ],
    },
  ];
  const totals = answers.map((answer) => totalOf({ askedAt: 5, answer }));
  expect(totals).toEqual(Array(2).fill({ askedAt: 5, sum: { orders: 3, revenue: 1_030 } }));
});
