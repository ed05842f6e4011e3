/** Holds what programs and people give against a schema, and says what is wrong with it. */
import * as z from "zod/mini";
// A value import of `z.core` would bring all of zod along, so these are imported by name.
import { $ZodArray, $ZodNullable, $ZodObject, $ZodOptional } from "zod/v4/core";

import { isObject } from "./json.js";
import { englishSuggestion, unknownNames } from "./nearest.js";

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
  const isAbsent = issue.input === undefined;
  switch (issue.code) {
    case "invalid_type":
      if (isAbsent) return "is required";
      return `must be ${withArticle(issue.expected)}`;
    case "too_small":
      return `must be at least ${String(issue.minimum)}`;
    case "too_big":
      return `must be at most ${String(issue.maximum)}`;
    case "invalid_value":
      if (isAbsent) return "is required";
      return choiceOf(issue.values.map(String), issue.input);
    case "unrecognized_keys":
      return unknownNames(kind, issue.keys, fieldNames(issue));
    default:
      return "is not valid";
  }
}

function withArticle(type: string): string {
  if (type === "int") return "an integer";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function choiceOf(values: readonly string[], input: unknown): string {
  const [only, ...others] = values;
  if (others.length === 0) return `must be ${only}`;
  const list = `must be one of ${values.join(", ")}`;
  const hint = typeof input === "string" ? englishSuggestion(input, values) : "";
  return hint === "" ? list : `${list}.${hint}`;
}

function fieldNames({ inst }: z.core.$ZodRawIssue): readonly string[] {
  const def = inst?._zod.def;
  return def && "shape" in def && isObject(def.shape) ? Object.keys(def.shape) : [];
}

/** These fields of one object have no name in the specification. */
export interface UnnamedFields {
  /** The path leads to the object. */
  readonly path: readonly PropertyKey[];
  readonly names: readonly string[];
  /** The object may have these fields. */
  readonly allowed: readonly string[];
}

export interface Spread {
  /** The value goes over the wire in this form. */
  readonly wire: unknown;
  readonly unnamed: readonly UnnamedFields[];
}

/**
 * Merges `extra` into its object, at every depth.
 *
 * @param schema describes what goes over the wire
 * @param takesExtra without it, `extra` is a field like any other that has no name in the specification
 */
export function spreadExtra(
  schema: z.core.$ZodType,
  value: unknown,
  takesExtra = true,
  path: readonly PropertyKey[] = [],
): Spread {
  if (schema instanceof $ZodOptional || schema instanceof $ZodNullable)
    return spreadExtra(schema._zod.def.innerType, value, takesExtra, path);
  if (schema instanceof $ZodArray && Array.isArray(value)) {
    const { element } = schema._zod.def;
    const members = value.map((member, index) => spreadExtra(element, member, takesExtra, [...path, index]));
    return { wire: members.map(({ wire }) => wire), unnamed: members.flatMap(({ unnamed }) => unnamed) };
  }
  if (!(schema instanceof $ZodObject) || !isObject(value)) return { wire: value, unnamed: [] };
  return spreadObject(schema._zod.def.shape, value, takesExtra, path);
}

function spreadObject(
  shape: z.core.$ZodShape,
  value: Readonly<Record<string, unknown>>,
  takesExtra: boolean,
  path: readonly PropertyKey[],
): Spread {
  // An object of a class may have its fields as getters, so each is read only once.
  const fields = Object.entries(shape).flatMap(([name, field]) =>
    name in value ? [[name, spreadExtra(field, value[name], takesExtra, [...path, name])] as const] : [],
  );
  const hasExtra = "extra" in value;
  const extra = takesExtra && hasExtra ? value["extra"] : undefined;
  const extraFields = isObject(extra) ? extra : {};
  const isUsable = takesExtra && (extra === undefined || isObject(extra));
  const names = Object.keys(value).filter((name) => !Object.hasOwn(shape, name) && name !== "extra");
  // `extra` can't hide a field that has a place of its own.
  const misplaced = Object.keys(extraFields).filter((name) => Object.hasOwn(shape, name));
  const problems: UnnamedFields[] = [
    isUsable
      ? { path, names, allowed: [...Object.keys(shape), "extra"] }
      : { path, names: hasExtra ? [...names, "extra"] : names, allowed: Object.keys(shape) },
    { path: [...path, "extra"], names: misplaced, allowed: [] },
  ];
  return {
    wire: { ...Object.fromEntries(fields.map(([name, { wire }]) => [name, wire])), ...extraFields },
    unnamed: [
      ...problems.filter(({ names }) => names.length > 0),
      ...fields.flatMap(([, { unnamed }]) => unnamed),
    ],
  };
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
