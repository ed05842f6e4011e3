/**
 * Section 4.8 describes the filters of the two summary endpoints. It doesn't show how many filters a call may have,
 * nor whether the same value may come twice; both are left to the service.
 */
import * as z from "zod/mini";

import { isObject } from "./json.js";
import { englishSuggestion, unknownNames } from "./nearest.js";
import { once } from "./once.js";
import { filterFields, type FilterField, type FilterOperator, type FilterValues } from "./filter-fields.js";
import { customerOriginLength } from "./limits.js";
import { isAmount } from "./money.js";

/** A value of each kind fits or doesn't; what it must be is said after the filter's name. */
const kinds: Readonly<
  Record<
    Exclude<FilterValues["kind"], "closed">,
    { readonly fits: (text: string) => boolean; readonly rule: string }
  >
> = {
  open: { fits: (text) => text !== "", rule: "must be a name" },
  opaque: { fits: (text) => text !== "", rule: "must be an id" },
  id: {
    fits: (text) => /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text)),
    rule: "must be an integer of at least 1",
  },
  text: {
    fits: (text) => Array.from(text).length <= customerOriginLength,
    rule: `must be a text of at most ${customerOriginLength} characters`,
  },
  time: {
    fits: (text) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text),
    rule: "must be a time of day, HH:MM",
  },
  amount: { fits: isAmount, rule: "must be an amount of at least 0 with at most two decimals" },
};

/** Checks the form of a value, and not whether the service knows it: open values and ids are passed on. */
export function isFilterValue(values: FilterValues, text: string): boolean {
  return values.kind === "closed" ? values.values.includes(text) : kinds[values.kind].fits(text);
}

/** `in` and `not_in` take one value or several, every other operator takes one. */
export function takesSeveral(operator: FilterOperator): boolean {
  return operator === "in" || operator === "not_in";
}

/** Such an operator asks whether there is a value at all, and takes only `true`. */
export function isNullCheck(operator: FilterOperator): operator is "null" | "not_null" {
  return operator === "null" || operator === "not_null";
}

/** A filter goes out like this: several values repeat the key. `null` and `not_null` take the one value `true`. */
export interface Filter {
  readonly field: FilterField;
  readonly operator: FilterOperator;
  readonly values: readonly string[];
}

export interface NamedFilter {
  readonly field: FilterField;
  readonly operator: FilterOperator;
}

/** Section 4.8 allows these filters, by names such as `status_in`. */
export const filtersByName: ReadonlyMap<string, NamedFilter> = new Map(
  fieldNames().flatMap((field) =>
    filterFields[field].operators.map((operator) => [`${field}_${operator}`, { field, operator }]),
  ),
);

/** Makes the name of the query parameter, for example `filters[status_in]`. */
export function filterParameter(name: string): string {
  return `filters[${name}]`;
}

/** Section 4.8 allows these parameter names; each stands for a filter. */
export const filterParameters: ReadonlyMap<string, NamedFilter> = new Map(
  [...filtersByName].map(([name, filter]) => [filterParameter(name), filter]),
);

export function fieldNames(): FilterField[] {
  return Object.keys(filterFields).filter((name): name is FilterField => name in filterFields);
}

const numeric: readonly FilterValues["kind"][] = ["id", "opaque", "amount"];

/** Says after the filter's name what is wrong with one of its values; `undefined` where nothing is. */
function problemOf({ field, operator }: NamedFilter, value: string | undefined): string | undefined {
  // Section 4.8: "Operators `null` and `not_null` take the value `true`."
  if (isNullCheck(operator)) return value === "true" ? undefined : "must be true";
  const { values } = filterFields[field];
  if (value !== undefined && isFilterValue(values, value)) return undefined;
  if (values.kind !== "closed") return kinds[values.kind].rule;
  const hint = englishSuggestion(value ?? "", values.values);
  return `must be one of ${values.values.join(", ")}${hint === "" ? "" : `.${hint}`}`;
}

/** Writes a value as it goes out. A program may give a number where the value is one, and `true` where that is all. */
function written({ field, operator }: NamedFilter, value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const fits = isNullCheck(operator)
    ? value === true
    : typeof value === "number" && numeric.includes(filterFields[field].values.kind);
  return fits ? String(value) : undefined;
}

/** Reads one filter, or says what is wrong with its values. */
function readFilter(filter: NamedFilter, input: unknown): Filter | readonly string[] {
  const several: readonly unknown[] | undefined = Array.isArray(input) ? input : undefined;
  if (several && !takesSeveral(filter.operator)) return ["takes one value, not a list"];
  if (several?.length === 0) return ["needs a value"];
  const values = (several ?? [input]).map((value) => written(filter, value));
  const problems = values.flatMap((value) => problemOf(filter, value) ?? []);
  return problems.length > 0
    ? problems
    : { ...filter, values: values.filter((value) => value !== undefined) };
}

/** Reads filters by their names, in the order in which they come. */
export const filtersSchema = once(() =>
  z.pipe(
    z.custom<Readonly<Record<string, unknown>>>(
      isObject,
      'must be an object, for example { status_in: ["closed"] }',
    ),
    z.transform((input: Readonly<Record<string, unknown>>, { issues }): readonly Filter[] =>
      Object.entries(input).flatMap(([name, sent]) => {
        const filter = filtersByName.get(name);
        if (filter === undefined) {
          const error = unknownNames("field", [name], [...filtersByName.keys()]);
          issues.push({ code: "custom", input, message: error });
          return [];
        }
        if (sent === undefined) return [];
        const read = readFilter(filter, sent);
        if ("field" in read) return [read];
        for (const message of read) issues.push({ code: "custom", input: sent, path: [name], message });
        return [];
      }),
    ),
  ),
);
