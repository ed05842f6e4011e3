/** Checks what a caller gives against the contract, before any call. */
import * as z from "zod/mini";

import { ComandaError } from "../errors/index.js";

/** @throws {ComandaError} `invalid_input` that names the field and what it must be */
export function checkInput(schema: z.ZodMiniType, value: unknown): void {
  const result = z.safeParse(schema, value);
  if (result.success) return;
  const issue = result.error.issues[0];
  throw invalidInput(issue ? describe(issue) : "The input is not what the operation takes.");
}

export function invalidInput(message: string, hint?: string): ComandaError {
  return new ComandaError("invalid_input", message, hint === undefined ? {} : { hint });
}

/** zod/mini carries no sentences of its own, so that they don't cost start-up time. */
function describe(issue: z.core.$ZodIssue): string {
  const field = issue.path.length === 0 ? "The input" : issue.path.map(String).join(".");
  switch (issue.code) {
    case "invalid_type":
      return `${field} must be ${kindOf(issue.expected)}.`;
    case "too_small":
      return `${field} must be at least ${String(issue.minimum)}.`;
    case "too_big":
      return `${field} must be at most ${String(issue.maximum)}.`;
    case "invalid_value":
      return `${field} must be one of ${issue.values.map(String).join(", ")}.`;
    case "unrecognized_keys":
      return `${field} has unknown fields: ${issue.keys.join(", ")}.`;
    default:
      return issue.message === "Invalid input" ? `${field} is not valid.` : `${field} ${issue.message}.`;
  }
}

function kindOf(expected: string): string {
  if (expected === "int") return "an integer";
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
