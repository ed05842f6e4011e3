import { describe, expect, test } from "vitest";

import { parseAlert, parseBaseline } from "../../../src/sales/compare/alert-rules.js";
import { baselineOf, judge, medianOf, openingOf, weekdaysBefore } from "../../../src/sales/compare/alerts.js";

const metrics = (total_order_count: number, total_revenue: number, average_order_value = 0) => ({
  total_order_count,
  total_revenue,
  average_order_value,
});

describe("--alert", () => {
  test.each([
    ["revenue<1500", "amount", 150_000],
    ["revenue < 1500,50", "amount", 150_050],
    ["orders>=10", "amount", 1_000],
    ["average<=-5%", "percent", -500],
    ["orders>+20.5%", "percent", 2_050],
    ["revenue<30%", "percent", 3_000],
  ])("--alert reads %s", (text, kind, hundredths) => {
    expect(parseAlert(text)).toMatchObject({ text, limit: { kind, hundredths } });
  });

  test.each([
    "",
    "revenue",
    "revenue<",
    "revenue=5",
    "profit<5",
    "orders<1.5",
    "revenue<-5",
    "revenue<1.234,50",
    "revenue<5%%",
  ])("--alert refuses %j, and names what is allowed", (text) => {
    expect(() => parseAlert(text)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        hint: expect.stringContaining("orders, revenue or average") as string,
      }),
    );
  });

  test("--baseline takes the median of a weekday over 2 to 25 weeks", () => {
    expect(parseBaseline("weekday-median:8")).toBe(8);
    for (const text of ["weekday-median", "weekday-median:1", "weekday-median:26", "mean:8"]) {
      expect(() => parseBaseline(text)).toThrow(expect.objectContaining({ code: "invalid_input" }));
    }
  });
});

describe("whether an alert holds", () => {
  const before = baselineOf(metrics(10, 100.01, 10));

  test.each([
    ["revenue<1500", metrics(3, 1_499.99), true],
    ["revenue<1500", metrics(3, 1_500), false],
    ["revenue<=1500", metrics(3, 1_500), true],
    ["orders>=10", metrics(10, 1), true],
    ["average>12,5", metrics(1, 12.51, 12.51), true],
    // 70 % of 100.01 is 70.007: the cent below holds, the cent above doesn't.
    ["revenue<-30%", metrics(8, 70), true],
    ["revenue<-30%", metrics(8, 70.01), false],
    ["orders<=-20%", metrics(8, 1), true],
    ["orders<-20%", metrics(8, 1), false],
    ["orders>20%", metrics(13, 1), true],
    ["orders<1", metrics(0, 0), true],
  ])("%s of %j: %s", (text, current, holds) => {
    expect(judge(parseAlert(text), current, before, "open")).toMatchObject({ holds });
  });

  test("A store without orders was closed, and a change needs something to be a change of: no alarm", () => {
    expect(judge(parseAlert("revenue<1500"), metrics(0, 0), before, "closed")).toMatchObject({
      holds: false,
      unjudged: "closed",
    });
    const change = parseAlert("revenue<-30%");
    for (const nothing of [undefined, baselineOf(undefined), baselineOf(metrics(0, 0))]) {
      expect(judge(change, metrics(1, 1), nothing, "open")).toMatchObject({
        holds: false,
        baseline: null,
        unjudged: "too little history",
      });
    }
  });

  test("A channel without orders is judged where the store was open, but for the average of none", () => {
    for (const [text, holds] of [
      ["revenue<1500", true],
      ["revenue<-30%", true],
      ["orders>-100%", false],
    ] as const)
      expect(judge(parseAlert(text), metrics(0, 0), before, "open")).toEqual(
        expect.objectContaining({ holds, value: 0 }),
      );
    expect(judge(parseAlert("average<5"), metrics(0, 0), before, "open")).toMatchObject({
      holds: false,
      unjudged: "no average",
    });
  });

  test.each([
    ["orders", metrics(1, 1), undefined, "open"],
    ["none, without a filter", metrics(0, 0), undefined, "closed"],
    ["none that the filters select", metrics(0, 0), metrics(1, 0), "open"],
    ["none at all", metrics(0, 0), metrics(0, 0), "closed"],
    ["none, and all of them aren't kept", metrics(0, 0), "not kept", "not kept"],
  ] as const)("A store that had %s", (_, filtered, all, opening) => {
    expect(openingOf(filtered, all)).toBe(opening);
  });

  test("Whether there was any order is asked of a store that was closed, too, and nothing else is", () => {
    const closed = (text: string) => judge(parseAlert(text), metrics(0, 0), undefined, "closed");
    expect(closed("orders<1")).toMatchObject({ holds: true });
    expect(closed("orders<=0")).toMatchObject({ holds: true });
    expect(closed("orders<2")).toMatchObject({ holds: false, unjudged: "closed" });
    expect(closed("revenue<1")).toMatchObject({ holds: false, unjudged: "closed" });
  });

  test("A change against a single cent is one", () => {
    const cent = baselineOf(metrics(1, 0.01, 0.01));
    expect(judge(parseAlert("revenue<-50%"), metrics(1, 0), cent, "open")).toMatchObject({ holds: true });
  });

  test("Of the same weekdays before, those count on which the store had orders", () => {
    const placed = [
      [13, 1],
      [6, 0],
      [-1, 2],
      [12, 9],
    ].map(([ordinal = 0, orders = 0]) => ({
      group: { key: String(ordinal), label: null, ...metrics(orders, 0) },
      identity: String(ordinal),
      ordinal,
    }));
    const days = { grouped: { group_by: "day", groups: placed.map(({ group }) => group) }, placed };
    const counts = (weeks: number) => weekdaysBefore(days, 20, weeks).map((one) => one.total_order_count);
    expect([counts(1), counts(2), counts(3), counts(4)]).toEqual([[1], [1], [1, 2], [1, 2]]);
    expect(weekdaysBefore(days, undefined, 3)).toEqual([]);
  });

  test("The median needs half of the weeks, and that of an average leaves out days without orders", () => {
    const days = [metrics(9, 90), metrics(1, 10.01), metrics(5, 20)];
    expect(medianOf(days, 4)).toMatchObject({ orders: 500, revenue: 2_000 });
    expect(medianOf([metrics(4, 10), metrics(5, 10.01)], 3)).toMatchObject({ orders: 450, revenue: 1_001 });
    expect(medianOf([metrics(4, 10), metrics(5, 10)], 5)).toMatchObject({ orders: undefined });
    expect(medianOf([metrics(4, 10)], 2)).toMatchObject({ orders: undefined });
    expect(medianOf([metrics(0, 0), metrics(4, 12, 3), metrics(2, 10, 5)], 4)).toEqual({
      orders: 200,
      revenue: 1_000,
      average: 400,
    });
  });
});
