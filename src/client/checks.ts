/** Holds what a program gives against schemas: the options of a client, and the inputs of its calls. */
import * as z from "zod/mini";

import { check, type InputWords } from "../api/input.js";
import { ComandaError } from "./errors.js";
import { isObject } from "../api/json.js";
import { t } from "../languages/language.js";

/**
 * @param owner begins the message
 * @throws {ComandaError} `configuration` that names the option, what it must be, and the nearest name for a name that
 *   doesn't exist
 */
export function checkOptions(schema: z.ZodMiniType, options: unknown, owner: string): void {
  checkValue(schema, options, isObject(options) ? owner : `What ${owner} takes`);
}

/**
 * The value stays what it is: a transport or a clock may be an object of a class.
 *
 * @param name begins the message
 * @throws {ComandaError} `configuration`
 */
export function checkValue(schema: z.ZodMiniType, value: unknown, name: string): void {
  const checked = check(schema, value, { owner: name, kind: "option" });
  if (checked.ok) return;
  const [{ message, hint }] = checked.problems;
  throw new ComandaError("configuration", message, hint === undefined ? {} : { hint });
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
  const [{ message, hint, field }] = checked.problems;
  throw new ComandaError("invalid_input", message, { ...(hint !== undefined && { hint }), field });
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

/** Says what a value must be, and what it is instead. */
export function must(be: string, hint?: string): { readonly error: z.core.$ZodErrorMap } {
  return {
    error: ({ code, input }) =>
      // The nearest name is found where the whole object is checked.
      code === "unrecognized_keys"
        ? undefined
        : `must be ${be}, not ${shown(input)}${hint === undefined ? "" : `\n${hint}`}`,
  };
}

/** An object of these options and no others. */
export function optionsOf<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.strictObject(shape, must("an object"));
}

/** An object that has these fields, and may have more. */
export function objectWith<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.object(shape, must("an object"));
}

export function aFunction(hint?: string) {
  return z.custom((value) => typeof value === "function", must("a function", hint));
}

export function aText() {
  return z.string(must("a text"));
}

/** The milliseconds of a timer: above 0, also `Infinity`. */
export function aTimeout() {
  return aNumber("a number of milliseconds above 0", (value) => value > 0);
}

/** The milliseconds of a wait: at least 0, also `Infinity`. */
export function aWait() {
  return aNumber("a number of milliseconds of at least 0", (value) => value >= 0);
}

/** A whole number, or `Infinity`. */
export function aWholeNumber(least: number) {
  return aNumber(
    `a whole number of at least ${least}`,
    (value) => value >= least && (Number.isInteger(value) || value === Infinity),
  );
}

function aNumber(be: string, holds: (value: number) => boolean) {
  return z.custom<number>((value) => typeof value === "number" && holds(value), must(be));
}

/** A `Transport`, which a client's requests go through. */
export function aTransport() {
  return objectWith({ send: aFunction(), close: aFunction() });
}

/** An `AbortSignal` that may be left out, known by its shape: those of another realm, or of a polyfill, will do. */
export function optionalSignal() {
  return z.optional(
    z.custom<AbortSignal>(
      (value) => isObject(value) && "aborted" in value && typeof value.addEventListener === "function",
      // Made when it is said: a schema outlives the language that was set when it was made.
      { error: () => t`must be an AbortSignal\nOf an AbortController it is controller.signal.` },
    ),
  );
}

/** Names a value in a message: numbers as they are, of all else the kind alone, which may be a secret in the wrong place. */
export function shown(value: unknown): string {
  if (typeof value === "number" || value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
