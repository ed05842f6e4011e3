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

import { isObject, parseJson } from "../../shared/json.js";
import { t, translated } from "../../shared/language.js";
import type { Fault, FieldPath } from "./fault.js";

export interface OrderDocument {
  readonly value: unknown;
  /** The faults of the text itself. */
  readonly faults: readonly Fault[];
  /** Can the fields be checked in spite of the faults? */
  readonly readable: boolean;
  /** Gives the place of a field, or of the group in which it is missing: `order.yaml:7:10`. */
  locate(path: FieldPath): string;
}

export interface DocumentText {
  /** Messages name the file like this. */
  readonly label: string;
  readonly text: string;
  /** The line in the file at which the text begins; 1 by default. */
  readonly firstLine?: number;
}

export function parseOrderDocument({ label, text, firstLine }: DocumentText): OrderDocument {
  const lineCounter = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${label}:${Math.max(line, 1) + (firstLine ?? 1) - 1}:${Math.max(col, 1)}`;
  };
  const unreadableDocument = (faults: readonly Fault[]): OrderDocument => ({
    value: undefined,
    readable: false,
    faults,
    locate: () => at(0),
  });
  try {
    const document = parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      stringKeys: true,
      logLevel: "error",
    });
    const faultsOf = (errors: readonly YAMLError[]) =>
      errors.map((error) => ({ place: at(error.pos[0]), text: syntaxFault(error, text) }));
    const syntax: readonly YAMLError[] = [...document.errors, ...document.warnings];
    const duplicateKeys = faultsOf(syntax.filter(({ code }) => code === "DUPLICATE_KEY"));
    // The parser reports a missing comma last, though it is the first fault.
    const rank = ({ code }: YAMLError) => Number(code !== "BLOCK_IN_FLOW");
    const otherErrors = syntax.filter(({ code }) => code !== "DUPLICATE_KEY");
    const syntaxFaults = faultsOf(otherErrors.toSorted((left, other) => rank(left) - rank(other)));
    if (syntaxFaults.length > 0) {
      const second = firstLine === undefined ? secondOrder(text) : undefined;
      if (second === undefined)
        return unreadableDocument([...duplicateKeys, ...firstOnEachLine(syntaxFaults)]);
      const lines = t`a second order begins here; for many orders, one a line, add --lines`;
      return unreadableDocument([{ place: at(second), text: lines }]);
    }
    const lossyValue = findLossyValue(document);
    if (lossyValue !== undefined)
      return unreadableDocument([{ place: at(lossyValue.offset), text: lossyValue.text }]);
    return {
      value: document.toJS() as unknown,
      readable: true,
      faults: duplicateKeys,
      locate: (path) => at(offsetOf(document, path)),
    };
  } catch (error) {
    // The parser recurses for each level, and so does every walk through its document.
    if (!(error instanceof RangeError)) throw error;
    return unreadableDocument([{ place: at(0), text: t`is nested too deeply` }]);
  }
}

/**
 * Finds the first value that JavaScript would change. Aliases are refused, too: an order needs none, and a short text
 * with aliases can stand for millions of values.
 */
function findLossyValue(
  document: Document.Parsed,
): { readonly offset: number; readonly text: string } | undefined {
  let text: string | undefined;
  let offset = 0;
  const faultAt = ({ range }: Pick<Node, "range">, fault: string) => {
    text = fault;
    offset = range?.[0] ?? 0;
    return visit.BREAK;
  };
  visit(document, {
    Alias: (_, alias) => faultAt(alias, t`*${alias.source} is an alias: write out what it stands for`),
    Scalar(_, scalar) {
      const { value } = scalar;
      if (
        typeof value !== "number" ||
        (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value))
      )
        return undefined;
      return faultAt(scalar, t`a number that would not arrive as it is; put it in quotes`);
    },
  });
  return text === undefined ? undefined : { offset, text };
}

/** One slip makes the parser report several errors, of which the first on a line counts. */
function firstOnEachLine(faults: readonly Fault[]): readonly Fault[] {
  const lineOf = ({ place }: Fault) => place.replace(/:\d+$/, "");
  return faults.filter(
    (fault, index) => faults.findIndex((other) => lineOf(other) === lineOf(fault)) === index,
  );
}

/** A text whose first line is a whole order is JSON Lines: gives the offset of its second order. */
function secondOrder(text: string): number | undefined {
  const [first, second] = [...text.matchAll(/^[ \t]*[^\s#].*$/gm)];
  if (!first || !second) return undefined;
  return isObject(parseJson(first[0])) ? second.index : undefined;
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
  if (code === "DUPLICATE_KEY")
    return t`${/["']?([^"':\s]*)/.exec(text.slice(from))?.[1] ?? t`a field`} is there twice`;
  const [, fault] = slips.find(([pattern]) => pattern.test(message) || pattern.test(code)) ?? [];
  return fault === undefined
    ? t`can't be read here; check the quotes and the indentation`
    : translated(fault);
}

/** The library's messages or codes, with comanda's sentences. */
const slips: readonly (readonly [RegExp, string])[] = [
  [/call stack/i, "is nested too deeply"],
  [/end with a \]/, "a list isn't closed: ] is missing"],
  [/end with a \}/, "a group of fields isn't closed: } is missing"],
  [/closing .quote/, "a quote isn't closed"],
  [/^Missing , or :/, "a colon or a comma is missing"],
  [/^Missing , between|^BLOCK_IN_FLOW$/, "inside [ ] and { } a comma has to stand between two members"],
  [/^Unexpected (?:,|empty item)/, "there is a comma too many"],
  [/item without -/, '"- " is missing before a member of the list'],
  [/followed by map values|^MULTILINE_IMPLICIT_KEY$/, "a colon is missing after the field's name"],
  [/^BAD_INDENT$/, "isn't indented as the lines around it are"],
  [/^TAB_AS_INDENT$/, "is indented with a tab; use spaces"],
  [
    /^BLOCK_AS_IMPLICIT_KEY$/,
    'a field can\'t begin here; check the indentation, and put a text that holds ": " in quotes',
  ],
  [/^BAD_SCALAR_START$/, "a text that begins so has to be in quotes"],
  [
    /^(ALIAS_PROPS|BAD_ALIAS|BAD_PROP_ORDER|MULTIPLE_ANCHORS|MULTIPLE_TAGS|TAG_RESOLVE_FAILED)$/,
    "& and * and ! have a meaning in YAML: put a text that begins with one in quotes",
  ],
  [/^MULTIPLE_DOCS$/, "a second document begins here; for many orders give JSON Lines, with --lines"],
  [/^NON_STRING_KEY$/, "a field's name must be text"],
];
