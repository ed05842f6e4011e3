// @ts-check
/** Type declarations of the library: TypeScript declares all that the library is made of, and a program sees a part of it. */
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import ts from "typescript";

/** @typedef {{ readonly file: string | undefined, readonly name: string | undefined }} Place no name: all of the file; no file: a package's */
/**
 * What stands at the top of a file, by the names that it has there.
 *
 * @typedef {object} Declarations
 * @property {ts.SourceFile} source
 * @property {Map<string, ts.Statement[]>} declared
 * @property {Map<string, Place>} imported
 * @property {Map<string, Place>} handedOn
 * @property {string[]} handedOnWhole files
 */

/**
 * Gives the fields of a file's interfaces their docstrings.
 *
 * @param {string} file
 * @param {(type: string, field: string) => string | undefined} textOf
 */
export function describeFields(file, textOf) {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const docs = source.statements.filter(ts.isInterfaceDeclaration).flatMap(({ name, members }) =>
    members.flatMap((member) => {
      const doc = textOf(name.text, member.name?.getText() ?? "");
      return doc === undefined ? [] : [{ at: member.getStart(), doc }];
    }),
  );
  const described = docs.reduceRight(
    (rest, { at, doc }) => `${rest.slice(0, at)}/** ${doc} */\n    ${rest.slice(at)}`,
    text,
  );
  writeFileSync(file, described);
}

/**
 * Removes the declarations that no entry leads to, and halves the indentation.
 *
 * @param {string} folder of the declarations
 * @param {readonly string[]} entries files, all of whose exports are kept
 */
export function keepReachable(folder, entries) {
  const reached = reachedFrom(entries);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = path.join(folder, name);
    if (!name.endsWith(".d.ts")) continue;
    const names = reached.get(file);
    if (names === undefined) rmSync(file);
    else writeFileSync(file, withNames(declarationsOf(file), names, entries.includes(file)));
  }
}

/**
 * @param {readonly string[]} entries
 * @returns {Map<string, Set<string>>} the names that are needed of each file
 */
function reachedFrom(entries) {
  /** @type {Map<string, Set<string>>} */
  const reached = new Map();
  /** @param {Place} place */
  const reach = ({ file, name }) => {
    if (file === undefined) return;
    const names = reached.get(file) ?? new Set();
    reached.set(file, names);
    const { declared, imported, handedOn, handedOnWhole } = declarationsOf(file);
    if (name === undefined) {
      for (const each of [...declared.keys(), ...handedOn.keys()]) reach({ file, name: each });
      for (const other of handedOnWhole) reach({ file: other, name });
      return;
    }
    if (names.has(name)) return;
    names.add(name);
    for (const statement of declared.get(name) ?? [])
      for (const used of usedBy(statement, file))
        if (used.file !== file || declared.has(used.name ?? "") || imported.has(used.name ?? "")) reach(used);
    for (const target of [imported.get(name), handedOn.get(name)]) if (target) reach(target);
    if (declared.has(name) || imported.has(name) || handedOn.has(name)) return;
    for (const other of handedOnWhole) reach({ file: other, name });
  };
  for (const file of entries) reach({ file, name: undefined });
  return reached;
}

/**
 * @param {ts.Statement} statement
 * @param {string} file
 * @returns {Place[]} the names that stand in it, and in the links of its docstrings
 */
function usedBy(statement, file) {
  /** @type {Place[]} */
  const places = [...statement.getFullText().matchAll(/\{@link (\w+)/g)].map(([, name]) => ({ file, name }));
  /** @param {ts.Node} node */
  const look = (node) => {
    if (ts.isIdentifier(node)) places.push({ file, name: node.text });
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const target = fileOf(file, node.argument.literal);
      const [name] = node.qualifier?.getText().split(".") ?? [];
      if (target !== undefined) places.push({ file: target, name });
    }
    ts.forEachChild(node, look);
  };
  look(statement);
  return places;
}

/** @type {Map<string, Declarations>} */
const read = new Map();

/** @param {string} file */
function declarationsOf(file) {
  const present = read.get(file);
  if (present !== undefined) return present;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ESNext, true);
  /** @type {Declarations} */
  const found = { source, declared: new Map(), imported: new Map(), handedOn: new Map(), handedOnWhole: [] };
  read.set(file, found);
  for (const statement of source.statements) note(found, statement, file);
  return found;
}

/**
 * @param {Declarations} found
 * @param {ts.Statement} statement
 * @param {string} file
 */
function note({ declared, imported, handedOn, handedOnWhole }, statement, file) {
  if (ts.isImportDeclaration(statement)) {
    const target = fileOf(file, statement.moduleSpecifier);
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined) return;
    if (ts.isNamespaceImport(bindings)) imported.set(bindings.name.text, { file: target, name: undefined });
    else
      for (const { name, propertyName = name } of bindings.elements)
        imported.set(name.text, { file: target, name: propertyName.text });
    return;
  }
  if (ts.isExportDeclaration(statement)) {
    const target = statement.moduleSpecifier ? fileOf(file, statement.moduleSpecifier) : file;
    if (target === undefined) return;
    if (!statement.exportClause) handedOnWhole.push(target);
    else if (ts.isNamedExports(statement.exportClause))
      for (const { name, propertyName = name } of statement.exportClause.elements)
        handedOn.set(name.text, { file: target, name: propertyName.text });
    return;
  }
  for (const name of namesOf(statement)) declared.set(name, [...(declared.get(name) ?? []), statement]);
}

/**
 * @param {ts.Statement} statement
 * @returns {readonly string[]}
 */
function namesOf(statement) {
  const declarations = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations
    : [/** @type {ts.DeclarationStatement} */ (statement)];
  return declarations.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
}

/**
 * @param {string} file
 * @param {ts.Node} specifier
 * @returns the file of these declarations that it names, if it is one
 */
function fileOf(file, specifier) {
  if (!ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return undefined;
  return path.resolve(path.dirname(file), specifier.text.replace(/\.js$/, ".d.ts"));
}

/**
 * @param {Declarations} declarations
 * @param {ReadonlySet<string>} names
 * @param {boolean} isEntry
 */
function withNames({ source }, names, isEntry) {
  const texts = source.statements.map((statement) => {
    if (isEntry) return statement.getFullText();
    if (ts.isImportDeclaration(statement))
      return withElements(statement, statement.importClause?.namedBindings, names);
    if (ts.isExportDeclaration(statement)) return withElements(statement, statement.exportClause, names);
    return namesOf(statement).some((name) => names.has(name)) ? statement.getFullText() : "";
  });
  const references = source.text.match(/^\/\/\/ .*\n/gm) ?? [];
  const text = texts.join("").trimStart();
  const kept = references.filter((line) => !text.includes(line)).join("") + text;
  const isModule = /^(?:import|export)\b/m.test(kept);
  return `${kept}${isModule ? "" : "\nexport {};"}\n`.replaceAll(/^ {4,}/gm, (spaces) =>
    " ".repeat(Math.ceil(spaces.length / 2)),
  );
}

/**
 * @param {ts.Statement} statement that imports, or hands on
 * @param {ts.NamedImportBindings | ts.NamedExportBindings | undefined} bindings
 * @param {ReadonlySet<string>} names
 */
function withElements(statement, bindings, names) {
  if (bindings && ts.isNamespaceImport(bindings) && !names.has(bindings.name.text)) return "";
  if (!bindings || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings)))
    return statement.getFullText();
  const kept = bindings.elements.flatMap((element) =>
    names.has(element.name.text) ? [element.getText()] : [],
  );
  if (kept.length === 0) return "";
  return statement.getFullText().replace(bindings.getText(), `{ ${kept.join(", ")} }`);
}
