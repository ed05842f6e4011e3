/** Handwritten from sections 4, 5 and 8 of the specification, to find mistakes in the contract. */
import { expect, test } from "vitest";

import { filtersByName } from "../../src/api/filters.js";
import { rateLimits } from "../../src/api/values.js";
import { allOperations } from "../../src/api/oauth.js";
import type { Operation } from "../../src/api/operations.js";

/** Id, method, path, credentials, scopes and rate limit. */
const specified = [
  "assignDriver PUT v1/orders/{order_id}/driver, bearer, orders drivers, general",
  "cancelOrder POST v1/orders/{order_id}/cancel, bearer api_key, orders, general",
  "dispatchOrder POST v1/orders/{order_id}/dispatch, bearer api_key, orders, general",
  "deliverOrder POST v1/orders/{order_id}/delivered, bearer api_key, orders, general",
  "finalizeOrder POST v1/orders/{order_id}/finalize, bearer api_key, orders, general",
  "summary GET v1/orders/summary, bearer, orders, summary",
  "groupedSummary GET v1/orders/summary/grouped, bearer, orders, summary_grouped",
  "createPrefilledOrder POST v1/orders/prefilled_order, api_key, , general",
  "token POST oauth/token, , , null",
  "revoke POST oauth/revoke, , , null",
];

test("the contract has exactly the operations of section 4", () => {
  const told = Object.values<Operation>(allOperations).map(
    ({ id, method, path, credentials, scopes, bucket }) =>
      `${id} ${method} ${path.replace("/api/partner/", "")}, ${credentials.join(" ")}, ${scopes.join(" ")}, ${bucket}`,
  );
  expect(told).toEqual(specified);
});

test("only operations that can't change something twice are repeatable", () => {
  const repeatable = Object.values(allOperations).flatMap(({ id, repeatable: may }) => (may ? [id] : []));
  expect(repeatable).toEqual(["assignDriver", "summary", "groupedSummary", "revoke"]);
});

test("the rate limits are those of section 8", () => {
  const five = { limit: 5, windowMs: 60_000 };
  expect(rateLimits).toEqual({
    summary: five,
    summary_grouped: five,
    history: five,
    general: { limit: 300, windowMs: 180_000 },
  });
});

test("the filters are those of section 4.8", () => {
  const section = {
    order_type: "in not_in",
    order_timing: "in not_in",
    sales_channel: "in not_in",
    status: "in not_in",
    payment_method_id: "in not_in",
    driver_id: "in not_in",
    customer_origin: "in not_in null not_null",
    created_at_time: "eq gt lt gteq lteq",
    total: "eq not_eq gt lt gteq lteq",
    delivery_fee: "eq not_eq gt lt gteq lteq",
  };
  expect([...filtersByName().keys()]).toEqual(
    Object.entries(section).flatMap(([field, operators]) =>
      operators.split(" ").map((operator) => `${field}_${operator}`),
    ),
  );
});
