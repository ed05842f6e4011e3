/** Finds all faults of an order by the contract at once, and reads phone and postal code as people write them. */
import * as z from "zod/mini";

import { spreadExtra, type UnnamedFields } from "../../contract/extra.js";
import { isObject } from "../../shared/json.js";
import { t, translated } from "../../shared/language.js";
import { nameSuggestion, suggestion } from "../../shared/nearest.js";
import { prefilledOrderBodySchema } from "../../contract/prefilled-order.js";
import type { PrefilledOrderBody } from "../../contract/models.js";
import { fieldName, type Fault, type FieldPath } from "./fault.js";

export interface CheckedOrder {
  /** Absent where there are faults. */
  readonly order?: PrefilledOrderBody;
  readonly faults: readonly Fault[];
}

/** @param locate gives the place of a field */
export function checkOrder(order: unknown, locate: (path: FieldPath) => string): CheckedOrder {
  const value = withDigits(order);
  const schema = prefilledOrderBodySchema();
  const { wire, unnamed } = spreadExtra(schema, value);
  const issues = z.safeParse(schema, wire).error?.issues ?? [];
  const faults = [
    ...unnamed.flatMap(unnamedFaults).map(({ path, text }) => ({ place: locate(path), text })),
    ...issues.map((issue) => ({ place: locate(issue.path), text: faultText(issue, value) })),
  ];
  return { ...(isFaultless(value, faults) && { order: value }), faults };
}

function unnamedFaults({ path, names, allowed: allowed }: UnnamedFields) {
  return names.map((name) => {
    const field = [...path, name];
    const text =
      allowed.length === 0
        ? t`${fieldName(field)} has a place of its own, outside of extra.`
        : t`${fieldName(field)} isn't shown in the specification.${nameSuggestion(name, allowed)} What is meant all the same goes into extra.`;
    return { path: field, text };
  });
}

/** A value without faults has the contract's form. */
function isFaultless(value: unknown, faults: readonly Fault[]): value is PrefilledOrderBody {
  return faults.length === 0;
}

function faultText(issue: z.core.$ZodIssue, value: unknown): string {
  const name = issue.path.length === 0 ? t`the order` : fieldName(issue.path);
  return `${name} ${predicate(issue, valueAt(value, issue.path))}`;
}

function predicate(issue: z.core.$ZodIssue, actual: unknown): string {
  if (actual === undefined && issue.code !== "custom") {
    return issue.code === "invalid_value" ? t`is missing: ${choice(issue.values)}` : t`is missing`;
  }
  if (actual === null) return issue.path.length === 0 ? t`is empty` : t`is empty: fill it in or leave it out`;
  switch (issue.code) {
    case "invalid_type":
      return t`must be ${translated(kinds[issue.expected] ?? issue.expected)}, not ${describe(actual)}${quotes(issue.expected, actual)}`;
    case "invalid_value":
      return t`must be ${choice(issue.values)}, not ${describe(actual)}.${typeof actual === "string" ? suggestion(actual, issue.values.map(String)) : ""}`;
    default:
      return issue.message === noMessage ? t`isn't valid` : translated(issue.message);
  }
}

/** zod/mini says this where a rule has no message. */
const noMessage = "Invalid input";

function choice(values: readonly z.core.util.Primitive[]): string {
  return values.map(String).join(t` or `);
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  int: "a whole number",
  number: "a whole number",
  array: "a list",
  object: "a group of fields",
};

/** YAML reads `number: 12` as a number. */
function quotes(expected: string, actual: unknown): string {
  return expected === "string" && typeof actual !== "object" ? t`: put it in quotes` : "";
}

function describe(actual: unknown): string {
  if (typeof actual === "number" || typeof actual === "boolean") return `${actual}`;
  if (typeof actual === "string") return JSON.stringify(actual.slice(0, 40));
  return Array.isArray(actual) ? t`a list` : t`a group of fields`;
}

/** `(11) 99999-0000` goes out as digits. A text with other characters stays, and the contract refuses it. */
function withDigits(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { customer, delivery_address: address } = value;
  return {
    ...value,
    ...(isObject(customer) && { customer: { ...customer, ...digitsOf(customer, "phone") } }),
    ...(isObject(address) && { delivery_address: { ...address, ...digitsOf(address, "postal_code") } }),
  };
}

/** People write phone numbers like this; without a digit nothing would be left to send. */
export const digitsAsWritten = /^[\s()+./\-\u2010-\u2015]*\d[\d\s()+./\-\u2010-\u2015]*$/;

function digitsOf(fields: Readonly<Record<string, unknown>>, name: string): Record<string, string> {
  const text = fields[name];
  if (typeof text !== "string" || !digitsAsWritten.test(text)) return {};
  return { [name]: text.replaceAll(/\D/g, "") };
}

function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((holder, part) => {
    if (Array.isArray(holder)) return holder[Number(part)] as unknown;
    return isObject(holder) && Object.hasOwn(holder, part) ? holder[String(part)] : undefined;
  }, value);
}
