/** Reads an order in YAML, and so in JSON too, and remembers the place of each field. */
import {
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLError,
} from "yaml";

import { isObject, parseJson } from "../../api/json.js";
import { t } from "../../languages/language.js";

import type { Fault, FieldPath } from "./check-order.js";

export interface OrderDocument {
  readonly value: unknown;
  /** The faults of the text itself. */
  readonly faults: readonly Fault[];
  /** Can the fields be checked in spite of the faults? */
  readonly isReadable: boolean;
  /** Gives the place of a field, or of the group in which it is missing: `order.yaml:7:10`. */
  readonly locate: (path: FieldPath) => string;
}

export interface DocumentText {
  /** Messages name the file like this. */
  readonly label: string;
  readonly text: string;
}

export function parseOrderDocument({ label, text }: DocumentText): OrderDocument {
  const lineCounter = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${label}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const unreadable = (...faults: readonly Fault[]): OrderDocument => ({
    ...{ value: undefined, faults, isReadable: false, locate: () => at(0) },
  });
  try {
    const document = parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      stringKeys: true,
      logLevel: "error",
    });
    const syntax: readonly YAMLError[] = [...document.errors, ...document.warnings];
    const faultsOf = (errors: readonly YAMLError[]) =>
      errors.map((error) => ({ place: at(error.pos[0]), text: syntaxFault(error, text) }));
    const repeatedFields = syntax.filter(({ code }) => code === "DUPLICATE_KEY");
    // One slip makes the parser report several errors, so the first on a line counts.
    const slips = syntax
      .filter((error) => !repeatedFields.includes(error))
      .toSorted((left, other) => left.pos[0] - other.pos[0]);
    if (slips.length > 0) return unreadable(...faultsOf(repeatedFields), ...faultsOf(slips.slice(0, 1)));
    const lossy = findLossyValue(document);
    if (lossy) return unreadable({ place: at(lossy.offset), text: lossy.text });
    return {
      value: document.toJS() as unknown,
      faults: faultsOf(repeatedFields),
      isReadable: true,
      locate: (path) => at(offsetOf(document, path)),
    };
  } catch (error) {
    // The parser recurses for each level, and so does every walk through its document.
    if (!(error instanceof RangeError)) throw error;
    return unreadable({ place: at(0), text: t`is nested too deeply` });
  }
}

/**
 * Finds the first value that JavaScript would change. Aliases are refused, too: an order needs none, and a short text
 * with aliases can stand for millions of values.
 */
function findLossyValue(document: Document.Parsed) {
  const found: { readonly offset: number; readonly text: string }[] = [];
  const fault = ({ range }: Pick<Node, "range">, text: string) => {
    found.push({ offset: range?.[0] ?? 0, text });
    return visit.BREAK;
  };
  visit(document, {
    Alias: (_, alias) => fault(alias, t`*${alias.source} is an alias: write out what it stands for`),
    Scalar: (_, scalar) =>
      typeof scalar.value !== "number" || arrivesAsItIs(scalar.value)
        ? undefined
        : fault(scalar, t`a number that would not arrive as it is; put it in quotes`),
  });
  return found[0];
}

function arrivesAsItIs(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** Gives the offset of the last part of the path that exists: a field's name, or the start of a list's member. */
function offsetOf({ contents }: Document.Parsed, path: FieldPath): number {
  let node: unknown = contents;
  let offset = startOf(node) ?? 0;
  for (const part of path) {
    const pair = isMap(node)
      ? node.items.findLast(({ key }) => isScalar(key) && key.value === part)
      : undefined;
    const member = isSeq(node) ? node.items[Number(part)] : undefined;
    offset = startOf(pair?.key ?? member) ?? offset;
    node = pair?.value ?? member;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isCollection(node) ? node.range?.[0] : undefined;
}

/** Words the parser's error for the person who wrote the text. */
function syntaxFault({ code, message, pos: [from] }: YAMLError, text: string): string {
  switch (code) {
    case "DUPLICATE_KEY":
      return t`${/["']?([^"':\s]*)/.exec(text.slice(from))?.[1] ?? t`a field`} is there twice`;
    case "NON_STRING_KEY":
      return t`a field's name must be text`;
    case "TAB_AS_INDENT":
      return t`is indented with a tab; use spaces`;
    default:
      if (code === "MULTIPLE_DOCS" || isObject(parseJson(firstLineOf(text))))
        return t`a second order begins here; a file holds one`;
      if (/closing .quote/.test(message)) return t`a quote isn't closed`;
      if (/end with a [\]}]/.test(message)) return t`a list or a group of fields isn't closed`;
      return t`can't be read here; check quotes, commas and the indentation`;
  }
}

/** The first line that isn't blank or a comment. */
function firstLineOf(text: string): string {
  return /^[ \t]*[^\s#].*$/m.exec(text)?.[0] ?? "";
}
