/** The filters of the two summary endpoints (section 4.8). It doesn't limit how many a call has, or whether a value may repeat. */
import { orderTimings, orderTypes, customerOriginLength } from "./values.js";
import { isAmount } from "./money.js";
import { t } from "../languages/language.js";
import { mustBeOneOf, unknownNames, once } from "../base/basics.js";

const membership = ["in", "not_in"] as const;
const comparison = ["gt", "lt", "gteq", "lteq"] as const;

/** The form of a filter's values. Only `closed` values are rejected before a request. */
export type FilterValues =
  | { readonly kind: "closed" | "open"; readonly values: readonly string[] }
  | { readonly kind: "id" | "opaque" | "text" | "time" | "amount" };

/** Section 4.8. */
export const filterFields = {
  order_type: { operators: membership, values: { kind: "closed", values: orderTypes } },
  order_timing: { operators: membership, values: { kind: "closed", values: orderTimings } },
  sales_channel: {
    operators: membership,
    values: {
      // This list is longer than that of section 2.1, and its marketplaces are placeholders, so any value is accepted.
      kind: "open",
      values: [
        "catalog",
        "store_front_catalog",
        "table_catalog",
        "portal",
        "integration",
        "marketplace_a",
        "messaging_extension",
        "marketplace_c",
        "marketplace_e",
        "marketplace_d",
        "totem",
      ],
    },
  },
  status: {
    operators: membership,
    values: {
      // Section 3 has two more, `pending_online_payment` and `canceling`, which no filter accepts. None is a placeholder, so the list is
      // closed.
      kind: "closed",
      values: [
        "waiting_confirmation",
        "confirmed",
        "scheduled_confirmed",
        "ready",
        "waiting_to_catch",
        "released",
        "delivered",
        "pending_payment",
        "closed",
        "canceled",
      ],
    },
  },
  // Section 4.8 says "payment method id", but not whether that is a number.
  payment_method_id: { operators: membership, values: { kind: "opaque" } },
  driver_id: { operators: membership, values: { kind: "id" } },
  customer_origin: { operators: [...membership, "null", "not_null"], values: { kind: "text" } },
  created_at_time: { operators: ["eq", ...comparison], values: { kind: "time" } },
  total: { operators: ["eq", "not_eq", ...comparison], values: { kind: "amount" } },
  delivery_fee: { operators: ["eq", "not_eq", ...comparison], values: { kind: "amount" } },
} as const satisfies Record<string, { operators: readonly string[]; values: FilterValues }>;

export type FilterField = keyof typeof filterFields;
export type FilterOperator = (typeof filterFields)[FilterField]["operators"][number];

export interface NamedFilter {
  readonly field: FilterField;
  readonly operator: FilterOperator;
}

/** A filter as it is sent: several values repeat the key. `null` and `not_null` have the one value `true`. */
export interface Filter extends NamedFilter {
  readonly values: readonly string[];
}

export function fieldNames(): FilterField[] {
  return Object.keys(filterFields).filter((name): name is FilterField => name in filterFields);
}

/** The filters of section 4.8, by names such as `status_in`. */
export const filtersByName = once(
  (): ReadonlyMap<string, NamedFilter> =>
    new Map(
      fieldNames().flatMap((field) =>
        filterFields[field].operators.map((operator) => [`${field}_${operator}`, { field, operator }]),
      ),
    ),
);

/** Returns the name of the query parameter, for example `filters[status_in]`. */
export function filterParameter(name: string): string {
  return `filters[${name}]`;
}

/** Returns whether an operator accepts several values. */
export function takesSeveral(operator: FilterOperator): boolean {
  return operator === "in" || operator === "not_in";
}

/** Returns whether an operator tests for a missing value, and accepts only `true`. */
export function isNullCheck(operator: FilterOperator): operator is "null" | "not_null" {
  return operator === "null" || operator === "not_null";
}

/** Whether a value is valid, and otherwise what it must be, to follow the filter's name. */
const kinds = {
  open: { fits: (text: string) => text !== "", rule: "must be a name or an id" },
  opaque: { fits: (text: string) => text !== "", rule: "must be a name or an id" },
  id: {
    fits: (text: string) => /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text)),
    rule: "must be an integer",
  },
  // Characters are Unicode code points. A text may be empty, or contain commas.
  text: {
    fits: (text: string) => Array.from(text).length <= customerOriginLength,
    rule: "must be text of at most 255 characters",
  },
  time: {
    fits: (text: string) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text),
    rule: "must be a time of day, HH:MM",
  },
  amount: { fits: isAmount, rule: "must be an amount of at least 0 with at most two decimals" },
} as const;

/** Reads filters by their names, in their order, and reports problems to `wrong`. */
export function readFilters(
  input: Readonly<Record<string, unknown>> | readonly unknown[],
  wrong: (message: string, path: string[]) => void,
): readonly Filter[] {
  const filters: Filter[] = [];
  for (const [name, sent] of Object.entries(input)) {
    const filter = filtersByName().get(name);
    if (filter === undefined) wrong(unknownNames([name], [...filtersByName().keys()]), []);
    if (filter === undefined || sent === undefined) continue;
    const given: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
    if (Array.isArray(sent) && !takesSeveral(filter.operator)) wrong("accepts one value, not a list", [name]);
    else if (given.length === 0) wrong("requires a value", [name]);
    const values: string[] = [];
    for (const value of given) {
      const problem = problemWith(filter, value);
      if (problem === undefined) values.push(String(value));
      else wrong(problem, [name]);
    }
    filters.push({ ...filter, values });
  }
  return filters;
}

/** Returns what a value must be, for a message that begins with the filter's name. */
function problemWith({ field, operator }: NamedFilter, value: unknown): string | undefined {
  const { values } = filterFields[field];
  // Section 4.8: "Operators `null` and `not_null` take the value `true`."
  if (isNullCheck(operator)) return value === true || value === "true" ? undefined : "must be true";
  // A program may pass a number.
  const isNumeric = Number.isFinite(value) && ["id", "opaque", "amount"].includes(values.kind);
  const text = isNumeric || typeof value === "string" ? String(value) : undefined;
  if (values.kind === "closed")
    return values.values.some((each) => each === text) ? undefined : mustBeOneOf(values.values, value);
  if (values.kind === "id" && Number(text) < 1) return t`must be at least ${"1"}`;
  const { fits, rule } = kinds[values.kind];
  return text !== undefined && fits(text) ? undefined : rule;
}
