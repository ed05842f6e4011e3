/**
 * Section 4.8 describes the filters of the two summary endpoints. It doesn't show how many filters a call may have,
 * nor whether the same value may come twice; both are left to the service.
 */
import * as z from "zod/mini";

import { isObject } from "../shared/json.js";
import { englishSuggestion, unknownNames } from "../shared/nearest.js";
import { once } from "../shared/once.js";
import { filterFields, type FilterField, type FilterOperator, type FilterValues } from "./filter-fields.js";
import { customerOriginLength } from "./limits.js";
import { isAmount } from "./money.js";

/** Checks the form of a value, and not whether the service knows it: open values and ids are passed on. */
export function isFilterValue(values: FilterValues, text: string): boolean {
  switch (values.kind) {
    case "closed":
      return values.values.includes(text);
    case "open":
    case "opaque":
      return text !== "";
    case "id":
      return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text));
    case "text":
      return Array.from(text).length <= customerOriginLength;
    case "time":
      return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
    case "amount":
      return isAmount(text);
  }
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

/** Says after the filter's name what its values must be. */
function requirementOf(values: FilterValues): string {
  switch (values.kind) {
    case "closed":
      return `must be one of ${values.values.join(", ")}`;
    case "open":
      return "must be a name";
    case "opaque":
      return "must be an id";
    case "id":
      return "must be an integer of at least 1";
    case "text":
      return `must be a text of at most ${customerOriginLength} characters`;
    case "time":
      return "must be a time of day, HH:MM";
    case "amount":
      return "must be an amount of at least 0 with at most two decimals";
  }
}

const numeric: readonly FilterValues["kind"][] = ["id", "opaque", "amount"];

/** Checks one value and makes it text; a program may give a number where the value is one. */
function valueSchema(values: FilterValues): z.ZodMiniType<string> {
  const isValue = (text: unknown) => typeof text === "string" && isFilterValue(values, text);
  const valid = z.custom<string>(isValue, {
    error: ({ input }) => {
      const hint =
        values.kind === "closed" && typeof input === "string" ? englishSuggestion(input, values.values) : "";
      return hint === "" ? requirementOf(values) : `${requirementOf(values)}.${hint}`;
    },
  });
  const toText = (value: unknown) => (typeof value === "number" ? String(value) : value);
  return numeric.includes(values.kind) ? z.pipe(z.transform(toText), valid) : valid;
}

/** Section 4.8: "Operators `null` and `not_null` take the value `true`." */
const onlyTrue = () =>
  z.pipe(
    z.transform((value: unknown) => (value === true ? "true" : value)),
    z.custom<string>((value) => value === "true", "must be true"),
  );

/** Makes the schema of all values of one filter, as they go out. */
function filterSchema({ field, operator }: NamedFilter): z.ZodMiniType<readonly string[]> {
  const value = isNullCheck(operator) ? onlyTrue() : valueSchema(filterFields[field].values);
  const list = z.pipe(
    z.transform((value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])),
    z.array(value).check(z.refine((values) => values.length > 0, "needs a value")),
  );
  if (takesSeveral(operator)) return list;
  return z.pipe(
    z.custom((value) => !Array.isArray(value), "takes one value, not a list"),
    list,
  );
}

const schemas = new Map<NamedFilter, z.ZodMiniType<readonly string[]>>();

/** Makes a schema when it is first needed: there are 33, and most programs use none. */
function schemaOf(filter: NamedFilter): z.ZodMiniType<readonly string[]> {
  const schema = schemas.get(filter);
  if (schema) return schema;
  const newSchema = filterSchema(filter);
  schemas.set(filter, newSchema);
  return newSchema;
}

/** Reads filters by their names, in the order in which they come. */
export const filtersSchema = once(() =>
  z.pipe(
    z.custom<Readonly<Record<string, unknown>>>(
      isObject,
      'must be an object, for example { status_in: ["closed"] }',
    ),
    z.transform((input: Readonly<Record<string, unknown>>, { issues }): readonly Filter[] =>
      Object.entries(input).flatMap(([name, values]) => {
        const filter = filtersByName.get(name);
        if (filter === undefined) {
          const error = unknownNames("field", [name], [...filtersByName.keys()]);
          issues.push({ code: "custom", input, message: error });
          return [];
        }
        if (values === undefined) return [];
        const result = z.safeParse(schemaOf(filter), values);
        if (result.success) return { ...filter, values: result.data };
        for (const { message } of result.error.issues)
          issues.push({ code: "custom", input: values, path: [name], message });
        return [];
      }),
    ),
  ),
);
