/** Holds what a program gives against rules: the options of a client and of a call, and the inputs of its operations. */
import type * as z from "zod/mini";

import { check, type InputWords } from "../api/input.js";
import { isObject, unknownNames } from "../api/basics.js";
import { t } from "../languages/language.js";
import { ComandaError } from "./errors.js";

/** What an option must be where it is there, as it stands behind "must be". */
export type Rule = readonly [be: string, holds: (value: unknown) => boolean];
export type Rules<Options> = Readonly<Record<keyof Options, Rule>>;

/**
 * The value stays what it is: a transport or a clock may be an object of a class.
 *
 * @param owner begins the message
 * @param required these must be there
 * @throws {ComandaError} that names the option, what it must be, and the nearest name for a name that doesn't exist
 */
export function checkOptions(
  rules: Readonly<Record<string, Rule>>,
  options: unknown,
  owner: string,
  required: readonly string[] = [],
  code: "configuration" | "invalid_input" = "configuration",
): void {
  const refuse = (message: string, field?: string) => {
    const [sentence = "", hint] = message.split("\n");
    return new ComandaError(code, sentence, { hint, field });
  };
  if (!isObject(options)) throw refuse(`What ${owner} takes must be an object, not ${shown(options)}.`);
  const known = Object.keys(rules);
  // An unknown name says more than the absence of the right one, so it comes first. Those of a prototype count: a signal has
  // no others.
  const unknown: string[] = [];
  for (const name in options) if (!known.includes(name)) unknown.push(name);
  if (unknown.length > 0) throw refuse(`${owner} ${unknownNames("option", unknown, known)}`);
  for (const [name, [be, holds]] of Object.entries(rules)) {
    const value = options[name];
    if (value === undefined ? required.includes(name) : !holds(value))
      throw refuse(`${name} must be ${be}, not ${shown(value)}.`, name);
  }
}

/** Names a value in a message: numbers as they are, of all else the kind alone, which may be a secret in the wrong place. */
function shown(value: unknown): string {
  if (typeof value === "number" || value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const isFunction = (value: unknown) => typeof value === "function";
/** An object that has these functions, and may have more. */
const hasFunctions = (value: unknown, ...names: readonly string[]) =>
  isObject(value) && names.every((name) => isFunction(value[name]));

export const aFunction: Rule = ["a function", isFunction];
export const anObject: Rule = ["an object", isObject];
export const aText: Rule = ["a text", (value) => typeof value === "string"];
export const trueOrFalse: Rule = ["true or false", (value) => typeof value === "boolean"];
/** The milliseconds of a timer: above 0, also `Infinity`. */
export const aTimeout: Rule = [
  "a number of milliseconds above 0",
  (value) => typeof value === "number" && value > 0,
];
/** A whole number, or `Infinity`. */
export const aCount: Rule = [
  "a whole number of at least 0",
  (value) => typeof value === "number" && value >= 0 && (Number.isInteger(value) || value === Infinity),
];
export const aTransport: Rule = [
  "an object with the functions send and close",
  (value) => hasFunctions(value, "send", "close"),
];
export const aLimiter: Rule = [
  "false, or an object with the functions acquire and blocked",
  (value) => value === false || hasFunctions(value, "acquire", "blocked"),
];
export const aClock: Rule = [
  "an object with the functions now and sleep",
  (value) => hasFunctions(value, "now", "sleep"),
];
/** An `AbortSignal`, known by its shape: those of another realm, or of a polyfill, will do. */
export const aSignal: Rule = [
  "an AbortSignal",
  (value) => isObject(value) && "aborted" in value && isFunction(value["addEventListener"]),
];

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
  try {
    return read();
  } catch (error) {
    const { id: operation = null, method, path } = asked ?? {};
    const thrown =
      error instanceof ComandaError
        ? error
        : new ComandaError("invalid_input", t`The input is not what the operation takes.`, {
            hint: t`The error's cause says what could not be done with it.`,
            cause: error,
          });
    throw thrown.reworded(thrown.message, {
      operation,
      method: typeof method === "string" ? method : null,
      path: typeof path === "string" ? path.replace(/\?.*/s, "") : null,
    });
  }
}
