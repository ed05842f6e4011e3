/** Tests queries and figures of sections 4.6 to 4.8. `sales/random-queries.test.ts` compares the figures with a simple count. */
import { describe, expect, test } from "vitest";

import { summarize, summarizeGrouped } from "../../../src/emulator/domain/summary.js";
import { chooseReadings, usualReadings } from "../../../src/emulator/readings.js";
import { createWallClock } from "../../../src/emulator/domain/time.js";
import { now, orderOf } from "./fixture.js";

const names = { driver: (id: number) => `Driver ${id}`, paymentMethod: () => undefined };
type Fields = Parameters<typeof orderOf>[0];
const ask = (
  search: string,
  all: readonly Fields[] = [],
  zone = "America/Sao_Paulo",
  readings = usualReadings,
) => {
  const context = { now, clock: createWallClock(zone), readings };
  return summarize(new URLSearchParams(search), all.map(orderOf), context);
};

test("the summary rounds the average half up, and is zero without orders", () => {
  const search = "start_date=2026-11-20T00:00:00Z&end_date=2026-11-21T00:00:00Z";
  const of = (...totals: number[]) =>
    ask(
      search,
      totals.map((total) => ({ total })),
    );
  expect(of(1, 2)).toEqual({ total_order_count: 2, total_revenue: 0.03, average_order_value: 0.02 });
  expect(of(10, 20)).toEqual({ total_order_count: 2, total_revenue: 0.3, average_order_value: 0.15 });
  expect(of()).toEqual({ total_order_count: 0, total_revenue: 0, average_order_value: 0 });
});

describe("groups", () => {
  const group = (search: string, all: readonly Fields[]) => {
    const whole = `start_date=2026-06-01T00:00:00Z&end_date=2026-11-21T00:00:00Z&${search}`;
    const context = { now, clock: createWallClock("America/Sao_Paulo"), readings: usualReadings };
    const answer = summarizeGrouped(new URLSearchParams(whole), all.map(orderOf), context, names);
    return answer.groups.map(({ key, label }) => [key, label]);
  };

  test.each([
    ["hour", [23, "23:00"]],
    ["day", ["2026-06-30", "30/06/2026"]],
    ["day_of_week", [2, "Terça-feira"]],
    ["week", ["2026-W27", "Semana 27 de 2026"]],
    ["month", ["2026-06", "06/2026"]],
  ])("by %s have keys in the store's time zone", (dimension, expected) => {
    const createdAt = Date.parse("2026-07-01T02:59:59Z");
    expect(group(`group_by=${dimension}`, [{ createdAt }])).toEqual([expected]);
  });

  test("by driver have the driver's id and name, or null without a driver (section 4.7, rule 3)", () => {
    const all = [{ driverId: 7 }, { driverId: 7 }, { driverId: null }];
    expect(group("group_by=driver_id", all)).toEqual([
      [7, "Driver 7"],
      [null, "Não informado"],
    ]);
  });

  test("by status have Portuguese labels, and by origin or unnamed payment method their own keys", () => {
    expect(group("group_by=status", [{ status: "closed" }])).toEqual([["closed", "Finalizado"]]);
    expect(group("group_by=customer_origin", [{ customerOrigin: "closed" }, {}])).toEqual([
      ["closed", "closed"],
      [null, "Não informado"],
    ]);
    const methods = [{ paymentMethodIds: [5, 6] }, { paymentMethodIds: [] }];
    expect(group("group_by=payment_method_id", methods)).toEqual([
      [5, "5"],
      [null, "Não informado"],
    ]);
  });
});

const between = (start: string, end: string) =>
  new URLSearchParams({ start_date: start, end_date: end }).toString();
const days = (start: string, end: string) => `date_field=scheduled_date&start_date=${start}&end_date=${end}`;

describe("a period", () => {
  // Contains the change from summer to winter time: six months by the store's clock are one hour longer.
  const overAutumn = between("2026-05-15T00:00:00-04:00", "2026-11-15T00:00:00-05:00");
  const ofCaller = between("2026-05-15T00:00:00-03:00", "2026-11-15T00:00:00-03:00");
  test.each([
    ["written", overAutumn, "UTC", true],
    ["written", ofCaller, "America/New_York", true],
    ["written", between("2026-05-01T00:00:00-03:00", "2026-11-01T00:00:01-03:00"), "UTC", false],
    ["store", overAutumn, "America/New_York", true],
    ["store", overAutumn, "UTC", false],
    ["utc", overAutumn, "America/New_York", false],
    ["utc", days("2025-08-31", "2026-02-28"), "UTC", true],
    ["utc", days("2025-08-31", "2026-03-01"), "UTC", false],
  ] as const)("with six_months_clock %s, %s and zone %s is accepted: %s", (clock, search, zone, accepted) => {
    const readings = chooseReadings({ six_months_clock: clock });
    const read = () => ask(search, [], zone, readings);
    if (accepted) expect(read).not.toThrow();
    else expect(read).toThrow("at most 6 months");
  });

  // The store's today is 2026-11-20.
  test.each([
    [between("2023-11-20T00:00:00-03:00", "2023-11-21T00:00:00-03:00"), true],
    [between("2023-11-19T23:59:59-03:00", "2023-11-21T00:00:00-03:00"), false],
    [days("2023-11-20", "2023-11-21"), true],
    [days("2023-11-19", "2023-11-21"), false],
  ])("three years before 2026-11-20, %s, is accepted: %s", (search, accepted) => {
    const read = () => ask(search);
    if (accepted) expect(read).not.toThrow();
    else expect(read).toThrow("start_date must not go back more than 3 years");
  });
});

const october = "start_date=2026-10-01T00:00:00-03:00&end_date=2026-10-31T23:59:59-03:00";

test("a query with a repeated key has several values, which only a list accepts", () => {
  const search = `${october}&filters%5Bstatus_in%5D=closed&filters[status_in]=canceled`;
  const createdAt = Date.parse("2026-10-01T03:00:00Z");
  const orders = (["closed", "canceled", "ready"] as const).map((status) => ({ status, createdAt }));
  expect(ask(search, orders)).toMatchObject({ total_order_count: 2 });
  expect(() => ask(`${october}&filters[total_gt]=1&filters[total_gt]=2`)).toThrow("accepts one value");
});
