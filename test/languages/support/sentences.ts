/** What the source says to people, found by the TypeScript compiler's parser. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import type * as typescript from "typescript";

/** An import would read its nine megabytes once more, for the names that they export. */
const ts = createRequire(import.meta.url)("typescript") as typeof typescript;

export interface Sentence {
  /** `src/commands/login.ts:42`. */
  readonly place: string;
  /** As it is a key of the catalogue: `{0}` for the first value. */
  readonly key: string;
  /** In a template that `t` translates. */
  readonly isTemplate: boolean;
  /** Made while its module loads, when the language isn't known. */
  readonly isAtModuleLevel: boolean;
}

const root = path.resolve(import.meta.dirname, "../../..");

/** Every text of two words or more, and every template of `t`, in the files of `src` that `isMeant` lets through. */
export function sentencesOfSource(isMeant: (file: string) => boolean): readonly Sentence[] {
  return filesOfSource()
    .filter(isMeant)
    .flatMap((file) => textsOf(file).sentences);
}

/** Every string of the source, but for those in the catalogue itself. */
export function literalsOfSource(): ReadonlySet<string> {
  const files = filesOfSource().filter((name) => !name.startsWith("src/languages/"));
  return new Set(files.flatMap((file) => textsOf(file).literals));
}

/** Headings of tables' columns, `heading: "Store"`, which tables translate; those of CSV are names in lower case. */
export function headingsOfSource(): readonly string[] {
  const headings = filesOfSource().flatMap((file) => textsOf(file).headings);
  return [...new Set(headings)].filter((heading) => /^[A-Z]/.test(heading));
}

function filesOfSource(): readonly string[] {
  return readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file}`)
    .filter((file) => /\.tsx?$/.test(file))
    .sort();
}

interface Texts {
  readonly sentences: readonly Sentence[];
  readonly literals: readonly string[];
  readonly headings: readonly string[];
}

const texts = new Map<string, Texts>();

/** A file is parsed and walked once for all that is looked for in it: that is most of what these tests cost. */
function textsOf(file: string): Texts {
  const fromFile = texts.get(file) ?? walk(file);
  texts.set(file, fromFile);
  return fromFile;
}

function walk(file: string): Texts {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), "utf8"),
    { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    true,
  );
  const sentences: Sentence[] = [];
  const literals: string[] = [];
  const headings: string[] = [];
  const visit = (node: typescript.Node): void => {
    const key = ts.isTypeNode(node) ? undefined : keyOf(node);
    const isTemplate = isTaggedByT(node.parent);
    if (key !== undefined && (isTemplate || (isProse(key) && !isForPrograms(node)))) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      sentences.push({
        place: `${file}:${line + 1}`,
        key,
        isTemplate,
        isAtModuleLevel: !ts.findAncestor(node, (above) => ts.isFunctionLike(above)),
      });
    }
    // A name may be shown, too: `{ read: … }`.
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isIdentifier(node))
      literals.push(node.text);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === "heading") {
      if (ts.isStringLiteral(node.initializer)) headings.push(node.initializer.text);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return { sentences, literals, headings };
}

function keyOf(node: typescript.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isJsxText(node)) return node.text.trim().replaceAll(/\s+/g, " ");
  if (!ts.isTemplateExpression(node)) return undefined;
  return (
    node.head.text + node.templateSpans.map(({ literal }, index) => `{${index}}${literal.text}`).join("")
  );
}

function isTaggedByT(node: typescript.Node): boolean {
  return ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === "t";
}

/** Two words beside each other, in lower case but for the first: no header, no command, no SQL. */
function isProse(text: string): boolean {
  return /(?:^|[\s("])[A-Za-z][a-z']*[,:;]? (?:[a-z][a-z']*)(?:[\s,.:;?!)"]|$)/.test(text);
}

/** A fault of comanda's own, a type, a module's name, what is compared or is part of a regular expression. */
function isForPrograms(node: typescript.Node): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent) || ts.isTaggedTemplateExpression(parent))
    return true;
  if (ts.isBinaryExpression(parent) || ts.isPropertyAccessExpression(parent)) return true;
  if (ts.isNewExpression(parent))
    return ["Error", "TypeError", "RegExp"].includes(parent.expression.getText());
  return false;
}
