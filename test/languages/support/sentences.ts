/** Finds the texts for users in the source, with the parser of the TypeScript compiler. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import type * as typescript from "typescript";

/** An import would read these nine megabytes a second time, to find their exports. */
const ts = createRequire(import.meta.url)("typescript") as typeof typescript;

/** A text of `t`. */
interface Template {
  /** The file and line, such as `src/commands/login.ts:42`. */
  readonly place: string;
  /** The key in the catalogue: `{0}` for the first value. */
  readonly key: string;
  /** Whether it is created while its module loads, when the language isn't known. */
  readonly isAtModuleLevel: boolean;
}

export const templates: Template[] = [];
/** Every string of the source except the catalogue. */
export const literals = new Set<string>();
/** The headings of columns, such as `heading: "store"`, which tables translate. */
export const headings: string[] = [];

const root = path.resolve(import.meta.dirname, "../../..");

/** The comments and notes of the file that `prefill --example` prints. */
export const notesOfExample: readonly string[] =
  readFileSync(path.join(root, "src/commands/prefill-example.txt"), "utf8").match(
    /(?<=# |observation: |reference: ).*$/gm,
  ) ?? [];

for (const name of readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" }).sort())
  if (/\.tsx?$/.test(name)) readTexts(`src/${name}`);

function readTexts(file: string): void {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), "utf8"),
    { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    true,
  );
  const visit = (node: typescript.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "t") {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      const isAtModuleLevel = !ts.findAncestor(node, (above) => ts.isFunctionLike(above));
      templates.push({ place: `${file}:${line + 1}`, key: keyOf(node.template), isAtModuleLevel });
    }
    // A property name can be a text, too: `{ read: … }`.
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isIdentifier(node))
      literals.add(node.text);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === "heading") {
      const { initializer: value } = node;
      const choices = ts.isConditionalExpression(value) ? [value.whenTrue, value.whenFalse] : [value];
      for (const choice of choices) if (ts.isStringLiteral(choice)) headings.push(choice.text);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
}

function keyOf(template: typescript.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  const { head, templateSpans } = template;
  return head.text + templateSpans.map(({ literal }, index) => `{${index}}${literal.text}`).join("");
}
