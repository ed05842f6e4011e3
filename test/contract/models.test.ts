/** What an editor shows of a field is what the OpenAPI document says of it, and what the contract reads is what the types say. */
import { readFileSync } from "node:fs";

import ts from "typescript";
import { describe, expect, expectTypeOf, test } from "vitest";
import type * as z from "zod/mini";

import { describeFilter, descriptions } from "../../src/contract/descriptions.js";
import { filtersByName } from "../../src/contract/filters.js";
import type { GroupedSummary, Order, PrefilledOrder, Summary } from "../../src/contract/models.js";
import type { orderSchema } from "../../src/contract/order.js";
import type { prefilledOrderSchema } from "../../src/contract/prefilled-order.js";
import type { groupedSummarySchema, summarySchema } from "../../src/contract/summary.js";

/** Types whose fields are described under another name. */
const describedAs: Readonly<Record<string, string>> = {
  DriverInput: "AssignDriver",
  CancelInput: "CancelOrder",
  NewAddress: "DeliveryAddress",
  AnyPrefilledOrder: "NewPrefilledOrder",
  PrefilledDelivery: "NewPrefilledOrder",
  PrefilledTakeout: "NewPrefilledOrder",
  SummaryQuery: "GroupedSummaryQuery",
  GroupedQuery: "GroupedSummaryQuery",
  HourlyQuery: "GroupedSummaryQuery",
};
const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...descriptions,
  Filters: Object.fromEntries(
    [...filtersByName].map(([name, { field, operator }]) => [name, describeFilter(field, operator)]),
  ),
};

const source = ts.createSourceFile(
  "models.ts",
  readFileSync("src/contract/models.ts", "utf8"),
  ts.ScriptTarget.ESNext,
  true,
);
const fields = source.statements.filter(ts.isInterfaceDeclaration).flatMap(({ name, members }) => {
  const model = describedAs[name.text] ?? name.text;
  if (!(model in texts)) return [];
  return members.filter(ts.isPropertySignature).map((member) => {
    const [doc] = ts.getJSDocCommentsAndTags(member);
    const said = ts.getTextOfJSDocComment(doc?.comment)?.replaceAll(/\s+/g, " ");
    return { type: name.text, model, field: member.name.getText(), said };
  });
});

describe("a field of a type", () => {
  test("says what it is in the contract's words, with its section", () => {
    const own = fields.filter(({ field }) => field !== "extra");
    expect(own.length).toBeGreaterThan(150);
    for (const { type, model, field, said } of own)
      expect([type, field, said]).toEqual([type, field, texts[model]?.[field]]);
    for (const { said } of own) expect(said).toMatch(/Section \d\.\d*\.?$/);
  });

  test("is there for each one that the contract describes", () => {
    const typed = new Set(fields.map(({ model, field }) => `${model}.${field}`));
    const described = Object.entries(texts).flatMap(([model, own]) =>
      Object.keys(own).map((field) => `${model}.${field}`),
    );
    expect(described.filter((name) => !typed.has(name))).toEqual([]);
  });
});

test("there is a type of each filter, and no other", () => {
  const typed = fields.filter(({ type }) => type === "Filters").map(({ field }) => field);
  expect(typed.toSorted()).toEqual([...filtersByName.keys()].toSorted());
});

test("what the contract reads is what the types say", () => {
  expectTypeOf<z.output<ReturnType<typeof orderSchema>>>().toExtend<Order>();
  expectTypeOf<z.output<ReturnType<typeof summarySchema>>>().toExtend<Summary>();
  expectTypeOf<z.output<ReturnType<typeof groupedSummarySchema>>>().toExtend<GroupedSummary>();
  expectTypeOf<z.output<ReturnType<typeof prefilledOrderSchema>>>().toExtend<PrefilledOrder>();
});
