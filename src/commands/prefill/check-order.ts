/** Checks an order against the contract, all of it at once, and reads phone and postal code as people write them. */
import * as z from "zod/mini";

import { isObject } from "../../shared/json.js";
import { t, translated } from "../../shared/language.js";
import { suggestion } from "../../shared/nearest.js";
import { prefilledOrderBodySchema, type PrefilledOrderBody } from "../../contract/prefilled-order.js";
import { fieldName, type Fault, type FieldPath } from "./fault.js";
import { unknownFields } from "./unknown-fields.js";
import { unlikelyNumbers } from "./unlikely-numbers.js";

export interface CheckedOrder {
  /** Absent where there are faults. */
  readonly order?: PrefilledOrderBody;
  readonly faults: readonly Fault[];
  /** What the specification doesn't forbid and is hardly meant: it is passed on. */
  readonly remarks: readonly Remark[];
}

export interface Remark extends Fault {
  /** Without the places in lists: the same for each order of many. */
  readonly kind: string;
}

/** @param locate tells where a field stands */
export function checkOrder(given: unknown, locate: (path: FieldPath) => string): CheckedOrder {
  const value = withDigits(given);
  const found = faultsOf(value);
  const unknown = unknownFields(prefilledOrderBodySchema(), value).map(({ path, known }) => ({
    path,
    text: t`isn't shown in the specification; it is passed on.${suggestion(String(path.at(-1)), known)}`,
  }));
  const remarks = [...unknown, ...unlikelyNumbers(value)].map(({ path, text }) => ({
    where: locate(path),
    text: `${fieldName(path)} ${text}`,
    kind: fieldName(path.filter((part) => typeof part !== "number")),
  }));
  const issues = [...found, ...misplacedAddress(value, found)];
  const paths = new Set(issues.map(({ path }) => fieldName(path)));
  const faults = [
    ...issues.map((issue) => ({ where: locate(issue.path), text: faultText(issue, value) })),
    ...lostNumbers(value)
      .filter((path) => !paths.has(fieldName(path)))
      .map((path) => ({
        where: locate(path),
        text: t`${fieldName(path)} ${translated(lostNumber)}; put it in quotes`,
      })),
  ];
  // As it was given: what zod makes of it is without a field of the name __proto__.
  return { ...(faults.length === 0 && isFaultless(value, found) && { order: value }), faults, remarks };
}

function faultsOf(value: unknown): readonly z.core.$ZodIssue[] {
  return z.safeParse(prefilledOrderBodySchema(), value).error?.issues ?? [];
}

/** Without a fault it is what the contract takes. */
function isFaultless(value: unknown, found: ReturnType<typeof faultsOf>): value is PrefilledOrderBody {
  return found.length === 0;
}

const lostNumber = "is a number that would not arrive as it is";

/** Numbers that JSON can't carry, or that would arrive as others. */
function lostNumbers(value: unknown, path: FieldPath = []): FieldPath[] {
  if (typeof value === "number") {
    const kept = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
    return kept ? [] : [path];
  }
  if (Array.isArray(value)) return value.flatMap((member, index) => lostNumbers(member, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => lostNumbers(member, [...path, name]));
}

/** A rule over the whole order isn't tried while a field of it is wrong, so it is tried by itself. */
function misplacedAddress(value: unknown, issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  if (!isObject(value) || value["delivery_address"] === undefined) return [];
  const field = ({ path }: z.core.$ZodIssue) => path.join(".");
  if (issues.some((issue) => field(issue) === "delivery_address")) return [];
  const alone = { order_type: value["order_type"], delivery_address: {} };
  const issue = faultsOf(alone).at(0);
  return issue && field(issue) === "delivery_address" ? [issue] : [];
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
    case "too_big":
      return translated(isLimitOfNumbers(issue.maximum) ? lostNumber : issue.message);
    case "too_small":
      return translated(isLimitOfNumbers(issue.minimum) ? lostNumber : issue.message);
    default:
      return issue.message === noMessage ? t`isn't valid` : translated(issue.message);
  }
}

/** A whole number is one that JavaScript keeps exactly: zod's own limit, and none of the contract's. */
function isLimitOfNumbers(limit: number | bigint): boolean {
  return Math.abs(Number(limit)) === Number.MAX_SAFE_INTEGER;
}

/** What zod/mini says where a rule says nothing. */
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

/** `number: 12` is a number to YAML. */
function quotes(expected: string, actual: unknown): string {
  return expected === "string" && typeof actual !== "object" ? t`: put it in quotes` : "";
}

function describe(actual: unknown): string {
  if (typeof actual === "number" || typeof actual === "boolean") return `${actual}`;
  if (typeof actual === "string") return JSON.stringify(actual.slice(0, 40));
  return Array.isArray(actual) ? t`a list` : t`a group of fields`;
}

/** `(11) 99999-0000` goes out as digits. What holds anything else stays, and is refused by the contract. */
function withDigits(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { customer, delivery_address: address } = value;
  return {
    ...value,
    ...(isObject(customer) && { customer: { ...customer, ...digitsOf(customer, "phone") } }),
    ...(isObject(address) && { delivery_address: { ...address, ...digitsOf(address, "postal_code") } }),
  };
}

/** With at least one digit, or nothing would be left of it. */
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
