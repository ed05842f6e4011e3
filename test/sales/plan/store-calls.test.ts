import { expect, test } from "vitest";

import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import { groupedBy } from "../../../src/contract/summary.js";
import { summaryQuery } from "../../../src/sales/plan/queries.js";
import { createStoreCalls } from "../../../src/sales/plan/store-calls.js";
import { emptyKept } from "../support/oracle.js";

const october = { start: "2026-10-01", end: "2026-10-31", firstDay: "2026-10-01", lastDay: "2026-10-31" };
const nothing = { total_order_count: 0, total_revenue: 0, average_order_value: 0 };

test("A query carries the names of the specification, and nothing that wasn't asked for", () => {
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
  expect(groupedBy(summaryQuery(october, { dateField: "scheduled_date", filters }), "week")).toEqual({
    start_date: "2026-10-01",
    end_date: "2026-10-31",
    date_field: "scheduled_date",
    group_by: "week",
    filters: { status_in: ["closed"], total_gteq: "49.90", customer_origin_null: true },
  });
});

test.each([
  ["is kept", "2026-11-01T11:59:59Z", "2026-10", ["span", "kept"]],
  ["is kept also while its window lasts", "2026-10-20T12:00:00Z", "2026-10", ["span", "kept"]],
  ["of a window that ends now is not kept", "2026-10-20T12:00:00Z", "this-month", ["span"]],
] as const)("An answer %s", async (_, text, name, said) => {
  const now = Date.parse(text);
  const events: string[] = [];
  const calls = createStoreCalls({
    source: {
      ...emptyKept(),
      ...{ now: () => now, ahead: () => 0 },
      call: () => (events.push("span"), Promise.resolve({ askedAt: now, answer: nothing })),
      keep: () => (events.push("kept"), Promise.resolve()),
    },
    request: { dateField: undefined, filters: [] },
    freshness: { kind: "usual", maxAgeMs: undefined },
    onWarning: () => undefined,
  });
  const period = resolvePeriod({ period: name }, { now, zone: "UTC" });
  expect(await calls.count([{ period }])).toBe(1);
  const { age } = await calls.summary({ period }, new AbortController().signal);
  expect({ events, age }).toEqual({ events: [...said], age: { askedAt: now, kept: false } });
});
