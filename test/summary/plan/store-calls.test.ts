import { expect, it } from "vitest";

import { resolvePeriod } from "../../../src/summary/period/resolve.js";
import { createStoreCalls, groupedQuery, summaryQuery } from "../../../src/summary/plan/store-calls.js";

const period = resolvePeriod({ period: "2026-10" }, { now: Date.parse("2026-11-20T12:00:00Z"), zone: "UTC" });
const october = { start: "2026-10-01", end: "2026-10-31", firstDay: "2026-10-01", lastDay: "2026-10-31" };
const nothing = { total_order_count: 0, total_revenue: 0, average_order_value: 0 };

it("A query carries the names of the specification, and nothing that wasn't asked for", () => {
  const plain = { dateField: undefined, filters: [] };
  expect(summaryQuery(october, plain)).toEqual({
    start_date: "2026-10-01",
    end_date: "2026-10-31",
  });
  const filters = [
    { field: "status", operator: "in", values: ["closed"] },
    { field: "total", operator: "gteq", values: ["49.90"] },
    { field: "customer_origin", operator: "null", values: ["true"] },
  ] as const;
  expect(groupedQuery(october, "week", { dateField: "scheduled_date", filters })).toEqual({
    start_date: "2026-10-01",
    end_date: "2026-10-31",
    date_field: "scheduled_date",
    group_by: "week",
    filters: { status_in: ["closed"], total_gteq: "49.90", customer_origin_null: true },
  });
});

it.each([
  ["is kept where the window ended long enough ago", "2026-11-01T11:59:59Z", undefined, ["start", "kept"]],
  ["is not kept while it may still change", "2026-11-01T05:59:59Z", undefined, ["start"]],
  [
    "by date is kept once the day is over everywhere",
    "2026-11-01T18:00:00Z",
    "scheduled_date",
    ["start", "kept"],
  ],
  ["by date is not kept while the day lasts somewhere", "2026-11-01T17:59:58Z", "scheduled_date", ["start"]],
] as const)("An answer %s", async (_, now, dateField, said) => {
  const events: string[] = [];
  const endpoint = {
    call: () => (events.push("start"), Promise.resolve(nothing)),
    kept: () => undefined,
    keep: () => void events.push("kept"),
  };
  const calls = createStoreCalls({
    summary: endpoint,
    grouped: { ...endpoint, call: () => Promise.reject(new Error("not asked")) },
    request: { dateField, filters: [] },
    settledAfterMs: 6 * 60 * 60_000,
    now: () => Date.parse(now),
    onCalled: () => undefined,
    onWarning: () => undefined,
  });
  const windows = [{ ...october, end: "2026-10-31T23:59:59.999999Z" }];
  expect(calls.count([{ asked: { period, windows } }])).toBe(1);
  await calls.summary({ period, windows }, new AbortController().signal);
  expect(events).toEqual([...said]);
});
