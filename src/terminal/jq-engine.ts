/**
 * Runs an expression of the jq language over JSON texts. The build makes one script of this module
 * (.config/jq-engine.mjs), since it runs where it can be ended: see src/cli/jq.ts. So it must not use Node's API.
 */
import { compile } from "@michaelhomer/jqjs";

import { printableLines, safeJson } from "./escape.js";

export interface JqValue {
  readonly json: string;
  /** Spaces for each level of the results; absent for one line. */
  readonly indent?: number | undefined;
}

export interface JqResult {
  /** Has a line for each result, also for results before a fault. */
  readonly text: string;
  /** Why there are no more results. */
  readonly fault?: string;
  /** The results are longer than the limit. */
  readonly isCut?: true;
}

export type JqFilter = (value: JqValue) => JqResult;

/**
 * @param maxLength characters that the results of one value may have
 * @returns `fault` where the expression isn't one
 */
export function compileFilter(
  expression: string,
  maxLength: number,
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
        if (typeof result === "string" && result.length > maxLength) return { text, isCut: true };
        const line = lineOf(result, indent);
        if (text.length + line.length > maxLength) return { text, isCut: true };
        text += `${line}\n`;
      }
      return { text };
    } catch (error) {
      return { text, fault: reasonOf(error) };
    }
  };
  return { filter };
}

/** A shell gets a text without quotes, with its lines and tabs. */
function lineOf(result: unknown, indent: number | undefined): string {
  if (typeof result !== "string") return safeJson(result ?? null, indent);
  return printableLines(result).replaceAll("\r", "\\r");
}

/** The library throws texts as well as errors. */
function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
