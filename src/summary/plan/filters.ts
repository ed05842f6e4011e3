/**
 * The grammar of `--filter` (DESIGN.md, section 3), over the fields and operators of section 4.8.
 *
 *     status=closed,delivered   status!=canceled   total>=50   created_at_time<15:00
 *     customer_origin=null      customer_origin!=null          status_in=closed
 */
import {
  type Filter,
  type FilterField,
  filterFields,
  type NamedFilter,
  takesSeveral,
} from "../../contract/filters.js";
import { ComandaError } from "../../errors/index.js";
import { checkFilterValue } from "./filter-values.js";
import { filterName, operatorsOf } from "./filter-names.js";

const grammar = /^\s*([^\s=!<>]*)\s*(!=|>=|<=|=|>|<)(.*)$/su;

/**
 * Reads every `--filter` of a command line. Filters of one field and operator become one with all their
 * values, each value once.
 *
 * @throws {ComandaError} `invalid_input` for a field, operator or closed value that section 4.8 doesn't have,
 *   with the allowed ones and the nearest, or a value of the wrong form
 */
export function parseFilters(texts: readonly string[]): readonly Filter[] {
  const merged = new Map<string, Filter>();
  for (const text of texts) {
    const filter = parseFilter(text);
    const name = `${filter.field}_${filter.operator}`;
    const before = merged.get(name)?.values ?? [];
    const values = [...new Set([...before, ...filter.values])];
    if (values.length > 1 && !takesSeveral(filter.operator)) {
      throw new ComandaError(
        "invalid_input",
        `The filter ${name} takes one value, not ${values.join(" and ")}.`,
      );
    }
    merged.set(name, { ...filter, values });
  }
  return [...merged.values()];
}

function parseFilter(text: string): Filter {
  const [, written, symbol, rest] = grammar.exec(text) ?? [];
  if (written === undefined || symbol === undefined || rest === undefined) {
    throw new ComandaError("invalid_input", `The filter "${text}" has no operator.`, {
      hint: "Write a field, an operator and a value, for example 'status=closed' or 'total>=50'.",
    });
  }
  const name = filterName(written, symbol, rest.trim());
  return { ...name, values: valuesOf(name, rest, text) };
}

function valuesOf({ field, operator }: NamedFilter, rest: string, text: string): readonly string[] {
  const value = rest.trim();
  if (operator === "null" || operator === "not_null") {
    // Either `customer_origin=null` or the service's own `customer_origin_null=true`.
    if (value === "true" || value === "null") return ["true"];
    throw new ComandaError("invalid_input", `The filter "${text}" takes the value true alone.`);
  }
  const { kind } = filterFields[field].values;
  // An origin may hold commas, and blanks at its ends: it is taken as it is.
  if (kind === "text") return [checkFilterValue(field, rest)];
  const values = takesSeveral(operator) ? value.split(",").map((one) => one.trim()) : [value];
  return values.map((one) => checkFilterValue(field, one));
}

/** For a help text: each field with the operators that it takes. */
export function filterHelp(): string {
  return Object.keys(filterFields)
    .filter((name): name is FilterField => Object.hasOwn(filterFields, name))
    .map((field) => `${field} (${operatorsOf(field).join(" ")})`)
    .join(", ");
}
