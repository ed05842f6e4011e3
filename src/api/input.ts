/** Inputs have types and rules between their fields; messages say what is wrong with one. */
import * as z from "zod/mini";

import { isObject } from "./json.js";
import { englishSuggestion, unknownNames } from "./nearest.js";

/**
 * A rule between the fields of an input is data. The schemas of the contract carry the rules, so that the client and
 * the emulator refuse by the same ones; the OpenAPI document lists them.
 */
export interface FieldRule<Input> {
  readonly section: string;
  /** This field is wrong where the rule is broken. */
  readonly field: string;
  /** The message follows the field's name. */
  readonly message: string;
  readonly holds: (input: Input) => boolean;
}

/** Finds the first rule that an input breaks. */
export function brokenRule<Input>(
  rules: readonly FieldRule<Input>[],
  input: Input,
): FieldRule<Input> | undefined {
  return rules.find(({ holds }) => !holds(input));
}

/** A rule is described without the function that judges by it. */
export type DescribedRule = Omit<FieldRule<never>, "holds">;

/** Makes checks of the rules for a schema, which applies them once each field by itself is right. */
export function checksOf<Input>(rules: readonly FieldRule<Input>[]) {
  return rules.map(({ field, message, holds }) => z.refine<Input>(holds, { error: message, path: [field] }));
}

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
