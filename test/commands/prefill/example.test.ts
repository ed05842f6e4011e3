import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

import { newPrefilledOrderSchema } from "../../../src/api/input.js";
import { exampleFile } from "../../../src/commands/prefill/example.js";

test("the example has every field that the contract names", () => {
  const text = JSON.stringify(z.toJSONSchema(newPrefilledOrderSchema()));
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

test("the example is an order", () => {
  expect(z.parse(newPrefilledOrderSchema(), parse(exampleFile)).cart).toHaveLength(2);
});
