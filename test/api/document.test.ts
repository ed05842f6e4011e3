/** The OpenAPI document: a public linter finds nothing, and it says what the contract says. */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { filterParameter, filtersByName } from "../../src/api/filters.js";
import { allOperations } from "../../src/api/oauth.js";
import { operations, type Operation } from "../../src/api/operations.js";
import { openApiDocument } from "../../src/api/openapi.js";
import { isObject } from "../../src/api/json.js";

const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        security: z.array(z.record(z.string(), z.array(z.string()))),
        parameters: z._default(
          z.array(
            z.looseObject({
              name: z.string(),
              in: z.string(),
              required: z.boolean(),
              schema: z.record(z.string(), z.unknown()),
            }),
          ),
          [],
        ),
        responses: z.record(z.string(), z.unknown()),
        "x-rate-limit": z.optional(z.looseObject({ requests: z.number(), seconds: z.number() })),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
});
const parameterNames = [...filtersByName.keys()].map(filterParameter);
const document = z.parse(documentSchema, JSON.parse(JSON.stringify(openApiDocument())));

function described({ path, method }: Operation) {
  const found = document.paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`${method} ${path} is not in the document`);
  return found;
}

describe("the OpenAPI document", () => {
  test("passes the public linter with its recommended rules", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: JSON.stringify(openApiDocument()), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  test("would not pass with a reference that leads nowhere", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const source = JSON.stringify(openApiDocument()).replaceAll('schemas/Summary"', 'schemas/Nothing"');
    expect(await lintFromString({ source, config })).not.toEqual([]);
  });

  test.each(Object.values<Operation>(allOperations))(
    "has $id with its credentials, scopes and rate limit",
    (operation) => {
      const { operationId, security, responses, "x-rate-limit": limit } = described(operation);
      expect(operationId).toBe(operation.id);
      expect(security).toEqual(
        operation.credentials.map((kind) =>
          kind === "bearer" ? { oauth: [...operation.scopes] } : { apiKey: [] },
        ),
      );
      const summary = operation.bucket === "summary" || operation.bucket === "summary_grouped";
      if (operation.bucket === null) expect(limit).toBeUndefined();
      else
        expect(limit).toMatchObject(summary ? { requests: 5, seconds: 60 } : { requests: 300, seconds: 180 });
      expect(Object.keys(responses).filter((status) => status.startsWith("2"))).toHaveLength(1);
    },
  );

  test("has every filter of section 4.8, and the order's id in the path", () => {
    const names = (operation: Operation) => described(operation).parameters.map(({ name }) => name);
    expect(names(operations.summary)).toEqual(["start_date", "end_date", "date_field", ...parameterNames]);
    expect(names(operations.groupedSummary)).toContain("group_by");
    expect(described(operations.assignDriver).parameters).toMatchObject([
      { name: "order_id", in: "path", required: true },
    ]);
  });

  test("has a list for a filter that takes several values, and a single value for any other", () => {
    const { parameters } = described(operations.summary);
    const lists = parameters.filter(({ schema }) => schema["type"] === "array").map(({ name }) => name);
    expect(lists).toEqual(parameterNames.filter((name) => /_(?:not_)?in\]$/.test(name)));
    const schemaOf = (wanted: string) => parameters.find(({ name }) => name === wanted)?.schema;
    expect(schemaOf("filters[total_gteq]")).toEqual({ type: "number", minimum: 0 });
    expect(schemaOf("filters[customer_origin_null]")).toEqual({ type: "string", enum: ["true"] });
    expect(schemaOf("filters[created_at_time_lt]")).toMatchObject({ type: "string" });
    expect(schemaOf("filters[driver_id_in]")).toMatchObject({ items: { type: "integer", minimum: 1 } });
  });

  test("says of every field and every parameter what it is, with its section", () => {
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
    look(JSON.parse(JSON.stringify(openApiDocument())), "");
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter(([, text]) => !/ Section \d/.test(String(text)))).toEqual([]);
  });

  test("shows a refusal's code where its body is not shown, for types that are made of it", () => {
    expect(Object.keys(document.components.schemas["AnyError"]?.["properties"] ?? {})).toEqual([
      "code",
      "message",
      "details",
    ]);
    expect(document.components.schemas["AnyError"]).not.toHaveProperty("required");
    for (const { path, method, bucket } of Object.values<Operation>(operations)) {
      const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
      const shown = {
        content: { "application/json": { schema: { $ref: "#/components/schemas/AnyError" } } },
      };
      if (bucket !== null) expect(responses["429"]).toMatchObject(shown);
      if (responses["403"]) expect(responses["403"]).toMatchObject(shown);
    }
  });

  test("keeps the rules of a driver's fee, and open values open", () => {
    const { AssignDriver, Order } = document.components.schemas;
    expect(AssignDriver).toMatchObject({ additionalProperties: false, required: ["driver_id"] });
    expect(JSON.stringify(AssignDriver)).toContain("At most two decimals");
    expect(JSON.stringify(AssignDriver)).toContain('"multipleOf":0.01');
    expect(Order).toMatchObject({
      properties: { status: { anyOf: [{ type: "string" }, { type: "string" }] } },
    });
  });

  test("is the same each time, and takes the addresses that it is given", () => {
    expect(openApiDocument()).toEqual(openApiDocument());
    const own = openApiDocument({ baseUrl: "https://a.example/x", authUrl: "https://b.example/" });
    expect(own).toMatchObject({ servers: [{ url: "https://a.example/x" }] });
  });
});
