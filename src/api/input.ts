/** Holds what programs and people give against a schema, and says what is wrong with it. */
import * as z from "zod/mini";
// A value import of `z.core` would bring all of zod along, so these are imported by name.
import { $ZodArray, $ZodNullable, $ZodObject, $ZodOptional } from "zod/v4/core";

import { isObject } from "./json.js";
import { mustBeOneOf, unknownNames } from "./nearest.js";

export interface Problem {
  /** The message is a sentence with its full stop. */
  readonly message: string;
  readonly hint?: string;
  /** The field is absent where the whole input is wrong. */
  readonly field?: string;
}

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly [Problem, ...Problem[]] };

/** Messages call an input by its owner's name, and its parts fields or options. */
export interface InputWords {
  readonly owner: string;
  readonly kind: "field" | "option";
}

const defaultWords: InputWords = { owner: "The input", kind: "field" };

/**
 * Checks an input by a schema.
 *
 * @returns the value that was checked: a getter could give another one the second time
 */
export function check<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  words: InputWords = defaultWords,
): Checked<z.output<Schema>> {
  const wordless = z.safeParse(schema, input);
  if (wordless.success) return { ok: true, value: wordless.data };
  // The input is read again to find the words; finding them at once would slow down every input that is right.
  const result = z.safeParse(schema, input, { error: (issue) => requirement(issue, words) });
  if (result.success) return { ok: true, value: result.data };
  // An unknown name says more than the absence of the right one, so it comes first.
  const [first, ...others] = result.error.issues
    .toSorted((a, b) => Number(isUnknownName(b)) - Number(isUnknownName(a)))
    .map((issue) => problem(issue, words));
  if (first === undefined) throw new RangeError("a schema refused its input without a word");
  return { ok: false, problems: [first, ...others] };
}

function isUnknownName({ code }: z.core.$ZodIssue): boolean {
  return code === "unrecognized_keys";
}

/** A message of the contract's schemas may have a hint in its second line. */
function problem({ path, message: full }: z.core.$ZodIssue, { owner }: InputWords): Problem {
  const [sentence = "", hint] = full.split("\n");
  const message = `${fieldName(path, owner)} ${/[.?]$/.test(sentence) ? sentence : `${sentence}.`}`;
  const field = path.length === 0 ? {} : { field: fieldName(path, owner) };
  return hint === undefined ? { message, ...field } : { message, hint, ...field };
}

/** Puts what is wrong into one text, for the `details` of an error body: one sentence for each field, and no hint. */
export function detailsOf({ problems }: Extract<Checked<never>, { readonly ok: false }>): string {
  return [...new Set(problems.map(({ message }) => message.replace(/\.$/, "")))].join("; ");
}

/** Spells a field as the API does, for example `filters[status_in]` and `cart.0.item_id`. */
function fieldName(path: readonly PropertyKey[], owner: string): string {
  const [first, second] = path;
  if (first === undefined) return owner;
  return first === "filters" && second !== undefined
    ? `filters[${String(second)}]`
    : path.map(String).join(".");
}

/** Says after the field's name what it must be. zod/mini has no words of its own, which spares start-up time. */
function requirement(issue: z.core.$ZodRawIssue, { kind }: InputWords): string {
  if (issue.input === undefined && /^invalid_(?:type|value)$/.test(issue.code)) return "is required";
  switch (issue.code) {
    case "invalid_type": {
      const type = issue.expected === "int" ? "integer" : issue.expected;
      return `must be ${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
    }
    case "too_small":
      return `must be at least ${String(issue.minimum)}`;
    case "too_big":
      return `must be at most ${String(issue.maximum)}`;
    case "invalid_value":
      if (issue.values.length === 1) return `must be ${String(issue.values[0])}`;
      return mustBeOneOf(issue.values.map(String), issue.input);
    case "unrecognized_keys":
      return unknownNames(
        kind,
        issue.keys,
        issue.inst instanceof $ZodObject ? Object.keys(issue.inst._zod.def.shape) : [],
      );
    default:
      return "is not valid";
  }
}

/** These fields of one object have no name in the specification. */
export interface UnnamedFields {
  /** The path leads to the object. */
  readonly path: readonly PropertyKey[];
  readonly names: readonly string[];
  /** The object may have these fields. */
  readonly allowed: readonly string[];
}

/**
 * Merges `extra` into its object, at every depth: a field that the specification doesn't name is taken for a slip by itself, and
 * a program that means one puts it there.
 *
 * @param schema describes what goes over the wire
 * @param takesExtra without it, `extra` is a field like any other that has no name in the specification
 * @returns `wire` as it goes out, and the fields that are no part of it
 */
export function spreadExtra(schema: z.core.$ZodType, value: unknown, takesExtra = true) {
  const unnamed: UnnamedFields[] = [];
  const spread = (type: z.core.$ZodType, given: unknown, path: readonly PropertyKey[]): unknown => {
    if (type instanceof $ZodOptional || type instanceof $ZodNullable)
      return spread(type._zod.def.innerType, given, path);
    if (type instanceof $ZodArray && Array.isArray(given))
      return given.map((member, index) => spread(type._zod.def.element, member, [...path, index]));
    if (!(type instanceof $ZodObject) || !isObject(given)) return given;
    const { shape } = type._zod.def;
    const known = Object.keys(shape);
    const hasExtra = "extra" in given;
    const extra = takesExtra && hasExtra ? given["extra"] : undefined;
    const isUsable = takesExtra && (extra === undefined || isObject(extra));
    const names = Object.keys(given).filter((name) => !known.includes(name) && name !== "extra");
    if (hasExtra && !isUsable) names.push("extra");
    if (names.length > 0) unnamed.push({ path, names, allowed: isUsable ? [...known, "extra"] : known });
    // `extra` can't hide a field that has a place of its own.
    const misplaced = isObject(extra) ? Object.keys(extra).filter((name) => known.includes(name)) : [];
    if (misplaced.length > 0) unnamed.push({ path: [...path, "extra"], names: misplaced, allowed: [] });
    // An object of a class may have its fields as getters, so each is read only once.
    const fields = Object.entries(shape).flatMap(([name, field]) =>
      name in given ? [[name, spread(field, given[name], [...path, name])]] : [],
    );
    return { ...Object.fromEntries(fields), ...(isObject(extra) && extra) };
  };
  return { wire: spread(schema, value, []), unnamed };
}

/** Makes the schema of what a program gives for such a body. */
export function inputOf<Wire extends z.ZodMiniType>(schema: Wire) {
  return z.pipe(
    z.transform((value: unknown, { issues }) => {
      const { wire, unnamed } = spreadExtra(schema, value);
      for (const { path, names, allowed } of unnamed) {
        const message =
          allowed.length > 0
            ? unknownNames("field", names, allowed)
            : `can't have "${names.join('", "')}", which the order has itself`;
        issues.push({ code: "custom", input: value, path: [...path], message });
      }
      return wire;
    }),
    schema,
  );
}
