/** Handwritten from sections 4, 5 and 8 of the specification, to find mistakes in the contract. */
import { expect, test } from "vitest";

import { filtersByName } from "../../src/api/filters.js";
import { rateLimits } from "../../src/api/values.js";
import { allOperations } from "../../src/api/oauth.js";
import { operations, type Operation } from "../../src/api/operations.js";
import { loadWireFixtures } from "../fixtures/wire/load.js";

test("the contract has exactly the operations of section 4, with their credentials, scopes and limits", () => {
  const shown = loadWireFixtures().map(({ operation, contract }) => ({ id: operation, ...contract }));
  const described = Object.values<Operation>(operations).map(({ id, credentials, scopes, bucket }) => {
    return { id, credentials, scopes, bucket };
  });
  expect(described).toEqual(expect.arrayContaining(shown));
  expect(described).toHaveLength(shown.length);
});

test("only operations that can't change something twice are repeatable", () => {
  const repeatable = Object.values(allOperations).flatMap(({ id, repeatable: may }) => (may ? [id] : []));
  expect(repeatable).toEqual(["assignDriver", "summary", "groupedSummary", "revoke"]);
});

test("the rate limits are those of section 8", () => {
  const five = { limit: 5, windowMs: 60_000 };
  const general = { limit: 300, windowMs: 180_000 };
  expect(rateLimits).toEqual({ summary: five, summary_grouped: five, history: five, general });
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
