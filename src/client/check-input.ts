/** Checks what a caller gives against the contract, before any call. */
import * as z from "zod/mini";

import { ComandaError } from "../shared/errors.js";
import { isObject } from "../shared/json.js";
import { unknownNames } from "./known-names.js";

/**
 * @returns the value as it was checked: what a getter would give a second time may be something else
 * @throws {ComandaError} `invalid_input` that names the field and what it must be
 */
export function checkInput<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw invalidInput(issue ? describe(issue) : "The input is not what the operation takes.");
}

/**
 * As {@link checkInput}, with no field but those of the schema.
 *
 * @throws {ComandaError} `invalid_input`, for an unknown field with the nearest name
 */
export function checkFields<Schema extends z.ZodMiniObject>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  if (isObject(value)) checkNames("The input", value, Object.keys(schema.shape));
  return checkInput(schema, value);
}

/** @throws {ComandaError} `invalid_input`, with the nearest of the known names */
export function checkNames(owner: string, given: object, known: Iterable<string>, kind = "field"): void {
  const wrong = unknownNames(owner, kind, { given, known });
  if (wrong) throw invalidInput(wrong.message, wrong.hint);
}

export function invalidInput(message: string, hint?: string): ComandaError {
  return new ComandaError("invalid_input", message, hint === undefined ? {} : { hint });
}

/**
 * What reading an input throws is the input's fault: a cycle, a BigInt, a getter that fails, or a shape that the
 * types forbid.
 *
 * @throws {ComandaError} `invalid_input`
 */
export function fromInput<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof ComandaError) throw error;
    throw new ComandaError("invalid_input", "The input is not what the operation takes.", {
      hint: "The error's cause says what could not be done with it.",
      cause: error,
    });
  }
}

/** @throws {ComandaError} `invalid_input` where there is no JSON for it: a cycle, a BigInt, a `toJSON` that fails */
export function toJson(name: string, value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new ComandaError("invalid_input", `${name} can't be written as JSON.`, {
      hint: "JSON knows no cycles and no BigInt.",
      cause: error,
    });
  }
}

/**
 * Before anything is begun: in the middle of a request a wrong signal would be found too late.
 *
 * @param known the options of the call
 * @throws {ComandaError} `invalid_input`
 */
export function checkCallOptions(given: unknown, known: readonly string[]): void {
  if (!isObject(given) || isSignal(given))
    throw invalidInput(
      "The options of a call must be an object.",
      "For example: { signal: AbortSignal.timeout(60_000) }",
    );
  checkNames("A call", given, known, "option");
  const { signal, grace, onRefusal } = given;
  for (const [name, value] of [
    ["signal", signal],
    ["grace", grace],
  ])
    if (value !== undefined && !isSignal(value))
      throw invalidInput(
        `${String(name)} must be an AbortSignal.`,
        "Of an AbortController it is controller.signal.",
      );
  if (onRefusal !== undefined && typeof onRefusal !== "function")
    throw invalidInput("onRefusal must be a function.");
}

/** By its shape: the signals of another realm, or of a polyfill, will do. */
function isSignal(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "aborted" in value &&
    "addEventListener" in value &&
    typeof value.addEventListener === "function"
  );
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
