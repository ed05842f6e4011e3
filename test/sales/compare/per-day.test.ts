/** Weekdays and hours are compared per day: a month has four Tuesdays or five. */
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";

import type { Group } from "../../../src/contract/models.js";
import { parseAlert } from "../../../src/sales/compare/alert-rules.js";
import { groupAlerts } from "../../../src/sales/compare/group-alerts.js";
import { daysOfSides } from "../../../src/sales/compare/group-days.js";
import { compareGroups } from "../../../src/sales/compare/groups.js";
import type { Comparison } from "../../../src/sales/period/comparison.js";
import type { Period } from "../../../src/sales/period/period.js";
import type { PeriodRequest } from "../../../src/sales/period/resolve.js";
import { rankGroups } from "../../../src/sales/present/ranking.js";
import { periodsOf } from "../../../src/sales/results.js";
import { asking } from "../support/oracle.js";

type Repeated = "day_of_week" | "hour";

/** A Friday, noon. */
const now = Date.parse("2026-11-20T15:00:00Z");

interface Scene {
  readonly dayStarts?: string;
  /** How much an order of a day is of; none where it is 0. */
  readonly amountOf?: (day: Temporal.PlainDate) => number;
}

/** Orders at three hours of every day, three hours behind UTC. */
function ordersOf({ amountOf = () => 10 }: Pick<Scene, "amountOf">) {
  const first = Temporal.PlainDate.from("2024-12-01");
  return Array.from({ length: 720 }, (_, index) => first.add({ days: index }))
    .flatMap((day) =>
      [1, 12, 19].map((hour) => ({
        at: Date.UTC(day.year, day.month - 1, day.day, hour + 3, 20),
        ...{ weekday: day.dayOfWeek % 7, hour, amount: amountOf(day) },
      })),
    )
    .filter(({ at }) => at <= now);
}

/** As the emulator writes them. */
function groupsOf(orders: ReturnType<typeof ordersOf>, by: Repeated, { start, end, dayStarts }: Period) {
  const sums = new Map<number, number[]>();
  for (const { at, weekday, hour, amount } of orders) {
    if (at < start.epochMilliseconds || at > end.epochMilliseconds) continue;
    const isNight = dayStarts !== undefined && hour < Number(dayStarts.slice(0, 2));
    const key = by === "hour" ? hour : (weekday + (isNight ? 6 : 0)) % 7;
    sums.set(key, [...(sums.get(key) ?? []), amount]);
  }
  const placed = [...sums]
    .toSorted(([a], [b]) => a - b)
    .map(([key, amounts]) => ({
      group: { key, label: by === "hour" ? null : (weekdays[key] ?? null), ...metricsOf(amounts) },
      ...{ identity: String(key), ordinal: undefined },
    }));
  return { grouped: { group_by: by, groups: placed.map(({ group }) => group) }, placed };
}

const weekdays = [
  "Domingo",
  "Segunda-feira",
  "Terça-feira",
  "Quarta-feira",
  "Quinta-feira",
  "Sexta-feira",
  "Sábado",
];

function metricsOf(amounts: readonly number[]) {
  const sum = amounts.reduce((all, one) => all + one, 0);
  return { total_order_count: amounts.length, total_revenue: sum, average_order_value: sum / amounts.length };
}

function compared(
  by: Repeated,
  [period, comparison]: readonly [PeriodRequest, Comparison],
  scene: Scene = {},
  orders = ordersOf(scene),
) {
  const { dayStarts = "00:00" } = scene;
  const asked = asking(
    { zone: "America/Sao_Paulo", dayStarts, from: "", to: "" },
    { now, period, comparison },
  );
  const [current, previous] = periodsOf(asked).map((side) => ({
    ...{ period: side, figures: groupsOf(orders, by, side) },
    ...{ age: { askedAt: now, kept: false }, canceled: null },
  }));
  if (!current || !previous) throw new Error("there are two sides");
  return { current, previous };
}

const display = { locale: "en", currency: undefined };

const months = Array.from({ length: 12 }, (_, index) => `2025-${String(index + 1).padStart(2, "0")}`);
const weeks = ["2026-10-26", "2026-03-30", "2025-12-29"].map((from) => ({
  from,
  to: Temporal.PlainDate.from(from).add({ days: 6 }).toString(),
}));
const pairs: readonly (readonly [PeriodRequest, Comparison])[] = [
  ...[...months, "2026-02", "2026-10"].flatMap((period) =>
    (["previous", "year"] as const)
      .filter((comparison) => comparison === "previous" || period.startsWith("2026"))
      .map((comparison) => [{ period }, comparison] as const),
  ),
  ...weeks.map((week) => [week, "previous"] as const),
  [{ period: "last-week" }, "year"],
  [{ from: "2026-10-01", to: "2026-10-17" }, "previous"],
  [{ period: "2026-10-20" }, "week"],
];

test.each<[string, Scene]>([
  ["days from midnight", {}],
  ["days from 4", { dayStarts: "04:00" }],
])("Constant sales are 0% in every cell, for every pair of months, weeks and weekdays: %s", (_, scene) => {
  const orders = ordersOf(scene);
  for (const [pair, by] of pairs.flatMap((one) =>
    (["day_of_week", "hour"] as const).map((by) => [one, by] as const),
  )) {
    const figures = compared(by, pair, scene, orders);
    const ranked = rankGroups(figures, {
      ...{ dimension: by, dateField: undefined, display },
      ranking: { rest: true, top: 2 },
    });
    const groups = compareGroups(figures.current, figures.previous, by, { dateField: undefined });
    const changes = [...groups, ...(ranked.rest ? [ranked.rest] : []), ranked.whole].map(
      ({ change }) => change?.per_day,
    );
    const percents = changes.flatMap((change) => [
      change?.total_order_count.percent,
      change?.total_revenue.percent,
    ]);
    expect([pair, by, percents]).toEqual([pair, by, percents.map(() => 0)]);
    const rules = ["orders<0%", "orders>0%", "revenue<0%", "revenue>0%"].map(parseAlert);
    const alerts = groupAlerts(figures, {
      ...{ dimension: by, dateField: undefined, weeks: undefined },
      rules,
    });
    expect(alerts.map(({ holds, unjudged }) => [holds, unjudged])).toEqual(
      alerts.map(() => [false, undefined]),
    );
  }
});

/** September 2026 has five Tuesdays, October four; each of October's sold a tenth more. */
const tuesdays: Scene = {
  amountOf: (day) => (day.dayOfWeek === 2 && day.month === 10 ? 11 : 10),
};

test("Where each Tuesday rose, Tuesdays rose, however many there are", () => {
  const figures = compared("day_of_week", [{ period: "2026-10" }, "previous"], tuesdays);
  const { daily, change } =
    compareGroups(figures.current, figures.previous, "day_of_week", { dateField: undefined })[2] ?? {};
  expect(daily?.sides.map(({ days }) => days?.days)).toEqual([4, 5]);
  expect(daily?.perDay).toEqual({
    current: { total_order_count: 3, total_revenue: 33 },
    previous: { total_order_count: 3, total_revenue: 30 },
    change: {
      total_order_count: { absolute: 0, percent: 0 },
      total_revenue: { absolute: 3, percent: 10 },
    },
  });
  // What the sums say stands beside it.
  expect(change?.total_revenue).toEqual({ absolute: -18, percent: -12 });
  const [alert] = groupAlerts(figures, {
    ...{ dimension: "day_of_week", dateField: undefined, weeks: undefined },
    rules: [parseAlert("revenue>=10%")],
  }).filter(({ holds }) => holds);
  expect(alert).toMatchObject({ group: { key: 2 }, value: 33, baseline: 30, perDay: true });
});

test("A month that is running is told of no weekday that it has cut where the other hasn't", () => {
  // It is a Friday; the 20th of October was a Tuesday.
  const figures = compared("day_of_week", [{ period: "this-month" }, "previous"]);
  const percents = compareGroups(figures.current, figures.previous, "day_of_week", {
    dateField: undefined,
  }).map(({ change }) => change.per_day?.total_order_count.percent);
  expect(percents).toEqual([0, 0, null, 0, 0, null, 0]);
  const ranked = rankGroups(figures, {
    ...{ dimension: "day_of_week", dateField: undefined, display },
    ranking: { rest: false },
  });
  // As many days, until the same time.
  expect(ranked.whole.change?.per_day?.total_order_count.percent).toBe(0);
  const alerts = groupAlerts(figures, {
    ...{ dimension: "day_of_week", dateField: undefined, weeks: undefined },
    rules: [parseAlert("orders<-1%")],
  });
  expect(alerts.map(({ holds, unjudged }) => [holds, unjudged])).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((weekday) => [false, weekday === 2 || weekday === 5 ? "part" : undefined]),
  );
});

describe("how many days there are", () => {
  const daysIn = (
    by: Repeated,
    period: PeriodRequest,
    groups: readonly Pick<Group, "key" | "label">[],
    zone = "UTC",
  ) => {
    const { current } = asking({ zone, dayStarts: "00:00", from: "", to: "" }, { now, period });
    const placed = groups.map((group) => ({
      group: { ...group, total_order_count: 1, total_revenue: 1, average_order_value: 1 },
      ...{ identity: JSON.stringify(group.key), ordinal: undefined },
    }));
    const list = { grouped: { group_by: by, groups: placed.map(({ group }) => group) }, placed };
    const side = { period: current, figures: list, age: { askedAt: now, kept: false } };
    const [daysOf] = daysOfSides([side], by, undefined);
    return groups.map((group) => daysOf?.(group)?.days);
  };
  const numbered = (...keys: (string | number)[]) => keys.map((key) => ({ key, label: null }));
  const october = { period: "2026-10" };

  test.each<[string, Repeated, PeriodRequest, readonly Pick<Group, "key" | "label">[], unknown[]]>([
    [
      "names tell the weekday",
      "day_of_week",
      october,
      [
        { key: "4", label: "quinta-feira" },
        { key: "7", label: "domingo" },
      ],
      [5, 4],
    ],
    [
      "numbers alone tell it only where all ways of numbering agree",
      "day_of_week",
      october,
      numbered(4, 5),
      [undefined, 5],
    ],
    [
      "nor need they, where there are as many of each",
      "day_of_week",
      { from: "2026-10-05", to: "2026-10-18" },
      numbered(1, 2),
      [2, 2],
    ],
    ["every day has every hour", "hour", october, numbered("9h", "dez"), [31, 31]],
    // It is 15:00 in UTC.
    [
      "of a period that is running, the hours until now",
      "hour",
      { period: "this-month" },
      numbered(9, 14, 15, 22),
      [20, 20, 19, 19],
    ],
    [
      "of one that is asked for to its end, the days until now",
      "day_of_week",
      { period: "2026-11" },
      [
        { key: 5, label: "Friday" },
        { key: 6, label: "Saturday" },
      ],
      [3, 2],
    ],
  ])("%s", (_, by, period, groups, expected) => {
    expect(daysIn(by, period, groups)).toEqual(expected);
  });

  test("An hour that the clock leaves out is not there on that day", () => {
    const march = { period: "2026-03" };
    expect(daysIn("hour", march, numbered(0, 1, 2), "Europe/Lisbon")).toEqual([31, 30, 31]);
    // There the day began at one.
    const friday = { period: "2026-04-24" };
    expect(daysIn("hour", friday, numbered(0, 1, 2), "Africa/Cairo")).toEqual([0, 1, 1]);
  });
});
