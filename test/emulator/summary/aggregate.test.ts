import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { type Filter, filterFields } from "../../../src/api/filters.js";
import { filtersByName } from "../../../src/api/filters.js";
import { dimensions } from "../../../src/api/values.js";
import { summarize, summarizeGrouped } from "../../../src/emulator/domain/summary.js";
import type { SummaryPeriod } from "../../../src/emulator/domain/summary.js";
import { createWallClock } from "../../../src/emulator/domain/time.js";
import { groupSlowly, selectSlowly } from "./brute-force.js";
import { instants, orderOf, orders, parse, parseGrouped, zones } from "./fixture.js";

const names = { driver: (id: number) => `Driver ${id}`, paymentMethod: () => undefined };

const filters: fc.Arbitrary<Filter> = fc
  .constantFrom(...filtersByName().values())
  .chain(({ field, operator }) => {
    const { values } = filterFields[field];
    const value = {
      closed: () => fc.constantFrom(...("values" in values ? values.values : [])),
      open: () => fc.constantFrom("catalog", "portal", "totem", "unheard_of"),
      id: () => fc.constantFrom("1", "2", "3", "7", "8", "99"),
      opaque: () => fc.constantFrom("1", "2", "3", "7", "8", "pix", "01"),
      text: () => fc.constantFrom("", "instagram", "a, b", "portal", "facebook"),
      time: () => fc.constantFrom("00:00", "01:59", "02:00", "12:30", "23:59"),
      amount: () => fc.constantFrom("0", "0.1", "9.99", "10.00", "5", "7.9", "1234567.89"),
    }[values.kind]();
    const several = operator === "in" || operator === "not_in";
    const given = operator === "null" || operator === "not_null" ? fc.constant("true") : value;
    return fc
      .uniqueArray(given, { minLength: 1, maxLength: several ? 3 : 1 })
      .map((list) => ({ field, operator, values: list }));
  });

const periods: fc.Arbitrary<SummaryPeriod> = fc
  .tuple(instants, instants, fc.boolean())
  .map(([a, b, byDay]) => {
    const [start, end] = [Math.min(a, b), Math.max(a, b)];
    const day = (instant: number) => Math.floor(instant / 86_400_000);
    return byDay
      ? { dateField: "scheduled_date", firstDay: day(start), lastDay: day(end) }
      : { dateField: "created_at", start, end };
  });

const cents = (amount: number) => BigInt(Math.round(amount * 100));

describe("figures", () => {
  test("equal a plain count by another calendar, for every filter, dimension and zone", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.array(orders, { maxLength: 60 }),
        periods,
        fc.array(filters, { maxLength: 3 }),
        fc.constantFrom(...dimensions),
        (zone, all, period, chosen, groupBy) => {
          const query = { period, filters: chosen, groupBy };
          const clock = createWallClock(zone);
          const expected = selectSlowly(all, query, zone);

          const summary = summarize(all, query, { clock });
          expect(summary.total_order_count).toBe(expected.length);
          expect(cents(summary.total_revenue)).toBe(
            expected.reduce((sum, order) => sum + BigInt(order.total), 0n),
          );

          const { groups, group_by } = summarizeGrouped(all, query, { clock }, names);
          expect(group_by).toBe(groupBy);
          const slow = groupSlowly(expected, query, zone);
          const fast = groups.map((group) => [
            group.key,
            { count: group.total_order_count, cents: cents(group.total_revenue) },
          ]);
          expect(Object.fromEntries(fast)).toEqual(Object.fromEntries(slow));
          expect(groups).toHaveLength(slow.size);
        },
      ),
      { numRuns: 120 },
    );
  });

  test("round the average half up, and are zero without orders", () => {
    const query = parse("start_date=2026-11-20T00:00:00Z&end_date=2026-11-21T00:00:00Z");
    const of = (...totals: number[]) =>
      summarize(
        totals.map((total) => orderOf({ total })),
        query,
        { clock: createWallClock("UTC") },
      );
    expect(of(1, 2)).toEqual({ total_order_count: 2, total_revenue: 0.03, average_order_value: 0.02 });
    expect(of(10, 20)).toEqual({ total_order_count: 2, total_revenue: 0.3, average_order_value: 0.15 });
    expect(of()).toEqual({ total_order_count: 0, total_revenue: 0, average_order_value: 0 });
  });
});

describe("groups", () => {
  const group = (search: string, all: Parameters<typeof orderOf>[0][], zone = "America/Sao_Paulo") => {
    const query = parseGrouped(`start_date=2026-06-01T00:00:00Z&end_date=2026-11-21T00:00:00Z&${search}`);
    const list = all.map((fields) => orderOf(fields));
    return summarizeGrouped(list, query, { clock: createWallClock(zone) }, names).groups.map(
      ({ key, label }) => [key, label],
    );
  };
  const at = (instant: string) => ({ createdAt: Date.parse(instant) });

  test.each([
    ["hour", [23, "23:00"]],
    ["day", ["2026-06-30", "30/06/2026"]],
    ["day_of_week", [2, "Terça-feira"]],
    ["week", ["2026-W27", "Semana 27 de 2026"]],
    ["month", ["2026-06", "06/2026"]],
  ])("by %s have the store's time as their key", (dimension, expected) => {
    expect(group(`group_by=${dimension}`, [at("2026-07-01T02:59:59Z")])).toEqual([expected]);
  });

  test("put the hour that the clock runs through twice into one, and leave out the one it skips", () => {
    const twice = ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"].map(at);
    expect(group("group_by=hour", twice, "America/New_York")).toEqual([[1, "01:00"]]);
  });

  test("of drivers have id and name, and null for none (section 4.7, rule 3)", () => {
    const all = [{ driverId: 7 }, { driverId: 7 }, { driverId: null }];
    expect(group("group_by=driver_id", all)).toEqual([
      [7, "Driver 7"],
      [null, "Não informado"],
    ]);
  });

  test("of values have names where there are any; an origin is its own", () => {
    expect(group("group_by=status", [{ status: "closed" }])).toEqual([["closed", "Finalizado"]]);
    expect(group("group_by=customer_origin", [{ customerOrigin: "closed" }, {}])).toEqual([
      ["closed", "closed"],
      [null, "Não informado"],
    ]);
    expect(
      group("group_by=payment_method_id", [{ paymentMethodIds: [5, 6] }, { paymentMethodIds: [] }]),
    ).toEqual([
      [5, "5"],
      [null, "Não informado"],
    ]);
  });
});
