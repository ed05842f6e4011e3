import { describe, expect, test } from "vitest";
import * as z from "zod";

import { gatherOrder } from "../../../src/commands/prefill/read-orders.js";
import { exampleFile, orderJsonSchema } from "../../../src/commands/prefill/template.js";
import { resolveCart } from "../../../src/emulator/domain/prefilled-orders.js";
import { houseCatalog } from "../../../src/emulator/seed/catalog.js";
import { prefilledOrderBodySchema } from "../../../src/contract/prefilled-order.js";
import { componentSchemas } from "../../../src/openapi/json-schemas.js";

import { flagsOf } from "./gathering.js";

const [example] = gatherOrder({ label: "example", text: exampleFile }, flagsOf({}));

describe("--example", () => {
  test("has every field that the contract names", () => {
    const text = JSON.stringify(z.toJSONSchema(prefilledOrderBodySchema()));
    const fields = new Set(
      [...text.matchAll(/"(\w+)":\{"(?:type|anyOf|\$ref|description)"/g)].map(([, name]) => name),
    );
    expect(fields.size).toBeGreaterThan(20);
    const structural = new Set(["items", "properties", "propertyNames", "additionalProperties"]);
    const missing = [...fields].filter(
      (name = "") => !structural.has(name) && !exampleFile.includes(`${name}:`),
    );
    expect(missing).toEqual([]);
  });

  test("is an order that the emulator's catalog has", () => {
    expect(resolveCart(z.parse(prefilledOrderBodySchema(), example?.order).cart, houseCatalog)).toMatchObject(
      {
        problems: [],
        lines: [{}, {}],
      },
    );
  });
});

describe("--schema", () => {
  const schema = orderJsonSchema();
  // The conversion back knows no conditions.
  const unconditional = Object.fromEntries(
    Object.entries(schema).filter(([name]) => name !== "if" && name !== "then"),
  );
  const check = (order: unknown) => z.fromJSONSchema(unconditional).safeParse(order).success;

  test("accepts the example", () => {
    expect(check(example?.order)).toBe(true);
    expect(schema).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
  });

  test.each([
    [{}, false],
    [{ order_type: "takeout" }, true],
    [{ order_type: "onsite" }, false],
    [{ order_type: "takeout", customer: { phone: "1a" } }, false],
    [{ order_type: "takeout", cart: [{}] }, true],
    [{ order_type: "takeout", cart: [{ item_id: 0 }] }, true],
    [{ order_type: "takeout", cart: [{ item_id: 1, quantity: 0 }] }, true],
    [{ order_type: "takeout", cart: [{ item_id: 1, observation: null }] }, false],
    [{ order_type: "delivery", delivery_address: { street: null } }, false],
    [{ order_type: "delivery", delivery_address: { number: null } }, true],
    [{ order_type: "takeout", customer: { phone: "(11) 99999-0000" } }, true],
    [{ order_type: "takeout", customer: { phone: "+55 11 99999\u20130000" } }, true],
    [{ order_type: "takeout", customer: { phone: "()" } }, false],
    [{ order_type: "delivery", delivery_address: { postal_code: "01310-100" } }, true],
    [{ order_type: "delivery", delivery_address: { postal_code: "A" } }, false],
    [{ order_type: "takeout", more: 1 }, false],
    [{ order_type: "takeout", extra: { more: 1 } }, true],
  ])("%j: %s", (order, accepted) => {
    expect(check(order)).toBe(accepted);
  });

  const members = (node: unknown): [string, Record<string, unknown>][] => {
    if (typeof node !== "object" || node === null) return [];
    return Object.entries(node).flatMap(([name, value]: [string, unknown]) => [
      ...(name === "properties" && typeof value === "object" && value !== null
        ? Object.entries(value as Record<string, Record<string, unknown>>)
        : []),
      ...members(value),
    ]);
  };

  test("describes every field, and so does the OpenAPI document, in the same words", () => {
    const fields = members(unconditional);
    expect(fields.length).toBeGreaterThan(25);
    for (const [name, { description }] of fields)
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
    const words = (from: [string, Record<string, unknown>][]) =>
      from.map(([name, { description }]) => [name, description]);
    expect(words(members(componentSchemas()["NewPrefilledOrder"]))).toEqual(
      words(fields.filter(([name]) => name !== "extra")),
    );
  });

  test("has no limits of a programming language", () => {
    expect(JSON.stringify(schema)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  test("says that an address goes with delivery alone", () => {
    expect(schema).toMatchObject({
      if: { properties: { order_type: { const: "takeout" } } },
      then: { properties: { delivery_address: false } },
    });
  });
});
