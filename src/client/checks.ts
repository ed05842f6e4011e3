/** Holds what a program gives against rules: the options of a client and of a call, and the inputs of its operations. */
import type * as z from "zod/mini";

import { check, type InputWords } from "../api/input.js";
import { isObject } from "../api/json.js";
import { unknownNames } from "../api/nearest.js";
import { t } from "../languages/language.js";
import { ComandaError } from "./errors.js";

/** What the value of a field must be. */
export interface Rule {
  /** It stands behind "must be". */
  readonly be: string;
  readonly holds: (value: unknown) => boolean;
  readonly hint?: string | undefined;
  /** Of an object, which may have more. */
  readonly parts?: Readonly<Record<string, Rule>>;
}
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
  if (unknown.length > 0) {
    const [message, hint] = `${owner} ${unknownNames("option", unknown, known)}`.split("\n");
    throw new ComandaError(code, message ?? "", { hint });
  }
  const verify = ({ be, holds, hint, parts = {} }: Rule, value: unknown, field: string) => {
    if (!holds(value))
      throw new ComandaError(code, `${field} must be ${be}, not ${shown(value)}.`, { hint, field });
    if (isObject(value))
      for (const [part, rule] of Object.entries(parts)) verify(rule, value[part], `${field}.${part}`);
  };
  verify(objectWith({}), options, `What ${owner} takes`);
  if (isObject(options)) for (const [name, rule] of Object.entries(rules)) verify(rule, options[name], name);
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

export function must(be: string, holds: (value: unknown) => boolean, hint?: string): Rule {
  return { be, holds, hint };
}

export function optional(rule: Rule): Rule {
  return { ...rule, holds: (value) => value === undefined || rule.holds(value) };
}

/** An object that has these fields, and may have more. */
export function objectWith(parts: Readonly<Record<string, Rule>>): Rule {
  return { be: "an object", holds: isObject, parts };
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
export const aSignal = must(
  "an AbortSignal",
  (value) => isObject(value) && "aborted" in value && typeof value["addEventListener"] === "function",
  "Of an AbortController it is controller.signal.",
);

/** Names a value in a message: numbers as they are, of all else the kind alone, which may be a secret in the wrong place. */
function shown(value: unknown): string {
  if (typeof value === "number" || value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
