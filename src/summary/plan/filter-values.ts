/** The values of filters, checked by what section 4.8 says of their field. */
import { type FilterField, filterFields, type FilterValues, isFilterValue } from "../../contract/filters.js";
import { customerOriginLength } from "../../contract/limits.js";
import { typedAmount, typedAmountForm } from "../../contract/money.js";
import { ComandaError } from "../../errors/index.js";
import { suggestion } from "../../basics/nearest.js";

/**
 * The value as it goes out: what was typed, but for an amount's decimal comma, which becomes a point.
 *
 * @throws {ComandaError} `invalid_input` where it isn't of the field's form, or not among its closed values
 */
export function checkFilterValue(field: FilterField, value: string): string {
  const allowed: FilterValues = filterFields[field].values;
  const sent = allowed.kind === "amount" ? typedAmount(value) : value;
  if (sent !== undefined && isFilterValue(allowed, sent)) return sent;
  if (value === "") throw refusal(`The filter ${field} has an empty value.`, expected(allowed));
  const meant = allowed.kind === "closed" ? suggestion(value, allowed.values) : "";
  throw refusal(`The filter ${field} can't be "${value}".${meant}`, expected(allowed));
}

function expected(allowed: FilterValues): string {
  switch (allowed.kind) {
    case "closed":
      return `It takes ${allowed.values.join(", ")}.`;
    case "open":
      return `Known values are ${allowed.values.join(", ")}; others are passed on.`;
    case "id":
      return "It takes a whole number of at least 1.";
    case "opaque":
      return "It takes an id.";
    case "text":
      return `It takes a text of at most ${customerOriginLength} characters.`;
    case "time":
      return "It takes a time of day as HH:MM, for example 09:30.";
    case "amount":
      return `It takes ${typedAmountForm}, for example 49.90 or 49,90.`;
  }
}

function refusal(message: string, hint: string): ComandaError {
  return new ComandaError("invalid_input", message, { hint });
}
