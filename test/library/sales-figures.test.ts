/** `salesFigures` for spans that are too long for one request. */
import { expect, test } from "vitest";

import { startEmulator } from "../../src/library/emulator.js";
import { salesFigures, type Summary, type SummaryQuery } from "../../src/library/index.js";
import { closing } from "../support/resources.js";

const emulator = closing(await startEmulator({ seed: 7, orders: 3_000, rateLimits: false }));
const client = emulator.client();

const zone = "America/Sao_Paulo";
const span = { start_date: "2025-01-15T10:00:00-03:00", end_date: "2026-11-20T18:30:00-03:00" };
/** The same span in parts that the service accepts, split by hand. */
const parts: readonly SummaryQuery[] = [
  { start_date: span.start_date, end_date: "2025-06-30T23:59:59-03:00" },
  { start_date: "2025-07-01T00:00:00-03:00", end_date: "2025-11-30T23:59:59-03:00" },
  { start_date: "2025-12-01T00:00:00-03:00", end_date: "2026-05-10T11:59:59-03:00" },
  { start_date: "2026-05-10T12:00:00-03:00", end_date: "2026-11-09T23:59:59-03:00" },
  { start_date: "2026-11-10T00:00:00-03:00", end_date: span.end_date },
];

test("nearly two years add up to the parts of another split, in exact cents", async () => {
  const each = await Promise.all(parts.map(async (part) => (await client.summary(part)).value));
  const orders = each.reduce((sum, part) => sum + part.total_order_count, 0);
  const cents = each.reduce((sum, part) => sum + Math.round(part.total_revenue * 100), 0);
  expect(orders).toBeGreaterThan(100);
  expect(await salesFigures(client, span, { timeZone: zone })).toEqual({
    total_order_count: orders,
    total_revenue: cents / 100,
    average_order_value: Math.round(cents / orders) / 100,
  });
});

test("a null for the revenue and the average of no orders is 0", async () => {
  const zero = { total_order_count: 0, total_revenue: 0, average_order_value: 0 };
  // A program may have read the JSON without checking it.
  const text = '{"total_order_count":0,"total_revenue":null,"average_order_value":null}';
  const value = JSON.parse(text) as Summary;
  const groups = [{ key: 9, label: null, ...value }];
  const own = {
    summary: () => Promise.resolve({ value }),
    groupedSummary: () => Promise.resolve({ value: { group_by: "hour", groups } }),
  };
  expect(await salesFigures(own, span)).toEqual(zero);
  const hours = { group_by: "hour", groups: [{ key: 9, label: null, ...zero }] };
  expect(await salesFigures(own, { ...span, group_by: "hour" })).toEqual(hours);
});

test("hours of two windows are added up by key, in order", async () => {
  const windows = [
    [20, 12],
    [9, 12],
  ];
  const figures = { total_order_count: 1, total_revenue: 1, average_order_value: 1 };
  const groups = () => (windows.shift() ?? []).map((key) => ({ key, label: null, ...figures }));
  const own = {
    summary: () => Promise.reject(new Error("groups are requested")),
    groupedSummary: () => Promise.resolve({ value: { group_by: "hour" as const, groups: groups() } }),
  };
  const days = { start_date: "2026-01-01T00:00:00Z", end_date: "2026-10-31T23:59:59Z" };
  const answer = await salesFigures(own, { ...days, group_by: "hour" });
  const counts = answer.groups.map(({ key, total_order_count: count }) => `${key}=${count}`);
  expect(counts).toEqual(["9=1", "12=2", "20=1"]);
});

test("rejects an unknown time zone, and a span that ends before it begins", async () => {
  const unknownZone = { code: "invalid_input", field: "timeZone" };
  await expect(salesFigures(client, span, { timeZone: "Sao Paulo" })).rejects.toMatchObject(unknownZone);
  const reversed = { start_date: span.end_date, end_date: span.start_date };
  await expect(salesFigures(client, reversed)).rejects.toThrow("ends before it begins.");
});

const named = (name: string) => `has no field "${name}". Did you mean `;
test.each<readonly [field: string | undefined, what: string, words: string, ...given: unknown[]]>([
  ["groupBy", "a query", `${named("groupBy")}"group_by"?`, { ...span, groupBy: "day" }],
  [undefined, "null", "", null],
  ["timezone", "an unknown option", "", span, { timezone: zone }],
])("names the field %s of %s, and the nearest name", async (field, _, words, ...given) => {
  const figures = salesFigures as (...given: readonly unknown[]) => Promise<unknown>;
  await expect(figures(client, ...given)).rejects.toMatchObject({
    code: "invalid_input",
    operation: "salesFigures",
    field,
    message: expect.stringContaining(String(words)) as string,
  });
});
