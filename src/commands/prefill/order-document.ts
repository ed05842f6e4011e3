/** Reads an order that someone wrote in YAML, and so in JSON too, and remembers where each field stands. */
import {
  Alias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type YAMLError,
} from "yaml";

import type { Fault, FieldPath } from "./fault.js";

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
  /** The line that the text begins at; 1 without it. */
  readonly firstLine?: number;
}

export function parseOrderDocument({ label, text, firstLine = 1 }: DocumentText): OrderDocument {
  const lineCounter = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${label}:${Math.max(line, 1) + firstLine - 1}:${Math.max(col, 1)}`;
  };
  const unreadable = (fault: string): OrderDocument => ({
    ...{ value: undefined, readable: false, faults: [{ where: at(0), text: fault }], locate: () => at(0) },
  });
  let document: Document.Parsed;
  try {
    document = parseDocument(text, { lineCounter, prettyErrors: false });
  } catch {
    // The parser calls itself for each level.
    return unreadable("is nested too deeply");
  }
  const syntax = [...document.errors, ...document.warnings];
  const faults = firstAtEachPlace(
    syntax.map((error) => ({ where: at(error.pos[0]), text: syntaxFault(error, text) })),
  );
  if (syntax.some(({ code }) => code !== "DUPLICATE_KEY")) {
    return { value: undefined, readable: false, faults, locate: () => at(0) };
  }
  const value = plainValue(document);
  if (value === undefined)
    return unreadable("refers to itself, or too often to the same thing, or is nested too deeply");
  return {
    value: value.json,
    readable: true,
    faults,
    locate: (path) => at(offsetOf(document, path)),
  };
}

/** One slip makes the parser stumble several times. */
function firstAtEachPlace(faults: readonly Fault[]): Fault[] {
  return [...new Map([...faults].reverse().map((fault) => [fault.where, fault])).values()].reverse();
}

function syntaxFault({ code, message, pos }: YAMLError, text: string): string {
  switch (code) {
    case "DUPLICATE_KEY":
      return `${/["']?([^"':\s]*)/.exec(text.slice(pos[0]))?.[1] ?? "a field"} is there twice`;
    case "MULTIPLE_DOCS":
      return "a second document begins here; for many orders give JSON Lines, with --lines";
    default: {
      if (/call stack/i.test(message)) return "is nested too deeply";
      const [sentence = ""] = message.split("\n");
      return `${(sentence[0] ?? "").toLowerCase()}${sentence.slice(1)}`;
    }
  }
}

/** As JSON has it. `undefined` where aliases go round in circles, or blow a short text up to a huge one. */
function plainValue(document: Document.Parsed): { json: unknown } | undefined {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    JSON.stringify(value);
    return { json: value };
  } catch {
    return undefined;
  }
}

/** The offset of the last part of the path that is there: of a field its name, of a list's member its start. */
function offsetOf(document: Document.Parsed, path: FieldPath): number {
  let node: unknown = document.contents;
  let offset = rangeStart(node) ?? 0;
  for (const part of path) {
    const holder = node instanceof Alias ? node.resolve(document) : node;
    if (isMap(holder)) {
      const pair = holder.items.findLast(
        ({ key }) => String(isScalar(key) ? key.value : key) === String(part),
      );
      if (!pair) break;
      offset = rangeStart(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(holder)) {
      const member = holder.items[Number(part)];
      offset = rangeStart(member) ?? offset;
      node = member;
    } else break;
  }
  return offset;
}

function rangeStart(node: unknown): number | undefined {
  const range: Node["range"] | undefined =
    isScalar(node) || isMap(node) || isSeq(node) || node instanceof Alias ? node.range : undefined;
  return range?.[0];
}
