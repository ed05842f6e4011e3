/** The OpenAPI document: a public linter finds nothing, and it says what the contract says. */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import * as z from "zod/mini";

import { filterParameter, filtersByName } from "../../src/api/filters.js";
import { isObject } from "../../src/api/basics.js";
import { operations, type Operation } from "../../src/api/operations.js";
import { openApiDocument } from "../../src/api/openapi.js";

const anything = z.record(z.string(), z.unknown());
const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        parameters: z._default(
          z.array(
            z.looseObject({ name: z.string(), in: z.string(), required: z.boolean(), schema: anything }),
          ),
          [],
        ),
        responses: anything,
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), anything) }),
});
const plain: unknown = JSON.parse(JSON.stringify(openApiDocument()));
const document = z.parse(documentSchema, plain);

function described({ path, method }: Operation) {
  const found = document.paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`${method} ${path} is not in the document`);
  return found;
}

test("it passes the public linter with its recommended rules", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(plain), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

test("it has every filter of section 4.8, as a list where that takes several values", () => {
  const { parameters } = described(operations.summary);
  const names = [...filtersByName().keys()].map(filterParameter);
  expect(parameters.map(({ name }) => name)).toEqual(["start_date", "end_date", "date_field", ...names]);
  const lists = parameters.filter(({ schema }) => schema["type"] === "array").map(({ name }) => name);
  expect(lists).toEqual(names.filter((name) => /_(?:not_)?in\]$/.test(name)));
  const schemaOf = (wanted: string) => parameters.find(({ name }) => name === wanted)?.schema;
  expect(schemaOf("filters[total_gteq]")).toEqual({ type: "number", minimum: 0 });
  expect(schemaOf("filters[customer_origin_null]")).toEqual({ type: "string", enum: ["true"] });
  expect(schemaOf("filters[driver_id_in]")).toMatchObject({ items: { type: "integer", minimum: 1 } });
});

test("it says of every field and every parameter what it is, with its section", () => {
  const texts: (readonly [name: string, description: unknown])[] = [];
  const look = (node: unknown, place: string) => {
    if (!isObject(node)) return;
    const { properties, parameters } = node;
    if (isObject(properties))
      for (const [name, field] of Object.entries(properties))
        texts.push([`${place}.${name}`, isObject(field) ? field["description"] : undefined]);
    if (Array.isArray(parameters))
      for (const parameter of parameters.filter(isObject))
        texts.push([`${place}?${String(parameter["name"])}`, parameter["description"]]);
    for (const [name, member] of Object.entries(node)) look(member, `${place}/${name}`);
  };
  look(plain, "");
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter(([, text]) => !/ Section \d/.test(String(text)))).toEqual([]);
});

test("it shows a refusal's code where its body is not shown, for types that are made of it", () => {
  const { AnyError } = document.components.schemas;
  expect(Object.keys(AnyError?.["properties"] ?? {})).toEqual(["code", "message", "details"]);
  expect(AnyError).not.toHaveProperty("required");
  const shown = { content: { "application/json": { schema: { $ref: "#/components/schemas/AnyError" } } } };
  for (const operation of Object.values<Operation>(operations)) {
    const { responses } = described(operation);
    expect(responses["429"]).toMatchObject(shown);
    if (responses["403"]) expect(responses["403"]).toMatchObject(shown);
  }
});

test("it keeps the rules of a driver's fee, and what is open open", () => {
  const { AssignDriver, CancelOrder, Order } = document.components.schemas;
  expect(AssignDriver).toMatchObject({ additionalProperties: false, required: ["driver_id"] });
  expect(JSON.stringify(AssignDriver)).toMatch(/"multipleOf":0.01.*At most two decimals/);
  expect(CancelOrder).toMatchObject({ additionalProperties: {} });
  expect(Order).toMatchObject({
    properties: { status: { anyOf: [{ type: "string" }, { type: "string" }] } },
  });
});

test("it takes the addresses that it is given", () => {
  const own = openApiDocument({ baseUrl: "https://a.example/x", authUrl: "https://b.example/" });
  expect(own).toMatchObject({ servers: [{ url: "https://a.example/x" }] });
  expect(JSON.stringify(own)).toContain('"authorizationUrl":"https://b.example/"');
});
