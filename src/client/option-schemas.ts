/** What a program sets, held against schemas: whole options, and the kinds of values that several of them take. */
import * as z from "zod/mini";

import { check } from "../contract/input.js";
import { ComandaError } from "../shared/errors.js";
import { isObject } from "../shared/json.js";

/**
 * @param owner begins the message
 * @throws {ComandaError} `configuration` that names the option, what it must be, and the nearest name for one that isn't
 *   known
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

/** What a value must be, and what it is. */
export function must(be: string, hint?: string): { readonly error: z.core.$ZodErrorMap } {
  return {
    error: ({ code, input }) =>
      // The nearest name to one that isn't known is found where the whole is checked.
      code === "unrecognized_keys"
        ? undefined
        : `must be ${be}, not ${shown(input)}${hint === undefined ? "" : `\n${hint}`}`,
  };
}

/** An object of these options and no others. */
export function optionsOf<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.strictObject(shape, must("an object"));
}

/** An object that has these, and may have more. */
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
export function timerMs() {
  return aNumber("a number of milliseconds above 0", (value) => value > 0);
}

/** The milliseconds of a wait: at least 0, also `Infinity`. */
export function waitMs() {
  return aNumber("a number of milliseconds of at least 0", (value) => value >= 0);
}

/** `Infinity` will do. */
export function wholeNumber(least: number) {
  return aNumber(
    `a whole number of at least ${least}`,
    (value) => value >= least && (Number.isInteger(value) || value === Infinity),
  );
}

function aNumber(be: string, holds: (value: number) => boolean) {
  return z.custom<number>((value) => typeof value === "number" && holds(value), must(be));
}

/** The options that every transport has. */
export function limitOptions() {
  return {
    maxBodyBytes: z.optional(wholeNumber(1)),
    timeoutMs: z.optional(timerMs()),
  };
}

/** What a client's requests go through: `Transport`. */
export function aTransport() {
  return objectWith({ send: aFunction(), close: aFunction() });
}

/** Numbers as they are, of all else the kind alone: it may be a secret in the wrong place. */
export function shown(value: unknown): string {
  if (typeof value === "number" || value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
