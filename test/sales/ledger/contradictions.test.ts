import { expect, test } from "vitest";

import { isContradicted, type DatedAnswer } from "../../../src/sales/ledger/freshness.js";

const answer = (askedAt: number, orders: number, revenue = orders * 10): DatedAnswer => ({
  askedAt,
  answer: { total_order_count: orders, total_revenue: revenue, average_order_value: 10 },
});

test.each<[string, DatedAnswer, readonly DatedAnswer[], boolean]>([
  ["nothing else is known", answer(1, 758), [], false],
  ["a younger answer has another total", answer(1, 758), [answer(2, 759)], true],
  ["a younger answer has as many orders of another revenue", answer(1, 758), [answer(2, 758, 1)], true],
  ["a younger answer has the same total", answer(1, 758), [answer(2, 758)], false],
  ["an older answer has another total", answer(2, 758), [answer(1, 759)], false],
  ["one of the same moment has another total", answer(1, 758), [answer(1, 759)], false],
  ["what changed was taken back", answer(1, 758), [answer(2, 759), answer(3, 758)], false],
  ["what agreed has changed since", answer(1, 758), [answer(3, 759), answer(2, 758)], true],
])("Where %s an answer is contradicted: %s", (_, own, others, expected) => {
  expect(isContradicted(own, others)).toBe(expected);
});

test("A total is the same however the orders are split", () => {
  const group = { label: null, average_order_value: 0 };
  const whole = { total_order_count: 3, total_revenue: 10.3, average_order_value: 3.43 };
  const byStatus = (revenue: number) => ({
    group_by: "status",
    groups: [
      { ...group, key: "closed", total_order_count: 2, total_revenue: revenue },
      { ...group, key: null, total_order_count: 1, total_revenue: 0.2 },
    ],
  });
  const isWrong = (revenue: number) =>
    isContradicted({ askedAt: 1, answer: whole }, [{ askedAt: 2, answer: byStatus(revenue) }]);
  expect([isWrong(10.1), isWrong(10.2)]).toEqual([false, true]);
});
