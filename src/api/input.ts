/**
 * Schemas of requests, rules between their fields, and messages about invalid ones. A field that the specification doesn't name is
 * rejected as a misspelling.
 */
import * as z from "zod/mini";

import { english, inLanguage, t, translated } from "../languages/language.js";
import { anyAmount, anyDigits, anyInteger, anyText, isWritten, orderSchemas } from "./responses.js";
import { isObject, mustBeOneOf, once, unknownNames } from "../base/basics.js";
import { readFilters, type Filter } from "./filters.js";
import { hasAtMostTwoDecimals, isAmount } from "./money.js";
import { custom, oneOf, optionalFields, ruleCheck, type FieldRule } from "./schema.js";
import {
  dateFields,
  dimensions,
  summaryHistoryYears,
  summaryPeriodMonths,
  type DateField,
  type Dimension,
} from "./values.js";

export interface WrittenPeriod {
  readonly start_date: string;
  readonly end_date: string;
  readonly date_field?: DateField | undefined;
}

/** The format of both ends depends on `date_field` (section 4.6). */
export function periodFormatRules(): readonly FieldRule<WrittenPeriod>[] {
  const rules: FieldRule<WrittenPeriod>[] = [];
  for (const dateField of dateFields) {
    const isDated = dateField === "scheduled_date";
    const form = isDated ? "a date, YYYY-MM-DD," : "an ISO 8601 date-time with an offset";
    for (const field of ["start_date", "end_date"] as const)
      rules.push({
        field,
        message: `must be ${form} if date_field is ${dateField}`,
        holds: ({ date_field = "created_at", [field]: end }) =>
          date_field !== dateField || isWritten(end, isDated ? "date" : "date-time"),
      });
  }
  return rules;
}

/**
 * The limits of section 8. It doesn't show the service's clock, so times are milliseconds since the epoch, or local times as if they
 * were UTC.
 */
export const periodLengthRules: readonly FieldRule<{ start: number; end: number; now: number }>[] = [
  {
    field: "end_date",
    message: `must be at most ${summaryPeriodMonths} months after start_date`,
    holds: ({ start, end }) => end <= addMonths(start, summaryPeriodMonths),
  },
  {
    field: "start_date",
    message: `must not go back more than ${summaryHistoryYears} years`,
    holds: ({ start, now }) => start >= addMonths(now - (now % 86_400_000), -12 * summaryHistoryYears),
  },
];

/** Returns the same time of day some months later, on the last day of a month that is too short. */
export function addMonths(time: number, months: number): number {
  const later = new Date(time);
  const day = later.getUTCDate();
  later.setUTCMonth(later.getUTCMonth() + months);
  if (later.getUTCDate() !== day) later.setUTCDate(0);
  return later.getTime();
}

/** A date has no hour (section 4.7, rule 1). */
export const dimensionRule: FieldRule<{ group_by: Dimension; date_field?: DateField | undefined }> = {
  field: "group_by",
  message: "can't be hour if date_field is scheduled_date",
  holds: ({ group_by, date_field }) => group_by !== "hour" || date_field !== "scheduled_date",
};

export const prefilledOrderRule: FieldRule<{ order_type: string; delivery_address?: unknown }> = {
  field: "delivery_address",
  message: "is only allowed if order_type is delivery",
  holds: ({ order_type, delivery_address }) => order_type === "delivery" || delivery_address === undefined,
};

export const isPositive = (value: unknown) => Number(value) >= 1;

/** The wording of section 4.1. */
export const feeRule = "must be non-negative with at most two decimals";

/** Sections 4.1 and 4.2. */
export const callSchemas = once(() => {
  // "Multiple of 0.01" applies to the decimal, because dividing floats is inexact.
  const fee = anyAmount().check(custom(hasAtMostTwoDecimals, feeRule));
  const typedFee = custom<number | string>(
    (value) => (typeof value === "string" ? isAmount(value) : z.safeParse(fee, value).success),
    `${feeRule}\nAs text it is written with a point, for example 7.50.`,
  );
  const driver = <Fee extends z.ZodMiniType>(driverFee: Fee) =>
    z.strictObject({
      driver_id: anyInteger().check(custom(isPositive, () => t`must be at least ${"1"}`)),
      driver_fee: z.optional(z.nullable(driverFee)),
    });
  return {
    assignDriver: driver(fee),
    typedDriver: driver(typedFee),
    cancelOrder: z.strictObject({ cancellation_reason: z.optional(anyText()) }),
  };
});

/** Sections 4.6 to 4.8. Parameters are sent in this order. */
export const querySchemas = once(() => {
  const period = { start_date: anyText(), end_date: anyText(), date_field: z.optional(oneOf(dateFields)) };
  const rule = 'must be an object, for example { status_in: ["closed"] }';
  const filters = custom<readonly Filter[]>(isObject, rule).check((given) => {
    const { value: input, issues } = given;
    given.value = readFilters(input, (message, path) =>
      issues.push({ code: "custom", input, message, path }),
    );
  });
  const rest = { filters: z.optional(filters) };
  const rules = periodFormatRules().map(ruleCheck);
  return {
    summaryQuery: z.strictObject({ ...period, ...rest }).check(...rules),
    groupedQuery: z
      .strictObject({ ...period, group_by: oneOf(dimensions), ...rest })
      .check(...rules, ruleCheck(dimensionRule)),
  };
});

/**
 * Pre-filled orders (section 4.9). What it doesn't rule out is accepted: customer, cart and address have no required fields, integers
 * may be 0, and "digits" have no minimum length. Only the strings that section 2.2 names may be null.
 */
export const newPrefilledOrderSchema = once(() => {
  const cartOption = z.strictObject({
    option_id: z.optional(anyInteger()),
    quantity: z.optional(anyInteger()),
  });
  const optionGroup = z.strictObject({
    option_group_id: z.optional(anyInteger()),
    options: z.optional(z.array(cartOption)),
  });
  const item = { item_id: z.optional(anyInteger()) };
  const choice = { observation: z.optional(anyText()), option_groups: z.optional(z.array(optionGroup)) };
  const comboStep = z.strictObject({
    combo_step_id: z.optional(anyInteger()),
    item: z.optional(z.strictObject({ ...item, ...choice })),
  });
  const cartItem = z.strictObject({
    ...item,
    quantity: z.optional(anyInteger()),
    ...choice,
    combo_steps: z.optional(z.array(comboStep)),
  });
  const customer = z.strictObject({ name: z.optional(anyText()), phone: z.optional(anyDigits()) });
  const address = z.strictObject(optionalFields(orderSchemas().deliveryAddress.shape));
  return z
    .strictObject({
      order_type: oneOf(["delivery", "takeout"]),
      customer: z.optional(customer),
      cart: z.optional(z.nullable(z.array(cartItem))),
      delivery_address: z.optional(address),
    })
    .check(ruleCheck(prefilledOrderRule));
});

export interface Problem {
  /** A sentence with a full stop. */
  readonly message: string;
  readonly hint?: string;
  /** Absent if the whole input isn't valid. */
  readonly field?: string;
}

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly [Problem, ...Problem[]] };

/**
 * Checks an input against a schema.
 *
 * @param owner the name of the input in messages
 * @returns the checked value, because a getter may return another one the second time
 */
export function check<Schema extends z.core.$ZodType>(
  schema: Schema,
  input: unknown,
  owner = "The input",
): Checked<z.output<Schema>> {
  const result = z.safeParse(schema, input, { error: requirement });
  if (result.success) return { ok: true, value: result.data };
  const isUnknownName = ({ code }: z.core.$ZodIssue) => Number(code === "unrecognized_keys");
  // An unknown name explains more than a missing one, so it comes first.
  const [first = { message: "The input is not valid." }, ...others] = result.error.issues
    .toSorted((a, b) => isUnknownName(b) - isUnknownName(a))
    .map((issue) => problemOf(issue, owner));
  return { ok: false, problems: [first, ...others] };
}

/** Checks a request in English, the language of the service's responses. */
export function checkWire<Schema extends z.core.$ZodType>(schema: Schema, input: unknown, owner?: string) {
  return inLanguage(english, () => check(schema, input, owner));
}

/** The second line of a schema's message is a hint. */
function problemOf(issue: z.core.$ZodIssue, owner: string): Problem {
  const { path, message: full } = issue;
  const [sentence = "", hint] = full.split("\n").map(translated);
  const [first, second] = path;
  // The API writes fields like this: `filters[status_in]`, and `cart.0.item_id`.
  const isFilter = first === "filters" && second !== undefined;
  const name = isFilter ? `filters[${String(second)}]` : path.map(String).join(".");
  const message = `${name === "" ? owner : name} ${/[.?]$/.test(sentence) ? sentence : `${sentence}.`}`;
  const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const field = [name, ...unknown].filter(Boolean).join(".");
  return { message, ...(field !== "" && { field }), ...(hint !== undefined && { hint }) };
}

/** Returns the `details` of an error body: one sentence for each field, without hints. */
export function detailsOf({ problems }: Extract<Checked<never>, { readonly ok: false }>): string {
  return [...new Set(problems.map(({ message }) => message.replace(/\.$/, "")))].join("; ");
}

/** Fields of credentials that no program knows. */
const internalFields = ["isAdopted", "signedStore"];

/** Returns what a value must be, for a message that begins with the field's name. zod/mini has no messages. */
function requirement(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return t`is required`;
  switch (issue.code) {
    case "invalid_type":
      return translated(kinds[issue.expected] ?? "is not valid");
    case "too_small":
      return t`must be at least ${String(issue.minimum)}`;
    case "too_big":
      return t`must be at most ${String(issue.maximum)}`;
    case "invalid_value":
      return mustBeOneOf(issue.values.map(String), issue.input);
    case "unrecognized_keys":
      return unknownNames(
        issue.keys,
        issue.inst instanceof z.ZodMiniObject
          ? Object.keys(issue.inst.shape).filter((name) => !internalFields.includes(name))
          : [],
      );
    default:
      return t`is not valid`;
  }
}

const kinds: Readonly<Record<string, string>> = {
  array: "must be an array",
  boolean: "must be a boolean",
  number: "must be a number",
  object: "must be an object",
  string: "must be text",
};
