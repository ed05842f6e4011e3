/** Rows of answers: which are valid, their sums, their order and their changes. */
import { describe, expect, test } from "vitest";

import type { Dimension } from "../../src/api/values.js";
import {
  addStores,
  addWindows,
  changeOf,
  compare,
  completed,
  inTimeOrder,
  metricsOf,
  perDayOf,
  rowsOf,
  totalOf,
  type FiguresWarning,
  type Row,
} from "../../src/sales/figures.js";
import { parseDate, wholeDays } from "../../src/sales/period.js";
import { figuresOf, row, rowsIn } from "./sample.js";

const unexpected = expect.objectContaining({ code: "unexpected_answer" }) as Error;

describe("rowsOf", () => {
  const group = (key: number, orders: number, revenue: number) => ({
    ...{ key, label: null, average_order_value: 1 },
    ...{ total_order_count: orders, total_revenue: revenue },
  });
  const read = (
    groups: ReturnType<typeof group>[],
    warn: (warning: FiguresWarning) => void = () => undefined,
  ) => rowsOf({ group_by: "driver_id", groups }, "driver_id", warn);

  test.each([
    ["a key twice", [group(1, 1, 1), group(1, 2, 2)]],
    ["a negative number of orders", [group(1, -1, 1)]],
    ["a fractional number of orders", [group(1, 1.5, 1)]],
    ["revenue without orders", [group(1, 0, 7)]],
    ["an amount that isn't exact in cents", [group(1, 1, 90_071_992_547_409_920)]],
  ])("rejects %s", (_, groups) => {
    expect(() => read(groups)).toThrow(unexpected);
  });

  test("rejects another dimension than requested, or none", () => {
    const summary = { total_order_count: 1, total_revenue: 1, average_order_value: 1 };
    expect(() => rowsOf(summary, "status", () => undefined)).toThrow(unexpected);
    expect(() => rowsOf({ group_by: "day", groups: [] }, "status", () => undefined)).toThrow(unexpected);
    expect(rowsOf(summary, undefined, () => undefined)).toEqual([row(null, 1, 100)]);
  });

  test("accepts exact amounts, and groups with revenue 0 or without orders", () => {
    expect(read([group(1, 3, 10.55), group(2, 1, 0), group(3, 0, 0)])).toEqual([
      ...[row(1, 3, 1055), row(2, 1, 0), row(3, 0, 0)],
    ]);
  });

  test.each([
    [1.005, 101],
    [-1.005, -100],
    [1e-7, 0],
  ])("rounds the amount %d to %d cents, with a warning", (amount, cents) => {
    const warnings: FiguresWarning[] = [];
    expect(read([group(1, 1, amount)], (warning) => warnings.push(warning))).toEqual([row(1, 1, cents)]);
    expect(warnings).toEqual([{ about: "rounded", amount, cents }]);
  });
});

describe("addWindows", () => {
  test("adds up a group of two windows, with its newest name", () => {
    const windows = [
      [row(11, 2, 1050, "Bia"), row(null, 1, 5)],
      [row("11", 9, 9), row(11, 1, 5, "Beatriz"), row(null, 1, 5)],
      [row(11, 1, 5)],
    ];
    const sums = [row(11, 4, 1060, "Beatriz"), row(null, 2, 10), row("11", 9, 9)];
    expect(addWindows(windows, "driver_id")).toEqual(sums);
  });

  test.each(["month", "week", "day"] as const)("keeps years apart if a key is only its number: %s", (by) => {
    const windows = ["11=1 12=1", "1=1 2=1 3=1 4=1 5=1 6=1", "6=1 7=1 11=1"].map((text) => rowsIn(text));
    const rows = rowsIn("11=1 12=1 1=1 2=1 3=1 4=1 5=1 6=2 7=1 11=1");
    expect(addWindows(windows, by)).toEqual(rows);
  });
});

test("totalOf rejects a sum that is too large to be exact", () => {
  const most = Number.MAX_SAFE_INTEGER;
  expect(totalOf([row(1, 1, most - 1), row(2, 1, 1)])).toEqual(row(null, 2, most));
  expect(() => totalOf([row(1, 1, most), row(2, 1, 1)])).toThrow(unexpected);
  expect(() => totalOf([row(1, most, 1), row(2, 1, 1)])).toThrow(unexpected);
});

const weekdays = "Sábado=1 Segunda-feira=2 Domingo=4 Terça-feira=8";

test.each<[Dimension | undefined, first: string, given: string, expected: string]>([
  ["hour", "2026-10-01", "20:00=2 null=7 09:00=3", "09:00=3 20:00=2 null=7"],
  ["day_of_week", "2026-10-01", "3=1 0=2 6=4", "0=2 3=1 6=4"],
  ["day_of_week", "2026-10-01", weekdays, "Domingo=4 Segunda-feira=2 Terça-feira=8 Sábado=1"],
  ["day_of_week", "2026-10-01", "x=9 d(Friday)=1 a(Mon)=2", "a(Mon)=2 d(Friday)=1 x=9"],
  ["day", "2026-10-30", "2=1 31=2 1=3 30=4", "30=4 31=2 1=3 2=1"],
  ["day", "2025-10-01", "01/02/2026=1 20/11/2025=2 02/05/2026=3", "20/11/2025=2 01/02/2026=1 02/05/2026=3"],
  ["week", "2025-12-15", "2026-W02=1 2025-W51=2 2026-W01=3", "2025-W51=2 2026-W01=3 2026-W02=1"],
  ["week", "2025-12-29", "2=1 1=3 0=4", "0=4 1=3 2=1"],
  ["month", "2025-07-01", "12=1 7=6 2=1 6=8 1=9", "7=6 12=1 1=9 2=1 6=8"],
  ["month", "2025-07-01", "202512=1 202507=6 null=1 202602=1", "202507=6 202512=1 202602=1 null=1"],
  ["sales_channel", "2026-10-01", "totem=1 2026-10=5 catalog=3", "totem=1 2026-10=5 catalog=3"],
  [undefined, "2026-10-01", "2=1 1=1", "2=1 1=1"],
])("groups by %s from %s: %s are in the order %s", (by, first, given, expected) => {
  expect(inTimeOrder(rowsIn(given), by, first)).toEqual(rowsIn(expected));
});

describe("addStores", () => {
  const sums = (by: Dimension, first: string, ...stores: readonly string[]) =>
    addStores(
      stores.map((text) => figuresOf(first, "2026-02-28", rowsIn(text))),
      by,
    )?.rows;

  test("sorts groups that only one store has", () => {
    expect(sums("week", "2025-12-15", "52=1 2=2", "51=3 1=4")).toEqual(rowsIn("51=3 52=1 1=4 2=2"));
    const days = ["20/11/2025=1 01/02/2026=2", "02/12/2025=3"];
    expect(sums("day", "2025-11-01", ...days)).toEqual(rowsIn("20/11/2025=1 02/12/2025=3 01/02/2026=2"));
  });

  test("has no sum if a store has a key twice", () => {
    expect(sums("month", "2025-11-01", "11=1 12=1 11=1", "11=1")).toBeUndefined();
    expect(sums("month", "2026-01-01", "1=1 2=1", "1=1")).toEqual(rowsIn("1=2 2=1"));
    expect(addStores([], "month")).toBeUndefined();
  });

  test("leaves out days without orders if another store's days aren't dates", () => {
    const empty = "2026-02-27=0 2026-02-28=0";
    expect(sums("day", "2026-02-27", empty, "28/02/2026=3")).toEqual(rowsIn("28/02/2026=3"));
    expect(sums("day", "2026-02-27", empty, "2026-02-28=3")).toEqual(rowsIn("2026-02-27=0 2026-02-28=3"));
    const both = "2026-02-28=1 28/02/2026=3";
    expect(sums("day", "2026-02-27", empty, both)).toEqual(rowsIn(both));
    const mixed = ["2026-02-27=1 2026-02-28=0", "28/02/2026=3 27/02/2026=0"];
    expect(sums("day", "2026-02-27", ...mixed)).toEqual(rowsIn("2026-02-27=1 27/02/2026=0 28/02/2026=3"));
  });

  test.each([
    ["no difference", {}, {}],
    [
      "a later start of the day",
      { dayStarts: "04:00" },
      { dayStarts: undefined, start: "2026-10-01T00:00:00-03:00", end: "2026-11-01T03:59:59.999999-03:00" },
    ],
    [
      "a later zone",
      { zone: "America/Manaus" },
      { zone: "UTC", start: "2026-10-01T03:00:00+00:00", end: "2026-11-01T03:59:59.999999+00:00" },
    ],
    [
      "another zone with the same offset",
      { zone: "America/Fortaleza" },
      { zone: "UTC", start: "2026-10-01T03:00:00+00:00", end: "2026-11-01T02:59:59.999999+00:00" },
    ],
    [
      "an earlier zone",
      { zone: "America/Noronha" },
      { zone: "UTC", start: "2026-10-01T02:00:00+00:00", end: "2026-11-01T02:59:59.999999+00:00" },
    ],
  ])("has the whole time of stores with %s", (_, days, expected) => {
    const here = figuresOf("2026-10-01", "2026-10-31", []);
    const { label, zone, first, last } = here.period;
    const other = wholeDays({ label, zone, first: parseDate(first), last: parseDate(last), ...days });
    const { period } = addStores([here, { ...here, period: other }], "day") ?? {};
    expect(period).toEqual({ ...here.period, ...expected });
  });

  test("is as old as its oldest part, and cached if any part is", () => {
    const fresh = figuresOf("2026-10-01", "2026-10-31", []);
    expect(addStores([fresh, { ...fresh, askedAt: 7, cached: true }], "day")).toMatchObject({
      ...{ askedAt: 7, cached: true, period: fresh.period },
    });
    expect(addStores([fresh, fresh], "day")).toMatchObject({ askedAt: fresh.askedAt, cached: false });
  });
});

describe("completed", () => {
  const days = (text: string, sides = text) =>
    completed(figuresOf("2026-10-01", "2026-10-03", rowsIn(text)), "day", rowsIn(sides));

  test.each([
    ["2026-10-03=1 2026-10-01=2", "2026-10-01=2 2026-10-02=0 2026-10-03=1"],
    ["", "2026-10-01=0 2026-10-02=0 2026-10-03=0"],
    ["03/10/2026=1", "03/10/2026=1"],
    ["2026-10-03=1 null=1", "2026-10-03=1 null=1"],
    [
      "2026-10-03(2026-10-03)=1",
      "2026-10-01(2026-10-01)=0 2026-10-02(2026-10-02)=0 2026-10-03(2026-10-03)=1",
    ],
    ["2026-10-03(third)=1", "2026-10-01=0 2026-10-02=0 2026-10-03(third)=1"],
  ])("makes the days %s to %s", (given, expected) => {
    expect(days(given)).toEqual(rowsIn(expected));
  });

  test("adds no days if the other period's keys aren't dates", () => {
    expect(days("2026-10-03=1", "2026-10-03=1 4=1")).toEqual(rowsIn("2026-10-03=1"));
  });

  test("adds the number of days to weekdays and hours, and nothing to other groups", () => {
    const october = (by: Dimension, text: string) =>
      completed(figuresOf("2026-10-01", "2026-10-31", rowsIn(text)), by, []).map((each) => each.days);
    expect(october("day_of_week", "Tuesday=1 Saturday=1 x=1")).toEqual([4, 5, undefined]);
    expect(october("hour", "9=1")).toEqual([31]);
    expect(october("status", "closed=1")).toEqual([undefined]);
  });
});

describe("compare", () => {
  /** Compares the rows of pairs such as `5=1|3=1 -|4=2`, current and previous, and returns the pairs that it makes. */
  function paired(
    by: Dimension | undefined,
    pairs: string,
    [first, last]: readonly [string, string] = ["2026-10-01", "2026-10-31"],
    [before, lastBefore]: readonly [string, string] = ["2026-09-01", "2026-09-30"],
  ) {
    const sides = pairs.split(" ").map((pair) => pair.split("|"));
    const rowsOfSide = (side: 0 | 1) =>
      rowsIn(sides.flatMap((pair) => (pair[side] === "-" ? [] : [pair[side]])).join(" "));
    const current = figuresOf(first, last, rowsOfSide(0));
    const previous = figuresOf(before, lastBefore, rowsOfSide(1));
    const shown = (each?: Row) => (each ? `${each.key}=${each.orders}` : "-");
    const pairsMade = compare(current, previous, by);
    return pairsMade.map((pair) => `${shown(pair.current)}|${shown(pair.previous)}`).join(" ");
  }

  test.each<["day" | "week" | "month", string, string, string]>([
    ["day", "2026-10-26", "2026-10-19", "-|19/10/2026=2 27/10/2026=1|20/10/2026=4"],
    // A day without a date has no position.
    ["day", "2026-10-26", "2026-10-19", "-|2026-10-19=2 2026-10-27=1|2026-10-20=4 null=1|- -|null=1"],
    ["month", "2026-01-01", "2025-01-01", "-|2025-01=2 2026-03=1|2025-03=4"],
    ["month", "2026-01-01", "2025-01-01", "2026-02-01=1|- -|2025-03-01=2"],
    // 1 November 2026 is a Sunday, so its week is W44, which began in October.
    ["week", "2026-11-01", "2026-10-01", "-|2026-W40=2 2026-W45=1|2026-W41=4"],
    ["week", "2026-11-01", "2026-10-01", "-|2026-09-28=2 2026-11-02=1|2026-10-05=4"],
    ["week", "2026-12-28", "2025-12-29", "2027-W01=1|2026-W02=2"],
  ])(
    "pairs a %s of a period from %s by its position, although others are empty",
    (by, first, before, pairs) => {
      expect(paired(by, pairs, [first, "2027-12-31"], [before, "2027-12-31"])).toBe(pairs);
    },
  );

  test.each<[Dimension | undefined, string]>([
    [undefined, "null=5|null=3"],
    // October has 31 days and 5 weeks, September 30 and 5.
    ["day", "5=1|- 6=2|- -|3=1"],
    ["day", `${Array.from({ length: 30 }, (_, place) => `${place + 1}=1|${place + 1}=2`).join(" ")} 31=1|-`],
    ["week", "40=1|- 44=2|- -|36=3"],
    ["week", "40=1|36=1 41=1|37=1 42=1|38=1 43=1|39=1 44=1|40=1"],
    ["month", "10=1|9=3"],
    // Other groups are paired by their keys, and hours are in time's order.
    ["hour", "-|9=3 12=5|12=1 20=2|-"],
    ["status", "b=1|- a=2|a=4 -|c=3"],
  ])(
    "pairs days, weeks and months without a year by position if none is missing, others by key: %s, %s",
    (by, pairs) => {
      expect(paired(by, pairs)).toBe(pairs);
    },
  );
});

describe("a change", () => {
  const of = (current: Row | undefined, previous: Row | undefined) => ({ current, previous });

  test("is absolute, and in percent of the previous figure, rounded half up", () => {
    expect(changeOf(of(row(null, 31, 310_00), row(null, 30, 400_00)))).toEqual({
      total_order_count: { absolute: 1, percent: 3.33 },
      total_revenue: { absolute: -90, percent: -22.5 },
      average_order_value: { absolute: -3.33, percent: -24.98 },
    });
    expect(changeOf(of(row(null, 1, 5), row(null, 0, 0)))).toMatchObject({
      total_order_count: { absolute: 1, percent: null },
      total_revenue: { absolute: 0.05, percent: null },
    });
    expect(metricsOf(row(null, 3, 200))).toEqual({
      ...{ total_order_count: 3, total_revenue: 2, average_order_value: 0.67 },
    });
  });

  test("of weekdays and hours is computed per day", () => {
    const tuesday = (orders: number, days?: number) => row("tue", orders, orders * 1_000, null, days);
    expect(perDayOf(of(tuesday(40, 4), tuesday(45, 5)))).toEqual({
      total_order_count: { absolute: 1, percent: 11.11 },
      total_revenue: { absolute: 10, percent: 11.11 },
    });
    expect(perDayOf(of(tuesday(40), tuesday(45, 5)))).toBeNull();
    expect(perDayOf(of(tuesday(40, 4), tuesday(45)))).toBeNull();
  });

  test("is null if a side is missing", () => {
    const oneDay = row(1, 1, 1, null, 1);
    for (const pair of [of(undefined, oneDay), of(oneDay, undefined)])
      expect({ change: changeOf(pair), perDay: perDayOf(pair) }).toEqual({ change: null, perDay: null });
  });
});
