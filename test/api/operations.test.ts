import { describe, expect, test } from "vitest";

import { filtersByName } from "../../src/api/filters.js";
import { rateLimits } from "../../src/api/limits.js";
import { allOperations } from "../../src/api/oauth.js";
import { operationPath, operations, type Operation } from "../../src/api/operations.js";

/** Written by hand from sections 4, 5 and 8 of the specification: a slip in the contract shows here. */
const specified: readonly [
  id: string,
  method: string,
  path: string,
  credentials: string,
  scopes: string,
  bucket: string,
][] = [
  ["assignDriver", "PUT", "/api/partner/v1/orders/{order_id}/driver", "bearer", "orders drivers", "general"],
  ["cancelOrder", "POST", "/api/partner/v1/orders/{order_id}/cancel", "bearer api_key", "orders", "general"],
  [
    "dispatchOrder",
    "POST",
    "/api/partner/v1/orders/{order_id}/dispatch",
    "bearer api_key",
    "orders",
    "general",
  ],
  [
    "deliverOrder",
    "POST",
    "/api/partner/v1/orders/{order_id}/delivered",
    "bearer api_key",
    "orders",
    "general",
  ],
  [
    "finalizeOrder",
    "POST",
    "/api/partner/v1/orders/{order_id}/finalize",
    "bearer api_key",
    "orders",
    "general",
  ],
  ["summary", "GET", "/api/partner/v1/orders/summary", "bearer", "orders", "summary"],
  ["groupedSummary", "GET", "/api/partner/v1/orders/summary/grouped", "bearer", "orders", "summary_grouped"],
  ["createPrefilledOrder", "POST", "/api/partner/v1/orders/prefilled_order", "api_key", "", "general"],
  ["token", "POST", "/api/partner/oauth/token", "", "", "null"],
  ["revoke", "POST", "/api/partner/oauth/revoke", "", "", "null"],
];

test.each(specified)("%s is as specified", (id, method, path, credentials, scopes, bucket) => {
  const operation: Operation | undefined = Object.entries(allOperations).find(([name]) => name === id)?.[1];
  expect(operation).toMatchObject({ id, method, path });
  expect(operation?.credentials.join(" ")).toBe(credentials);
  expect(operation?.scopes.join(" ")).toBe(scopes);
  expect(String(operation?.bucket)).toBe(bucket);
});

test("describes each operation of section 4 once, and no other", () => {
  expect(Object.keys(allOperations)).toEqual(specified.map(([id]) => id));
});

test("repeats nothing that may change something twice", () => {
  const repeatable = Object.values(allOperations).flatMap(({ id, repeatable: may }) => (may ? [id] : []));
  expect(repeatable).toEqual(["assignDriver", "summary", "groupedSummary", "revoke"]);
});

test("has the limits of section 8", () => {
  expect(rateLimits).toEqual({
    summary: { limit: 5, windowMs: 60_000 },
    summary_grouped: { limit: 5, windowMs: 60_000 },
    history: { limit: 5, windowMs: 60_000 },
    general: { limit: 300, windowMs: 180_000 },
  });
});

describe("operationPath", () => {
  test.each([
    ["4711", "/api/partner/v1/orders/4711/dispatch"],
    ["a/b?c#d", "/api/partner/v1/orders/a%2Fb%3Fc%23d/dispatch"],
    ["é 1", "/api/partner/v1/orders/%C3%A9%201/dispatch"],
    ["...", "/api/partner/v1/orders/.../dispatch"],
  ])("encodes %s as one segment", (order, path) => {
    expect(operationPath(operations.dispatchOrder, { order_id: order })).toBe(path);
  });

  test.each(["", ".", ".."])("refuses %j, which no encoding keeps in its place", (order) => {
    expect(() => operationPath(operations.dispatchOrder, { order_id: order })).toThrow(RangeError);
  });
});

test("names every filter parameter of section 4.8", () => {
  expect([...filtersByName.keys()]).toEqual([
    "order_type_in",
    "order_type_not_in",
    "order_timing_in",
    "order_timing_not_in",
    "sales_channel_in",
    "sales_channel_not_in",
    "status_in",
    "status_not_in",
    "payment_method_id_in",
    "payment_method_id_not_in",
    "driver_id_in",
    "driver_id_not_in",
    "customer_origin_in",
    "customer_origin_not_in",
    "customer_origin_null",
    "customer_origin_not_null",
    "created_at_time_eq",
    "created_at_time_gt",
    "created_at_time_lt",
    "created_at_time_gteq",
    "created_at_time_lteq",
    "total_eq",
    "total_not_eq",
    "total_gt",
    "total_lt",
    "total_gteq",
    "total_lteq",
    "delivery_fee_eq",
    "delivery_fee_not_eq",
    "delivery_fee_gt",
    "delivery_fee_lt",
    "delivery_fee_gteq",
    "delivery_fee_lteq",
  ]);
});
