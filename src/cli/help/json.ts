/** The help topic `json`: each document that comanda prints, generated from its schema. */
import * as z from "zod";

import { documents, type JsonDocument } from "./documents.js";

const intro = `# JSON

Fields may be added but are never removed. Amounts are numbers with at most two
decimals. A field marked (?) is left out if it doesn't apply. Errors are printed
on stderr, always in English. comanda api prints what the service returned.
`;

const printedAs = { once: "one document", lines: "one line for each", list: "a list" } as const;

export function jsonTopic(): string {
  const sections = Object.entries(documents).map(([title, members]) =>
    [`## ${title}`, "", "```text", members.map(describe).join("\n\n"), "```", ""].join("\n"),
  );
  return [intro, ...sections].join("\n");
}

function describe({ name, commands, printed, schema }: JsonDocument): string {
  const title = commands.length === 0 ? name : `${commands.join(", ")}: ${name}, ${printedAs[printed]}`;
  const described = z.toJSONSchema(schema, {
    // Another document's schema has its name as its title.
    override({ zodSchema, jsonSchema }) {
      const other = zodSchema === (schema as z.core.$ZodType) ? undefined : names.get(zodSchema);
      if (other !== undefined) jsonSchema.title = other;
    },
  });
  return [`  ${title}`, ...fieldLines(described, "    ")].join("\n");
}

const names = new Map<z.core.$ZodType, string>(
  Object.values(documents).flatMap((members) => members.map(({ schema, name }) => [schema, name])),
);

/** Returns a line for each field, followed by the fields of an object in it, unless that is another document. */
function fieldLines(schema: z.core.JSONSchema.JSONSchema, indent: string): readonly string[] {
  if (schema.title !== undefined) return [];
  const required = new Set(schema.required);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (typeof field === "boolean") return [];
    const text = [typeText(field), field.description].filter(Boolean).join("; ");
    const label = `${indent}${name}${required.has(name) ? "" : " (?)"}`.padEnd(27);
    return [`${label}  ${text}`, ...fieldLines(field, `${indent}  `)];
  });
  const { items } = schema;
  const parts = [...(schema.anyOf ?? []), ...(items && !Array.isArray(items) ? [items] : [])];
  return [...own, ...parts.flatMap((part) => (typeof part === "boolean" ? [] : fieldLines(part, indent)))];
}

const typeTexts: Readonly<Record<string, string>> = { string: "text", boolean: "true or false" };

function typeText(schema: z.core.JSONSchema._JSONSchema): string {
  if (typeof schema === "boolean") return "anything";
  const { title, anyOf, items, type, format } = schema;
  if (title !== undefined) return title;
  if (anyOf) return anyOf.map(typeText).join(" or ");
  if (schema.enum) return schema.enum.join(", ");
  if ("const" in schema) return String(schema.const);
  if (type === "array") return `list: ${items && !Array.isArray(items) ? typeText(items) : "anything"}`;
  // The types don't say that JSON Schema allows several.
  const types: readonly string[] = type === undefined ? [] : [type].flat();
  const texts = types.map((each) => (format === "date-time" ? format : (typeTexts[each] ?? each)));
  return texts.join(" or ") || "anything";
}
