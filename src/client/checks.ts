/** Holds what a program gives against rules: the options of a client and of a call, and the inputs of its operations. */
import type * as z from "zod/mini";

import { check, type InputWords, type Problem } from "../api/input.js";
import { isObject } from "../api/json.js";
import { unknownNames } from "../api/nearest.js";
import { t } from "../languages/language.js";
import { ComandaError } from "./errors.js";

/** Tells what is wrong with the value of a field. */
export type Rule = (value: unknown, field: string) => Problem | undefined;
export type Rules<Options> = Readonly<Record<keyof Options, Rule>>;

/**
 * The value stays what it is: a transport or a clock may be an object of a class.
 *
 * @param owner begins the message
 * @throws {ComandaError} that names the option, what it must be, and the nearest name for a name that doesn't exist
 */
export function checkOptions(
  rules: Readonly<Record<string, Rule>>,
  options: unknown,
  owner: string,
  code: "configuration" | "invalid_input" = "configuration",
): void {
  const known = Object.keys(rules);
  // An unknown name says more than the absence of the right one, so it comes first. Those of a prototype count: a signal has
  // no others.
  const unknown: string[] = [];
  if (isObject(options)) for (const name in options) if (!known.includes(name)) unknown.push(name);
  const problem =
    unknown.length > 0
      ? problemOf(`${owner} ${unknownNames("option", unknown, known)}`)
      : objectWith(rules, `What ${owner} takes`)(options, "");
  if (problem) throw new ComandaError(code, problem.message, problem);
}

/**
 * @returns the value as it was checked: what a getter would give a second time may be something else
 * @throws {ComandaError} `invalid_input` that names the field, what it must be, and the nearest name for a name that
 *   doesn't exist
 */
export function checkInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  words?: InputWords,
): z.output<Schema> {
  const checked = check(schema, value, words);
  if (checked.ok) return checked.value;
  const [problem] = checked.problems;
  throw new ComandaError("invalid_input", problem.message, problem);
}

export function invalidInput(message: string, hint?: string): ComandaError {
  return new ComandaError("invalid_input", message, hint === undefined ? {} : { hint });
}

/**
 * An error while an input is read is the input's fault: a cycle, a BigInt, a getter that fails, or a shape that the
 * types forbid.
 *
 * @param asked the error names it; `undefined` for an operation that there isn't
 * @throws {ComandaError} `invalid_input`
 */
export function fromInput<Result>(
  asked: { readonly id: string; readonly method?: unknown; readonly path?: unknown } | undefined,
  read: () => Result,
): Result {
  const { id, method, path } = asked ?? {};
  const call = {
    operation: id ?? null,
    method: typeof method === "string" ? method : null,
    path: typeof path === "string" ? path.replace(/\?.*/s, "") : null,
  };
  try {
    return read();
  } catch (error) {
    if (error instanceof ComandaError) throw error.reworded(error.message, call);
    throw new ComandaError("invalid_input", t`The input is not what the operation takes.`, {
      ...call,
      hint: t`The error's cause says what could not be done with it.`,
      cause: error,
    });
  }
}

/** @param says the sentence without its full stop; what stands in a second line is the hint */
function problemOf(says: string, field = ""): Problem {
  const [sentence = "", hint] = says.split("\n");
  const message = /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
  return { message, ...(hint !== undefined && { hint }), ...(field !== "" && { field }) };
}

/** Says what a value must be, and what it is instead. */
export function must(be: string, holds: (value: unknown) => boolean, hint?: string): Rule {
  return (value, field) => {
    const says = `${field} must be ${be}, not ${shown(value)}`;
    return holds(value) ? undefined : problemOf(hint === undefined ? says : `${says}\n${hint}`, field);
  };
}

export function optional(rule: Rule): Rule {
  return (value, field) => (value === undefined ? undefined : rule(value, field));
}

/** An object that has these fields, and may have more. */
export function objectWith(rules: Readonly<Record<string, Rule>>, name?: string): Rule {
  return (value, field) => {
    if (!isObject(value)) return problemOf(`${name ?? field} must be an object, not ${shown(value)}`, field);
    for (const [part, rule] of Object.entries(rules)) {
      const problem = rule(value[part], field === "" ? part : `${field}.${part}`);
      if (problem) return problem;
    }
    return undefined;
  };
}

export const functionOf = (hint?: string) => must("a function", (value) => typeof value === "function", hint);
export const aFunction = functionOf();
export const aText = must("a text", (value) => typeof value === "string");
export const trueOrFalse = must("true or false", (value) => typeof value === "boolean");
/** The milliseconds of a timer: above 0, also `Infinity`. */
export const aTimeout = must(
  "a number of milliseconds above 0",
  (value) => typeof value === "number" && value > 0,
);
/** A whole number, or `Infinity`. */
export const aCount = must(
  "a whole number of at least 0",
  (value) => typeof value === "number" && value >= 0 && (Number.isInteger(value) || value === Infinity),
);
/** A `Transport`, which a client's requests go through. */
export const aTransport = objectWith({ send: aFunction, close: aFunction });
export const aClock = objectWith({ now: aFunction, sleep: aFunction });

/** An `AbortSignal`, known by its shape: those of another realm, or of a polyfill, will do. */
export function aSignal(value: unknown, field: string): Problem | undefined {
  const isSignal = isObject(value) && "aborted" in value && typeof value["addEventListener"] === "function";
  if (isSignal) return undefined;
  return problemOf(
    `${field} ${t`must be an AbortSignal\nOf an AbortController it is controller.signal.`}`,
    field,
  );
}

/** Names a value in a message: numbers as they are, of all else the kind alone, which may be a secret in the wrong place. */
export function shown(value: unknown): string {
  if (typeof value === "number" || value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
