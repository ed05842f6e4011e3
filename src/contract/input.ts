/** Inputs: their types, the rules between their fields, and in words what is wrong with one. */
import * as z from "zod/mini";

import { isObject } from "../shared/json.js";
import { englishSuggestion, unknownNames } from "../shared/nearest.js";

/**
 * A rule between the fields of an input, as data. The schemas of the contract carry them, so that the client and the
 * emulator refuse by the same ones; the OpenAPI document lists them.
 */
export interface FieldRule<Input> {
  /** The section of the specification. */
  readonly section: string;
  /** The field that is wrong where the rule is broken. */
  readonly field: string;
  /** What is said of that field, after its name. */
  readonly message: string;
  readonly holds: (input: Input) => boolean;
}

/** The first rule that an input breaks. */
export function brokenRule<Input>(
  rules: readonly FieldRule<Input>[],
  input: Input,
): FieldRule<Input> | undefined {
  return rules.find(({ holds }) => !holds(input));
}

/** A rule without the function that judges by it. */
export type DescribedRule = Omit<FieldRule<never>, "holds">;

/** The rules as checks of a schema, which asks them once each field by itself is right. */
export function checksOf<Input>(rules: readonly FieldRule<Input>[]) {
  return rules.map(({ field, message, holds }) => z.refine<Input>(holds, { error: message, path: [field] }));
}

/** What is wrong with one field. */
export interface Problem {
  /** A sentence with its full stop. */
  readonly message: string;
  readonly hint?: string;
  /** Absent where the whole is wrong. */
  readonly field?: string;
}

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly [Problem, ...Problem[]] };

/** How messages call an input, and what it has: `field` or `option`. */
export interface InputWords {
  readonly owner: string;
  readonly kind: "field" | "option";
}

const someInput: InputWords = { owner: "The input", kind: "field" };

/** @returns the value as it was checked: what a getter would give a second time may be something else */
export function check<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  words: InputWords = someInput,
): Checked<z.output<Schema>> {
  const quick = z.safeParse(schema, input);
  if (quick.success) return { ok: true, value: quick.data };
  // Read again for the words, which would cost every input that is right.
  const result = z.safeParse(schema, input, { error: (issue) => requirement(issue, words) });
  if (result.success) return { ok: true, value: result.data };
  // A name that isn't known says more than that the right one is missing.
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
function problem({ path, message: text }: z.core.$ZodIssue, { owner }: InputWords): Problem {
  const [said = "", hint] = text.split("\n");
  const message = `${fieldName(path, owner)} ${/[.?]$/.test(said) ? said : `${said}.`}`;
  const field = path.length === 0 ? {} : { field: fieldName(path, owner) };
  return hint === undefined ? { message, ...field } : { message, hint, ...field };
}

/** What is wrong in one text, for the `details` of an error body: one sentence for each field, and no hint. */
export function detailsOf({ problems }: Extract<Checked<never>, { readonly ok: false }>): string {
  return [...new Set(problems.map(({ message }) => message.replace(/\.$/, "")))].join("; ");
}

/** Spells a field as the API does: `filters[status_in]`, and `cart.0.item_id`. */
function fieldName(path: readonly PropertyKey[], owner: string): string {
  const [first, second] = path;
  if (first === undefined) return owner;
  return first === "filters" && second !== undefined
    ? `filters[${String(second)}]`
    : path.map(String).join(".");
}

/** What is said after the field's name. zod/mini has no words of its own, so that they don't cost start-up time. */
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
      return oneOf(issue.values.map(String), issue.input);
    case "unrecognized_keys":
      return unknownNames(kind, issue.keys, knownNames(issue));
    default:
      return "is not valid";
  }
}

function withArticle(type: string): string {
  if (type === "int") return "an integer";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function oneOf(values: readonly string[], input: unknown): string {
  const [only, ...others] = values;
  if (others.length === 0) return `must be ${only}`;
  const list = `must be one of ${values.join(", ")}`;
  const meant = typeof input === "string" ? englishSuggestion(input, values) : "";
  return meant === "" ? list : `${list}.${meant}`;
}

function knownNames({ inst }: z.core.$ZodRawIssue): readonly string[] {
  const def = inst?._zod.def;
  return def && "shape" in def && isObject(def.shape) ? Object.keys(def.shape) : [];
}
