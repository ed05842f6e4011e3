/** From what stands before a filter's value to a field and operator of section 4.8. */
import {
  type FilterField,
  filterFields,
  type FilterOperator,
  filtersByName,
  type NamedFilter,
} from "../../contract/filters.js";
import { ComandaError } from "../../errors/index.js";
import { suggestion } from "../../basics/nearest.js";

/** What a symbol may stand for; a field has at most one of them. */
const symbols: Readonly<Record<string, readonly FilterOperator[]>> = {
  "=": ["in", "eq"],
  "!=": ["not_in", "not_eq"],
  ">": ["gt"],
  "<": ["lt"],
  ">=": ["gteq"],
  "<=": ["lteq"],
};

/**
 * @param written a field, or the service's spelling of field and operator, also as `filters[status_in]`
 * @throws {ComandaError} `invalid_input` for a field or operator that section 4.8 doesn't have
 */
export function filterName(written: string, symbol: string, value: string): NamedFilter {
  const plain = /^filters\[(.*)\]$/u.exec(written)?.[1] ?? written;
  // The service's own spelling, such as `status_in`.
  const own = filtersByName.get(plain);
  if (own) {
    if (symbol === "=") return own;
    throw new ComandaError("invalid_input", `${plain} names an operator already: "=" goes after it.`, {
      hint: `Write ${plain}=VALUE, or ${own.field} with one of ${operatorsOf(own.field).join(" ")}`,
    });
  }
  if (!isField(plain)) throw unknownField(plain);
  const operator = operatorFor(plain, symbol, value);
  if (operator) return { field: plain, operator };
  throw new ComandaError("invalid_input", `The filter ${plain} doesn't take ${symbol}.`, {
    hint: `It takes ${operatorsOf(plain).join(" ")}`,
  });
}

/** The symbols that a field takes, in the order of the grammar. */
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

function unknownField(name: string): ComandaError {
  const fields = Object.keys(filterFields);
  const meant = suggestion(name, [...fields, ...filtersByName.keys()]);
  return new ComandaError("invalid_input", `There is no filter "${name}".${meant}`, {
    hint: `The fields are ${fields.join(", ")}.`,
  });
}
