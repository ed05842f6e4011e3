/** The text that an editor shows for a field, which the build takes from descriptions.json. */
import { readdirSync, readFileSync } from "node:fs";

import ts from "typescript";
import { expect, test } from "vitest";

/** The API's types for programs, by name. */
const types = new Map(
  readdirSync("dist/library")
    .filter((name) => name.endsWith(".d.mts"))
    .flatMap((name) => {
      const text = readFileSync(`dist/library/${name}`, "utf8");
      const source = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
      const interfaces = source.statements.filter(ts.isInterfaceDeclaration);
      return interfaces.map((node) => [node.name.text, node] as const);
    }),
);

function textOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? "")
    .join("");
}

/** All fields of a type and of its objects. */
function fieldsIn(node: ts.Node): readonly ts.PropertySignature[] {
  const own = ts.isPropertySignature(node) ? [node] : [];
  const inside: ts.PropertySignature[] = [];
  ts.forEachChild(node, (child) => void inside.push(...fieldsIn(child)));
  return [...own, ...inside];
}

test("each field of each type has a description with its section", () => {
  const names = ["Order", "ReadOrder", "OrderItem", "Summary", "Group", "GroupedSummary", "PrefilledOrder"];
  const inputs = "DriverInput CancelInput PrefilledDelivery Filters SummaryQuery GroupedQuery".split(" ");
  const typeOf = (name: string) => types.get(name) ?? ts.factory.createNull();
  const fields = [...names, ...inputs].flatMap((name) => fieldsIn(typeOf(name)));
  expect(fields.length).toBeGreaterThan(150);
  const silent = fields.filter((field) => !/ Section \d[\d.]*$/.test(textOf(field)));
  expect(silent.map((field) => field.getText())).toEqual([]);
});

test("the types contain nothing internal", () => {
  expect([...types.keys()].filter((name) => /Zod|Operation|BuiltCall/.test(name))).toEqual([]);
  const methods = types.get("Client")?.members.map((member) => member.name?.getText());
  expect(methods).toContain("dispatchOrder");
  expect(methods).not.toContain("call");
});
