/**
 * `--filter` has this grammar, over the fields and operators of section 4.8.
 *
 *     status=closed,delivered   status!=canceled   total>=50   created_at_time<15:00
 *     customer_origin=null      customer_origin!=null          status_in=closed
 */
import { suggestion } from "../api/basics.js";
import { t, translated } from "../languages/language.js";
import {
  type Filter,
  type FilterField,
  filterFields,
  type FilterOperator,
  filtersByName,
  type FilterValues,
  isFilterValue,
  isNullCheck,
  type NamedFilter,
  takesSeveral,
} from "../api/filters.js";
import { customerOriginLength } from "../api/values.js";
import { typedAmount, typedAmountForm } from "../api/money.js";
import type { Filters } from "../api/models.js";
import { ComandaError } from "../client/errors.js";

const grammar = /^\s*([^\s=!<>]*)\s*(!=|>=|<=|=|>|<)(.*)$/su;

/**
 * Reads every `--filter` of a command line. Filters of one field and operator become one with all their values, each
 * value once.
 *
 * @returns filters as a call takes them, by their names of section 4.8
 * @throws {ComandaError} `invalid_input` for a field, operator or closed value that section 4.8 doesn't have, with
 * the allowed ones and the nearest, or a value of the wrong form
 */
export function parseFilters(texts: readonly string[]): Filters {
  const merged = new Map<string, Filter>();
  for (const text of texts) {
    const filter = parseFilter(text);
    const name = `${filter.field}_${filter.operator}`;
    const before = merged.get(name)?.values ?? [];
    const values = [...new Set([...before, ...filter.values])];
    if (values.length > 1 && !takesSeveral(filter.operator)) {
      throw new ComandaError(
        "invalid_input",
        t`The filter ${name} takes one value, not ${values.join(t` and `)}.`,
      );
    }
    merged.set(name, { ...filter, values });
  }
  return Object.fromEntries(
    [...merged].map(([name, { operator, values }]) => [
      name,
      isNullCheck(operator) ? true : takesSeveral(operator) ? values : values[0],
    ]),
  );
}

function parseFilter(text: string): Filter {
  const [, fieldText, symbol, rest] = grammar.exec(text) ?? [];
  if (fieldText === undefined || symbol === undefined || rest === undefined) {
    throw new ComandaError("invalid_input", t`The filter "${text}" has no operator.`, {
      hint: t`Write a field, an operator and a value, for example 'status=closed' or 'total>=50'.`,
    });
  }
  const name = filterName(fieldText, symbol, rest.trim());
  return { ...name, values: valuesOf(name, rest, text) };
}

function valuesOf({ field, operator }: NamedFilter, rest: string, text: string): readonly string[] {
  const value = rest.trim();
  if (isNullCheck(operator)) {
    // The text is either `customer_origin=null` or the service's own `customer_origin_null=true`.
    if (value === "true" || value === "null") return ["true"];
    throw new ComandaError("invalid_input", t`The filter "${text}" takes the value true alone.`);
  }
  const { kind } = filterFields[field].values;
  // An origin may hold commas, and blanks at its ends, so it is taken as it is.
  if (kind === "text") return [checkFilterValue(field, rest)];
  const values = takesSeveral(operator) ? value.split(",").map((part) => part.trim()) : [value];
  return values.map((part) => checkFilterValue(field, part));
}

/** A symbol may stand for these operators; a field has at most one of them. */
const symbols: Readonly<Record<string, readonly FilterOperator[]>> = {
  "=": ["in", "eq"],
  "!=": ["not_in", "not_eq"],
  ">": ["gt"],
  "<": ["lt"],
  ">=": ["gteq"],
  "<=": ["lteq"],
};

/**
 * @param fieldText is a field, or the service's spelling of field and operator, also as `filters[status_in]`
 * @throws {ComandaError} `invalid_input` for a field or operator that section 4.8 doesn't have
 */
function filterName(fieldText: string, symbol: string, value: string): NamedFilter {
  const plain = /^filters\[(.*)\]$/u.exec(fieldText)?.[1] ?? fieldText;
  // The service has its own spelling, such as `status_in`.
  const filter = filtersByName().get(plain);
  if (filter) {
    if (symbol === "=") return filter;
    throw new ComandaError("invalid_input", t`${plain} names an operator already: "=" goes after it.`, {
      hint: t`Write ${plain}=VALUE, or ${filter.field} with one of ${operatorsOf(filter.field).join(" ")}`,
    });
  }
  if (!isField(plain)) {
    const fields = Object.keys(filterFields);
    const question = suggestion(plain, [...fields, ...filtersByName().keys()]);
    throw new ComandaError("invalid_input", t`There is no filter "${plain}".${question}`, {
      hint: t`The fields are ${fields.join(", ")}.`,
    });
  }
  const operator = operatorFor(plain, symbol, value);
  if (operator) return { field: plain, operator };
  throw new ComandaError("invalid_input", t`The filter ${plain} doesn't take ${symbol}.`, {
    hint: t`It takes ${operatorsOf(plain).join(" ")}`,
  });
}

export function operatorsOf(field: FilterField): readonly string[] {
  return Object.keys(symbols).filter((symbol) => operatorFor(field, symbol, "") !== undefined);
}

function operatorFor(field: FilterField, symbol: string, value: string): FilterOperator | undefined {
  const allowed: readonly FilterOperator[] = filterFields[field].operators;
  if (value === "null" && allowed.includes("null")) {
    if (symbol === "=") return "null";
    if (symbol === "!=") return "not_null";
  }
  return symbols[symbol]?.find((operator) => allowed.includes(operator));
}

function isField(name: string): name is FilterField {
  return Object.hasOwn(filterFields, name);
}

/**
 * Checks a value and gives it as it goes out: as it was typed, but for an amount's decimal comma, which becomes a
 * point.
 *
 * @throws {ComandaError} `invalid_input` where it isn't of the field's form, or not among its closed values
 */
function checkFilterValue(field: FilterField, value: string): string {
  const allowed: FilterValues = filterFields[field].values;
  const sent = allowed.kind === "amount" ? typedAmount(value) : value;
  if (sent !== undefined && isFilterValue(allowed, sent)) return sent;
  const question = allowed.kind === "closed" ? suggestion(value, allowed.values) : "";
  throw new ComandaError("invalid_input", t`The filter ${field} can't be "${value}".${question}`, {
    hint: expectedValues(allowed),
  });
}

function expectedValues(allowed: FilterValues): string {
  switch (allowed.kind) {
    case "closed":
    case "open":
      return t`It takes ${allowed.values.join(", ")}.`;
    case "id":
      return t`It takes a whole number of at least 1.`;
    case "opaque":
      return t`It takes an id.`;
    case "text":
      return t`It takes a text of at most ${customerOriginLength} characters.`;
    case "time":
      return t`It takes a time of day as HH:MM, for example 09:30.`;
    case "amount":
      return t`It takes ${translated(typedAmountForm)}, for example 49.90 or 49,90.`;
  }
}
