/** What an editor shows of a field is what the OpenAPI document says of it: both come from the field's schema. */
import { readdirSync, readFileSync } from "node:fs";

import ts from "typescript";
import { describe, expect, test } from "vitest";

import { filtersByName } from "../../src/api/filters.js";
import { isObject } from "../../src/api/basics.js";
import { openApiDocument } from "../../src/api/openapi.js";

/** The types that programs get of the API, by their names. */
const types = new Map(
  readdirSync("dist/library")
    .filter((name) => name.endsWith(".d.mts"))
    .flatMap((name) => {
      const text = readFileSync(`dist/library/${name}`, "utf8");
      const source = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
      return source.statements
        .filter(ts.isInterfaceDeclaration)
        .map((node) => [node.name.text, node] as const);
    }),
);

function textOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? "")
    .join("");
}

/** All fields of a type, those of its objects included. */
function fieldsIn(node: ts.Node): readonly ts.PropertySignature[] {
  const own = ts.isPropertySignature(node) ? [node] : [];
  const inside: ts.PropertySignature[] = [];
  ts.forEachChild(node, (child) => void inside.push(...fieldsIn(child)));
  return [...own, ...inside];
}

const { components } = JSON.parse(JSON.stringify(openApiDocument())) as {
  components: { schemas: Record<string, { properties: Record<string, unknown> }> };
};

describe.each([
  ["Order", "Order"],
  ["ReadOrder", "Order"],
  ["OrderItem", "OrderItem"],
  ["Summary", "Summary"],
  ["Group", "Group"],
  ["GroupedSummary", "GroupedSummary"],
  ["PrefilledOrder", "PrefilledOrder"],
  ["DriverInput", "AssignDriver"],
  ["CancelInput", "CancelOrder"],
  ["PrefilledDelivery", "NewPrefilledOrder"],
  ["PrefilledTakeout", "NewPrefilledOrder"],
])("%s", (type, schema) => {
  const members = types.get(type)?.members.filter(ts.isPropertySignature) ?? [];

  test(`has the fields of ${schema} in the document, and says of each what that says`, () => {
    const said = members.flatMap((member) => {
      const name = member.name.getText();
      // What can't be given needs no words.
      return member.type?.kind === ts.SyntaxKind.NeverKeyword ? [] : [[name, textOf(member)]];
    });
    const described = Object.entries(components.schemas[schema]?.properties ?? {}).map(([name, property]) => [
      name,
      isObject(property) ? property["description"] : undefined,
    ]);
    const fields =
      type === "PrefilledTakeout"
        ? described.filter(([name]) => name !== "order_type" && name !== "delivery_address")
        : described;
    expect(Object.fromEntries(said)).toMatchObject(Object.fromEntries(fields));
  });
});

test("each field of each type says what it is, with its section", () => {
  const names = [
    "Order",
    "OrderItem",
    "Group",
    "GroupedSummary",
    "PrefilledOrder",
    "DriverInput",
    "CancelInput",
  ];
  const inputs = ["PrefilledDelivery", "Filters", "SummaryQuery", "GroupedQuery"];
  const fields = [...names, ...inputs].flatMap((name) =>
    fieldsIn(types.get(name) ?? ts.factory.createNull()),
  );
  expect(fields.length).toBeGreaterThan(150);
  const silent = fields.filter((field) => !/ Section \d[\d.]*$/.test(textOf(field)));
  expect(silent.map((field) => field.getText())).toEqual([]);
});

test("there is a type of each filter, and no other", () => {
  const typed = types.get("Filters")?.members.map((member) => member.name?.getText());
  expect(typed?.toSorted()).toEqual([...filtersByName().keys()].toSorted());
});
