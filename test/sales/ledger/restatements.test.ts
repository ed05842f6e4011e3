import { expect, test } from "vitest";

import type { Group } from "../../../src/contract/models.js";
import { restatements } from "../../../src/sales/ledger/restatements.js";
import { createNumberFormat } from "../../../src/sales/present/number-format.js";
import { restatedLines } from "../../../src/sales/present/restated.js";

const day = 24 * 60 * 60_000;
const metrics = (orders: number, revenue: number) => ({
  total_order_count: orders,
  total_revenue: revenue,
  average_order_value: 0,
});
const group = (key: Group["key"], orders: number, revenue: number, label: string | null = null) => ({
  key,
  label,
  ...metrics(orders, revenue),
});
const october = {
  firstDay: "2026-10-01",
  lastDay: "2026-10-31",
  endsAt: Date.parse("2026-11-01T02:59:59Z"),
  zone: "America/Sao_Paulo",
};
const asked = Date.parse("2026-11-01T15:00:00Z");
const byDay = { ...october, dimension: "day" } as const;
const days = (...groups: Group[]) => ({ group_by: "day", groups });

test("A restatement says what a day was, what it is, and since when that was known", () => {
  const before = { askedAt: asked, answer: days(group("2026-10-05", 9, 470.2), group("2026-10-06", 1, 10)) };
  const after = {
    askedAt: asked + day,
    answer: days(group("2026-10-05", 8, 400.1), group("2026-10-06", 1, 10)),
  };
  expect(restatements(before, after, byDay)).toEqual([
    {
      dimension: "day",
      key: "2026-10-05",
      label: null,
      from: "2026-10-01",
      to: "2026-10-31",
      before: { total_order_count: 9, total_revenue: 470.2 },
      after: { total_order_count: 8, total_revenue: 400.1 },
      since: asked,
    },
  ]);
});

test("A group that comes or goes is restated from or to nothing", () => {
  const before = { askedAt: asked, answer: days(group("2026-10-05", 1, 5)) };
  const after = { askedAt: asked + day, answer: days(group("2026-10-07", 2, 6)) };
  const found = restatements(before, after, byDay);
  expect(
    found.map(({ key, before: { total_revenue: then }, after: { total_revenue: now } }) => [key, then, now]),
  ).toEqual([
    ["2026-10-05", 5, 0],
    ["2026-10-07", 0, 6],
  ]);
});

test.each([
  ["a day of a month that lasts, but was over", "day", "2026-10-08T12:00:00Z", ["2026-10-05"]],
  ["a day that still lasted", "day", "2026-10-05T20:00:00Z", []],
  ["a day that had just ended", "day", "2026-10-06T08:00:00Z", []],
  ["a day that had ended 6 hours ago in the store's zone", "day", "2026-10-06T09:00:00Z", ["2026-10-05"]],
  ["a driver of a month that lasted", "driver_id", "2026-10-08T12:00:00Z", []],
] as const)("%s: restated are %j", (_, dimension, at, keys) => {
  const before = { askedAt: Date.parse(at), answer: days(group("2026-10-05", 1, 5)) };
  const after = { askedAt: asked, answer: days(group("2026-10-05", 2, 9)) };
  expect(restatements(before, after, { ...october, dimension }).map(({ key }) => key)).toEqual([...keys]);
});

test("An average or a label that changes alone restates nothing", () => {
  const before = { askedAt: asked, answer: days(group(1, 1, 5, "Ana")) };
  const after = { askedAt: asked + day, answer: days({ ...group(1, 1, 5, "Bia"), average_order_value: 5 }) };
  expect(restatements(before, after, { ...october, dimension: "driver_id" })).toEqual([]);
});

test("Restatements are told in a line each, the largest first, the year where it is another", () => {
  const format = createNumberFormat({ locale: "pt-BR", currency: "BRL" });
  const lines = (now: string, ...all: Parameters<typeof restatements>[]) =>
    restatedLines(
      all.flatMap((one) => restatements(...one)),
      { format, zone: october.zone, now: Date.parse(now) },
    ).map((line) => line.replaceAll("\u00a0", " ").replaceAll("\u2212", "-"));
  const pair = (before: Group[], after: Group[]) =>
    [
      { askedAt: asked, answer: days(...before) },
      { askedAt: asked + day, answer: days(...after) },
    ] as const;
  const fifth = [...pair([group("2026-10-05", 2, 80.1)], [group("2026-10-05", 1, 10)]), byDay] as const;
  const ana = [
    ...pair([group(7, 1, 5, "Ana")], [group(7, 1, 6, "Ana")]),
    { ...october, dimension: "driver_id" },
  ] as const;
  const whole = [
    { askedAt: asked, answer: metrics(3, 1) },
    { askedAt: asked + day, answer: metrics(5, 1) },
    { ...october, dimension: null },
  ] as const;
  expect(lines("2026-11-20T12:00:00Z", [...whole], [...ana], [...fifth])).toEqual([
    "5 Oct restated: -R$ 70,10, -1 order since 1 Nov",
    "driver_id Ana (7), 1 Oct to 31 Oct restated: +R$ 1,00 since 1 Nov",
    "1 Oct to 31 Oct restated: +2 orders since 1 Nov",
  ]);
  expect(lines("2027-02-01T12:00:00Z", [...fifth])).toEqual([
    "5 Oct 2026 restated: -R$ 70,10, -1 order since 1 Nov 2026",
  ]);
});
