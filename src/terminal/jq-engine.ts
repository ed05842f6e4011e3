/**
 * An expression of the jq language over JSON texts. The build makes one script of this module (.config/jq-engine.mjs),
 * since it runs where it can be ended: see src/cli/jq.ts. So it takes nothing of Node's.
 */
import { compile } from "@michaelhomer/jqjs";

import { printableLines, safeJson } from "./escape.js";

export interface JqValue {
  readonly json: string;
  /** Spaces for each level of what is given as JSON; absent for one line. */
  readonly indent?: number | undefined;
}

export interface JqResult {
  /** A line for each result, those before a fault too. */
  readonly text: string;
  /** Why there are no more of them. */
  readonly fault?: string;
  /** There is more than there may be. */
  readonly isCut?: true;
}

/** Runs the expression over one value. */
export type JqFilter = (value: JqValue) => JqResult;

/**
 * @param longest characters that the results of one value may have
 * @returns `fault` where the expression isn't one
 */
export function compileFilter(
  expression: string,
  longest: number,
): { readonly filter: JqFilter } | { readonly fault: string } {
  let program: ReturnType<typeof compile>;
  try {
    program = compile(expression);
  } catch (error) {
    return { fault: reasonOf(error) };
  }
  const filter: JqFilter = ({ json, indent }) => {
    let text = "";
    try {
      for (const result of program(JSON.parse(json))) {
        if (typeof result === "string" && result.length > longest) return { text, isCut: true };
        const line = lineOf(result, indent);
        if (text.length + line.length > longest) return { text, isCut: true };
        text += `${line}\n`;
      }
      return { text };
    } catch (error) {
      return { text, fault: reasonOf(error) };
    }
  };
  return { filter };
}

/** A text as it is, for the shell; its lines and tabs are kept. */
function lineOf(result: unknown, indent: number | undefined): string {
  if (typeof result !== "string") return safeJson(result ?? null, indent);
  return printableLines(result).replaceAll("\r", "\\r");
}

/** The library throws texts as well as errors. */
function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
