/** Finds all faults of an order by the contract at once, and reads phone and postal code as people write them. */
import * as z from "zod/mini";

import { spreadExtra } from "../../api/input.js";
import { prefilledSchemas } from "../../api/schemas.js";
import type { PrefilledOrderBody } from "../../api/models.js";
import { isObject } from "../../api/json.js";
import { t, translated } from "../../languages/language.js";
import { nameSuggestion, suggestion } from "../../api/nearest.js";

export type FieldPath = readonly PropertyKey[];

export interface Fault {
  /** `order.yaml:7:10`, or the flag that the value came from. */
  readonly place: string;
  /** Names the field and its fault, or the fault of the text. */
  readonly text: string;
}

/** People write a field like this: `cart[0].item_id`. */
export function fieldName(path: FieldPath): string {
  const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return name.replace(/^\./, "");
}

export interface CheckedOrder {
  /** Absent where there are faults. */
  readonly order?: PrefilledOrderBody;
  readonly faults: readonly Fault[];
}

/** @param locate gives the place of a field */
export function checkOrder(order: unknown, locate: (path: FieldPath) => string): CheckedOrder {
  const value = withDigits(order);
  const schema = prefilledSchemas().newPrefilledOrder;
  const { wire, unnamed } = spreadExtra(schema, value);
  const faults = [
    ...unnamed.flatMap(({ path, names, allowed }) =>
      names.map((name) => ({ path: [...path, name], text: unnamedText([...path, name], allowed) })),
    ),
    ...(z.safeParse(schema, wire).error?.issues ?? []).map((issue) => ({
      path: issue.path,
      text: faultText(issue, value),
    })),
  ].map(({ path, text }) => ({ place: locate(path), text }));
  return { ...(isFaultless(value, faults) && { order: value }), faults };
}

/** A value without faults has the contract's form. */
function isFaultless(value: unknown, faults: readonly unknown[]): value is PrefilledOrderBody {
  return faults.length === 0;
}

function unnamedText(path: FieldPath, allowed: readonly string[]): string {
  if (allowed.length === 0) return t`${fieldName(path)} has a place of its own, outside of extra.`;
  const hint = nameSuggestion(String(path.at(-1)), allowed);
  return t`${fieldName(path)} isn't shown in the specification.${hint} What is meant all the same goes into extra.`;
}

function faultText(issue: z.core.$ZodIssue, value: unknown): string {
  const name = issue.path.length === 0 ? t`the order` : fieldName(issue.path);
  return `${name} ${predicate(issue, valueAt(value, issue.path))}`;
}

function predicate(issue: z.core.$ZodIssue, actual: unknown): string {
  const choices = issue.code === "invalid_value" ? issue.values.map(String) : [];
  if (actual === undefined && issue.code !== "custom")
    return choices.length > 0 ? t`is missing: ${choices.join(t` or `)}` : t`is missing`;
  if (actual === null) return issue.path.length === 0 ? t`is empty` : t`is empty: fill it in or leave it out`;
  switch (issue.code) {
    case "invalid_type": {
      // YAML reads `number: 12` as a number.
      const quotes = issue.expected === "string" && typeof actual !== "object" ? t`: put it in quotes` : "";
      return t`must be ${translated(kinds[issue.expected] ?? issue.expected)}, not ${describe(actual)}${quotes}`;
    }
    case "invalid_value": {
      const nearest = typeof actual === "string" ? suggestion(actual, choices) : "";
      return t`must be ${choices.join(t` or `)}, not ${describe(actual)}.${nearest}`;
    }
    default:
      return issue.message === noMessage ? t`isn't valid` : translated(issue.message);
  }
}

/** zod/mini says this where a rule has no message. */
const noMessage = "Invalid input";

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  int: "a whole number",
  number: "a whole number",
  array: "a list",
  object: "a group of fields",
};

function describe(actual: unknown): string {
  if (typeof actual === "number" || typeof actual === "boolean") return `${actual}`;
  if (typeof actual === "string") return JSON.stringify(actual.slice(0, 40));
  return Array.isArray(actual) ? t`a list` : t`a group of fields`;
}

/** `(11) 99999-0000` goes out as digits. A text with other characters stays, and the contract refuses it. */
function withDigits(order: unknown): unknown {
  if (!isObject(order)) return order;
  const digitFields = { customer: "phone", delivery_address: "postal_code" };
  const groups = Object.entries(digitFields).flatMap(([group, field]) => {
    const fields = order[group];
    const text = isObject(fields) ? fields[field] : undefined;
    if (!isObject(fields) || typeof text !== "string" || !digitsAsWritten.test(text)) return [];
    return [[group, { ...fields, [field]: text.replaceAll(/\D/g, "") }] as const];
  });
  return { ...order, ...Object.fromEntries(groups) };
}

/** People write phone numbers like this; without a digit nothing would be left to send. */
export const digitsAsWritten = /^[\s()+./\-\u2010-\u2015]*\d[\d\s()+./\-\u2010-\u2015]*$/;

function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((holder, part) => {
    if (Array.isArray(holder)) return holder[Number(part)] as unknown;
    return isObject(holder) && Object.hasOwn(holder, part) ? holder[String(part)] : undefined;
  }, value);
}
