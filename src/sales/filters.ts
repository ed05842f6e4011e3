/**
 * Reads filters, with the fields and operators of section 4.8.
 *
 *     status=closed,delivered   status!=canceled   total>=50   created_at_time<15:00
 *     customer_origin=null      customer_origin!=null          status_in=closed
 */
import { alternatives, suggestion } from "../base/basics.js";
import {
  fieldNames,
  filterFields,
  filtersByName,
  isNullCheck,
  readFilters,
  takesSeveral,
  type FilterField,
  type FilterOperator,
  type FilterValues,
  type NamedFilter,
} from "../api/filters.js";
import type { Filters } from "../api/models.js";
import { typedAmount } from "../api/money.js";
import { ComandaError } from "../base/errors.js";
import { fieldName, invalidValue } from "../base/fields.js";
import type { Kinds } from "../base/hint-facts.js";
import { t, translated } from "../languages/language.js";

const grammar = /^\s*([^\s=!<>]*)\s*(!=|>=|<=|=|>|<)(.*)$/su;

/**
 * Reads all filters of a request. Filters with the same field and operator become one, with each value once. Values are
 * sent as typed, without an amount's leading zeros.
 *
 * @returns filters by their names in section 4.8
 * @throws {ComandaError} `invalid_input` for an unknown field, operator or value, with the allowed ones
 */
export function parseFilters(texts: readonly string[]): Filters {
  const filters: Record<string, true | string | readonly string[]> = {};
  const typedTexts = new Map<string, string>();
  for (const text of texts) {
    const [, typed, symbol = "", rest = ""] = grammar.exec(text) ?? [];
    if (typed === undefined) {
      const hint = t`Use a field, an operator and a value, such as 'status=closed' or 'total>=50'.`;
      throw invalidValue("filter", text, { hint });
    }
    const value = rest.trim();
    const { field, operator } = filterNamed(typed, symbol, value);
    const name = `${field}_${operator}`;
    typedTexts.set(name, `${typedTexts.get(name) ?? ""} ${text}`.trim());
    if (isNullCheck(operator)) {
      // The text is either `customer_origin=null` or the service's own `customer_origin_null=true`.
      filters[name] = value === "null" || value === "true" ? true : value;
      continue;
    }
    const allowed: FilterValues = filterFields[field].values;
    const { kind } = allowed;
    let parts = takesSeveral(operator) ? value.split(",").map((part) => part.trim()) : [value];
    if (allowed.kind === "closed") {
      const unknown = parts.find((part) => !allowed.values.includes(part));
      if (unknown !== undefined)
        throw new ComandaError(
          "invalid_input",
          t`Invalid value "${unknown}" for ${typed}.` + suggestion(unknown, allowed.values),
          { hint: t`Use ${alternatives(allowed.values)}.` },
        );
    }
    // An origin may contain commas, and start or end with blanks.
    if (kind === "text") parts = [rest];
    // The comma may separate two amounts or the cents.
    if (kind === "amount" && value.includes(","))
      throw new ComandaError("invalid_input", t`Invalid value "${value}" for ${typed}.`, {
        hint: t`Use one amount with a decimal point: ${`'${typed}${symbol}${typedAmount(value) ?? "50.60"}'`}.`,
      });
    if (kind === "amount") parts = parts.map((part) => typedAmount(part) ?? part);
    const before = [filters[name] ?? []].flat();
    const values = [...new Set([...before, ...parts])].map(String);
    filters[name] = takesSeveral(operator) || values.length > 1 ? values : (values[0] ?? "");
  }
  readFilters(filters, (message, [name = ""]) => {
    const sentence = translated(message);
    const reason = /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
    const filter = filtersByName().get(name);
    // Only the service's own name, such as `customer_origin_null`, is typed with another value than true.
    const field = !filter || isNullCheck(filter.operator) ? name : filter.field;
    const typed = typedTexts.get(name) ?? name;
    throw new ComandaError("invalid_input", `${fieldName("filter")} "${typed}": ${field} ${reason}`);
  });
  return filters;
}

/** The value of a filter may mean something else than the user thinks. */
export type FilterNotice = Kinds<{
  /** A comma is part of it. */
  readonly comma_in_origin: { readonly value: string };
  /** It is sent, although it isn't one of the listed ones. */
  readonly unlisted_channel: { readonly value: string; readonly listed: readonly string[] };
}>;

/** Returns a notice for each value that may not mean what the user expects. */
export function filterNotices(filters: Filters): readonly FilterNotice[] {
  const listed: readonly string[] = filterFields.sales_channel.values.values;
  return Object.entries(filters).flatMap(([name, sent]): readonly FilterNotice[] => {
    const field = filtersByName().get(name)?.field;
    const values = [sent].flat().map(String);
    if (field === "customer_origin")
      return values
        .filter((value) => value.includes(","))
        .map((value) => ({ about: "comma_in_origin", value }));
    if (field !== "sales_channel") return [];
    return values
      .filter((value) => !listed.includes(value))
      .map((value) => ({ about: "unlisted_channel", value, listed }));
  });
}

/** The operators that each symbol can mean. A field has at most one of them. */
const symbols: Readonly<Record<string, readonly FilterOperator[]>> = {
  "=": ["in", "eq"],
  "!=": ["not_in", "not_eq"],
  ">": ["gt"],
  "<": ["lt"],
  ">=": ["gteq"],
  "<=": ["lteq"],
};

/**
 * @param typed a field, or the API's name for a field and operator, such as `status_in`
 * @throws {ComandaError} `invalid_input` for an unknown field or operator
 */
function filterNamed(typed: string, symbol: string, value: string): NamedFilter {
  const named = filtersByName().get(typed);
  if (named && symbol === "=") return named;
  const fields = fieldNames();
  const field = named?.field ?? fields.find((name) => name === typed);
  if (field === undefined) {
    const question = suggestion(typed, [...fields, ...filtersByName().keys()]);
    const whole = `${fieldName("filter")} '${typed}${symbol}${value}'`;
    throw new ComandaError("invalid_input", t`Unknown field "${typed}" in ${whole}.` + question, {
      field: "filter",
      hint: t`Use ${alternatives(fields)}.`,
    });
  }
  const operator = named ? undefined : operatorFor(field, symbol, value);
  if (operator) return { field, operator };
  const operators = named ? ["="] : operatorsOf(field);
  const hint = t`Use ${alternatives(operators.map((other) => `${typed}${other}`))}.`;
  throw invalidValue("filter", typed + symbol, { hint });
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
