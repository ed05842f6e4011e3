/** The OpenAPI document matches the specification and the contract. CI also runs a public linter over it. */
import { expect, test } from "vitest";
import * as z from "zod/mini";

import { isObject } from "../../src/base/basics.js";
import { filterParameter, filtersByName } from "../../src/api/filters.js";
import { operations, type Operation } from "../../src/api/operations.js";
import { openApiDocument } from "../../src/api/openapi.js";
import { orderStatuses } from "../../src/api/values.js";
import { loadWireFixtures } from "../fixtures/wire/load.js";
import { createValidator } from "../support/openapi-validator.js";

const anything = z.record(z.string(), z.unknown());
const parameterSchema = z.looseObject({ name: z.string(), schema: anything });
const parametersSchema = z._default(z.array(parameterSchema), []);
const operationSchema = z.looseObject({ parameters: parametersSchema, responses: anything });
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ schemas: z.record(z.string(), anything) }),
});
const plain: unknown = JSON.parse(JSON.stringify(openApiDocument()));
const document = z.parse(documentSchema, plain);
const validate = createValidator(openApiDocument());

function described({ path, method }: Operation) {
  const found = document.paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`${method} ${path} is not in the document`);
  return found;
}

test("a public validator accepts what the specification shows", () => {
  const problems = loadWireFixtures().flatMap(({ requests, answers }) =>
    requests.flatMap((request) =>
      answers.flatMap(({ shown, status, body }) => {
        // A complete order, not the excerpt with one field.
        const isWhole =
          shown && (status !== 200 || !body.includes('"items"') || body.includes('"updated_at"'));
        return isWhole ? validate({ ...request, status, answer: body }) : [];
      }),
    ),
  );
  expect(problems).toEqual([]);
});

test("a public validator rejects a request and a response that don't match", () => {
  const exchange = {
    ...{ method: "PUT", path: "/api/partner/v1/orders/7/driver", headers: {}, status: 404 },
    ...{ body: '{"driver_id":11}', answer: '{"code":4041,"message":"no"}' },
  };
  expect(validate(exchange)).toEqual([]);
  for (const wrong of [
    { path: "/api/partner/v1/orders", status: 200 },
    { status: 201 },
    { answer: '{"code":"x"}' },
    { status: 200, answer: '{"id":"x"}' },
  ])
    expect(validate({ ...exchange, ...wrong })).toHaveLength(1);
});

test("the document has every filter of section 4.8, as a list if it accepts several values", () => {
  const { parameters } = described(operations.summary);
  const names = [...filtersByName().keys()].map(filterParameter);
  expect(parameters.map(({ name }) => name)).toEqual(["start_date", "end_date", "date_field", ...names]);
  const lists = parameters.filter(({ schema }) => schema["type"] === "array").map(({ name }) => name);
  expect(lists).toEqual(names.filter((name) => /_(?:not_)?in\]$/.test(name)));
});

test("the document describes every field and parameter with its section", () => {
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
  const missing = texts.filter(([, text]) => !/ Section \d/.test(String(text))).map(([name]) => name);
  expect(missing).toEqual([]);
});

test("the document limits a driver's fee to two decimals, and leaves an order's status open", () => {
  const { AssignDriver, Order } = document.components.schemas;
  const cents = { type: "number", minimum: 0, multipleOf: 0.01 };
  const driver_fee = { anyOf: [cents, { type: "null" }] };
  expect(AssignDriver).toMatchObject({ properties: { driver_fee }, additionalProperties: false });
  const status = { anyOf: [{ type: "string", enum: orderStatuses }, { type: "string" }] };
  expect(Order).toMatchObject({ properties: { status }, additionalProperties: {} });
});

test("the document lists exactly the rules between fields, handwritten from the specification", () => {
  const dateTime = "must be an ISO 8601 date-time with an offset if date_field is created_at (section 4.6).";
  const date = "must be a date, YYYY-MM-DD, if date_field is scheduled_date (section 4.6).";
  const listed = JSON.stringify(plain).match(/(?<=\\n- )`.*?\(section [\d.]+\)\./g);
  expect([...new Set(listed)].sort()).toEqual([
    "`delivery_address` is only allowed if order_type is delivery (section 4.9).",
    `\`end_date\` ${date}`,
    `\`end_date\` ${dateTime}`,
    "`end_date` must be at most 6 months after start_date (section 8).",
    "`group_by` can't be hour if date_field is scheduled_date (section 4.7).",
    `\`start_date\` ${date}`,
    `\`start_date\` ${dateTime}`,
    "`start_date` must not go back more than 3 years (section 8).",
  ]);
});
