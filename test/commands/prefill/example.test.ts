import { describe, expect, test } from "vitest";
import * as z from "zod";

import { exampleFile } from "../../../src/commands/prefill/example.js";
import { gatherOrder } from "../../../src/commands/prefill/read-order.js";
import { resolveCart } from "../../../src/emulator/domain/prefilled-orders.js";
import { houseCatalog } from "../../../src/emulator/seed/catalog.js";
import { prefilledSchemas } from "../../../src/api/schemas.js";

import { readFlags } from "../../../src/commands/prefill/flags.js";

const example = gatherOrder({ label: "example", text: exampleFile }, readFlags({}));

describe("--example", () => {
  test("has every field that the contract names", () => {
    const text = JSON.stringify(z.toJSONSchema(prefilledSchemas().newPrefilledOrder));
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
    expect(
      resolveCart(z.parse(prefilledSchemas().newPrefilledOrder, example).cart, houseCatalog),
    ).toMatchObject({
      problems: [],
      lines: [{}, {}],
    });
  });
});
