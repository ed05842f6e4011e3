/** What the contract adds to zod/mini: checks by a function, with messages that follow a field's name, and rules between fields. */
import * as z from "zod/mini";

import { mustBeOneOf } from "../base/basics.js";
import type { Open } from "./values.js";

/**
 * Accepts what the function accepts. Also a check of another schema, after which no other check runs.
 *
 * @param rule what a value must be, for a message that begins with the field's name; a missing value has another message
 */
export function custom<Value>(
  fits: (value: unknown) => boolean,
  rule: string | ((input: unknown) => string) = "is not valid",
) {
  const error = ({ input }: { readonly input?: unknown }) => {
    if (input === undefined) return undefined;
    return typeof rule === "string" ? rule : rule(input);
  };
  return z.custom<Value, Value>(fits, { error, abort: true });
}

/** The values of each function of {@link oneOf} and {@link anyOf}, for the OpenAPI document. */
export const listedValues = new WeakMap<object, { readonly values: readonly string[]; isOpen: boolean }>();

/** Accepts only these values. zod's own class also has patterns, which would be a hundredth of a program's bundle. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  const isListed = (value: unknown) => values.some((each) => each === value);
  listedValues.set(isListed, { values, isOpen: false });
  return custom<Values[number]>(isListed, (input) => mustBeOneOf(values, input));
}

/** Accepts any text, because a service may add values to those that the specification names. */
export function anyOf<const Values extends readonly string[]>(values: Values) {
  const isText = (value: unknown) => typeof value === "string";
  listedValues.set(isText, { values, isOpen: true });
  return custom<Open<Values[number]>>(isText, "must be text");
}

/** Makes the fields of an object optional. `z.partial` can do more, and would be a fiftieth of a program's bundle. */
export function optionalFields<Shape extends Readonly<Record<string, z.ZodMiniType>>>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, schema]) => [name, z.optional(schema)]);
  return Object.fromEntries(fields) as { [Name in keyof Shape]: z.ZodMiniOptional<Shape[Name]> };
}

/** A rule between the fields of an object, which the client and the emulator check, and the OpenAPI document lists. */
export interface FieldRule<Input> {
  /** The field that isn't valid if the rule is broken. */
  readonly field: string;
  /** Follows the field's name. */
  readonly message: string;
  holds(input: Input): boolean;
}

/** Makes the check of a rule, which runs once all fields are valid. */
export function ruleCheck<Input>(rule: FieldRule<Input>): z.core.CheckFn<Input> {
  const { field, message } = rule;
  return ({ value: input, issues }) => {
    if (!rule.holds(input)) issues.push({ code: "custom", input, message, path: [field] });
  };
}
