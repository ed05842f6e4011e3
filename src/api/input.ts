/** Holds what programs and people give against a schema, and says what is wrong with it. */
import * as z from "zod/mini";
// A value import of `z.core` would bring all of zod along, so this is imported by name.
import { $ZodObject } from "zod/v4/core";

import { english, inLanguage, t, translated } from "../languages/language.js";
import { mustBeOneOf, unknownNames } from "./basics.js";

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

/**
 * Checks an input by a schema.
 *
 * @returns the value that was checked: a getter could give another one the second time
 */
export function check<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  { owner, kind }: InputWords = { owner: "The input", kind: "field" },
): Checked<z.output<Schema>> {
  const result = z.safeParse(schema, input, { error: (issue) => requirement(issue, kind) });
  if (result.success) return { ok: true, value: result.data };
  const isUnknownName = ({ code }: z.core.$ZodIssue) => Number(code === "unrecognized_keys");
  // An unknown name says more than the absence of the right one, so it comes first.
  const [first, ...others] = result.error.issues
    .toSorted((a, b) => isUnknownName(b) - isUnknownName(a))
    .map((issue) => problemOf(issue, owner));
  if (first === undefined) throw new RangeError("a schema refused its input without a word");
  return { ok: false, problems: [first, ...others] };
}

/** Checks what came over the wire: the service's answers are in English, whoever starts it. */
export function checkWire<Schema extends z.ZodMiniType>(schema: Schema, input: unknown, owner?: string) {
  return inLanguage(english, () =>
    check(schema, input, owner === undefined ? undefined : { owner, kind: "field" }),
  );
}

/** A message of the contract's schemas may have a hint in its second line. */
function problemOf({ path, message: full }: z.core.$ZodIssue, owner: string): Problem {
  const [sentence = "", hint] = full.split("\n").map(translated);
  const [first, second] = path;
  // The API spells a field so: `filters[status_in]`, and `cart.0.item_id`.
  const isFilter = first === "filters" && second !== undefined;
  const name = isFilter ? `filters[${String(second)}]` : path.map(String).join(".");
  const message = `${name === "" ? owner : name} ${/[.?]$/.test(sentence) ? sentence : `${sentence}.`}`;
  return { message, ...(name !== "" && { field: name }), ...(hint !== undefined && { hint }) };
}

/** Puts what is wrong into one text, for the `details` of an error body: one sentence for each field, and no hint. */
export function detailsOf({ problems }: Extract<Checked<never>, { readonly ok: false }>): string {
  return [...new Set(problems.map(({ message }) => message.replace(/\.$/, "")))].join("; ");
}

/** Says after the field's name what it must be. zod/mini has no words of its own, which spares start-up time. */
function requirement(issue: z.core.$ZodRawIssue, kind: InputWords["kind"]): string {
  if (issue.input === undefined && /^invalid_(?:type|value)$/.test(issue.code)) return t`is required`;
  switch (issue.code) {
    case "invalid_type":
      return t`must be ${translated(kinds[issue.expected] ?? issue.expected)}`;
    case "too_small":
      return t`must be at least ${String(issue.minimum)}`;
    case "too_big":
      return t`must be at most ${String(issue.maximum)}`;
    case "invalid_value":
      if (issue.values.length === 1) return t`must be ${String(issue.values[0])}`;
      return mustBeOneOf(issue.values.map(String), issue.input);
    case "unrecognized_keys": {
      const shape = issue.inst instanceof $ZodObject ? issue.inst._zod.def.shape : {};
      return unknownNames(kind, issue.keys, Object.keys(shape));
    }
    default:
      return t`is not valid`;
  }
}

const kinds: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "a boolean",
  int: "an integer",
  number: "a number",
  object: "an object",
  string: "a string",
};
