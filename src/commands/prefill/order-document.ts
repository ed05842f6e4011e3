/** Reads an order that someone wrote in YAML, and so in JSON too, and remembers where each field stands. */
import { isMap, isSeq, LineCounter, parseDocument, type Document, type YAMLError } from "yaml";

import { isObject, parseJson } from "../../shared/json.js";
import { t } from "../../shared/language.js";
import type { Fault, FieldPath } from "./fault.js";
import { findPair, startOf, structureOf, type Structure } from "./structure-faults.js";
import { syntaxFault } from "./syntax-fault.js";

export interface OrderDocument {
  readonly value: unknown;
  /** What is wrong with the text itself. */
  readonly faults: readonly Fault[];
  /** Can the fields be looked at all the same? */
  readonly readable: boolean;
  /** Where a field stands, or what it should stand in: `order.yaml:7:10`. */
  locate(path: FieldPath): string;
}

export interface DocumentText {
  /** How the file is called in messages. */
  readonly label: string;
  readonly text: string;
  /** The line that the text begins at, where it is one of many; 1 without it. */
  readonly firstLine?: number;
}

export function parseOrderDocument({ label, text, firstLine }: DocumentText): OrderDocument {
  const lineCounter = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${label}:${Math.max(line, 1) + (firstLine ?? 1) - 1}:${Math.max(col, 1)}`;
  };
  const unreadable = (faults: readonly Fault[]): OrderDocument => ({
    value: undefined,
    readable: false,
    faults,
    locate: () => at(0),
  });
  const tooDeep = () => unreadable([{ where: at(0), text: t`is nested too deeply` }]);
  let document: Document.Parsed;
  try {
    document = parseDocument(text, { lineCounter, prettyErrors: false, merge: true, logLevel: "error" });
  } catch {
    // The parser calls itself for each level.
    return tooDeep();
  }
  const told = (errors: readonly YAMLError[]) =>
    errors.map((error) => ({ where: at(error.pos[0]), text: syntaxFault(error, text) }));
  const syntax: readonly YAMLError[] = [...document.errors, ...document.warnings];
  const twice = told(syntax.filter(({ code }) => code === "DUPLICATE_KEY"));
  const broken = told([
    ...syntax.filter(({ code }) => code === "BLOCK_IN_FLOW"),
    ...syntax.filter(({ code }) => code !== "BLOCK_IN_FLOW" && code !== "DUPLICATE_KEY"),
  ]);
  if (broken.length > 0) {
    const second = firstLine === undefined ? secondOrder(text) : undefined;
    if (second === undefined) return unreadable([...twice, ...firstOnEachLine(broken)]);
    const lines = t`a second order begins here; for many orders, one a line, add --lines`;
    return unreadable([{ where: at(second), text: lines }]);
  }
  try {
    const structure = structureOf(document);
    const wrong = structure.faults;
    if (wrong.length > 0)
      return unreadable([
        ...twice,
        ...wrong.map(({ offset, text: fault }) => ({ where: at(offset), text: fault })),
      ]);
    return {
      // Aliases are counted by then.
      value: document.toJS({ maxAliasCount: -1 }) as unknown,
      readable: true,
      faults: twice,
      locate: (path) => at(offsetOf(document, path, structure)),
    };
  } catch {
    return tooDeep();
  }
}

/** One slip makes the parser stumble several times. For a comma that is missing it says so last. */
function firstOnEachLine(faults: readonly Fault[]): Fault[] {
  const line = ({ where }: Fault) => where.replace(/:\d+$/, "");
  return [...new Map([...faults].reverse().map((fault) => [line(fault), fault])).values()].reverse();
}

/** Where the second line is of a text whose first is an order by itself: then it is JSON Lines. */
function secondOrder(text: string): number | undefined {
  const [first, second] = [...text.matchAll(/^[ \t]*[^\s#].*$/gm)];
  if (!first || !second) return undefined;
  return isObject(parseJson(first[0])) ? second.index : undefined;
}

/** The offset of the last part of the path that is there: of a field its name, of a list's member its start. */
function offsetOf({ contents }: Document.Parsed, path: FieldPath, structure: Structure): number {
  let node: unknown = contents;
  let offset = startOf(node) ?? 0;
  for (const part of path) {
    const holder = structure.resolve(node);
    if (isMap(holder)) {
      const pair = findPair(holder, String(part), structure);
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(holder)) {
      const member = holder.items[Number(part)];
      offset = startOf(member) ?? offset;
      node = member;
    } else break;
  }
  return offset;
}
