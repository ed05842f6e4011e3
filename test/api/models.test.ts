/** What an editor shows of a field is what the OpenAPI document says of it, and what the contract reads is what the types say. */
import { readdirSync, readFileSync } from "node:fs";

import ts from "typescript";
import { describe, expect, expectTypeOf, test } from "vitest";
import type * as z from "zod/mini";

import { descriptions, fieldText } from "../../src/api/descriptions.js";
import { filtersByName } from "../../src/api/filters.js";
import type { GroupedSummary, Order, PrefilledOrder, Summary } from "../../src/api/models.js";
import type { orderSchema } from "../../src/api/order.js";
import type { prefilledOrderSchema } from "../../src/api/prefilled-order.js";
import type { groupedSummarySchema, summarySchema } from "../../src/api/summary.js";

/** The fields of the types that programs get. */
const fields = declared();

function declared() {
  const models = new Set(fieldsIn("src/api/models.ts").map(({ type }) => type));
  return readdirSync("dist/library")
    .filter((name) => name.endsWith(".d.mts"))
    .flatMap((name) => fieldsIn(`dist/library/${name}`))
    .filter(({ type }) => models.has(type));
}

function fieldsIn(file: string) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ESNext, true);
  return source.statements.filter(ts.isInterfaceDeclaration).flatMap(({ name, members }) =>
    members.filter(ts.isPropertySignature).map((member) => {
      const [doc] = ts.getJSDocCommentsAndTags(member);
      const said = ts.getTextOfJSDocComment(doc?.comment);
      return { type: name.text, field: member.name.getText(), said };
    }),
  );
}

describe("a field of a type", () => {
  test("says what it is in the contract's words, with its section", () => {
    const described = fields.filter(({ type, field }) => type !== "OperationInputs" && field !== "extra");
    expect(described.length).toBeGreaterThan(120);
    for (const { type, field, said } of described) {
      expect([type, field, said]).toEqual([type, field, fieldText(type, field)]);
      expect(said).toMatch(/Section \d\.\d*\.?$/);
    }
  });

  test("is there for each one that the contract describes", () => {
    const said = new Set(fields.map((field) => field.said));
    const texts = Object.values<Readonly<Record<string, string>>>(descriptions).flatMap((model) =>
      Object.values(model),
    );
    const { order_id: ofPath } = descriptions.OrderId;
    expect(texts.filter((text) => text !== ofPath && !said.has(text))).toEqual([]);
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
