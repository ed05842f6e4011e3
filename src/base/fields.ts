/** Names inputs in sentences. All modules of a process share one spelling, like the language, which only a front end sets. */
import { t } from "../languages/language.js";
import { ComandaError, type ErrorOptions } from "./errors.js";

let spelling: (field: string) => string = String;

/** Returns a field as the user types it: the command line names `date_field` as `--date-field`. */
export const fieldName = (field: string): string => spelling(field);

export function spellFields(spell: (field: string) => string): void {
  spelling = spell;
}

/**
 * Creates the error for a value that an input doesn't accept.
 *
 * @param question a suggestion, which follows the sentence
 */
export function invalidValue(field: string, value: string, options: ErrorOptions, question = "") {
  const message = t`Invalid value "${value}" for ${fieldName(field)}.` + question;
  return new ComandaError("invalid_input", message, { field, ...options });
}

/** Creates the error for an input that accepts one value and has several. */
export function repeated(code: "usage" | "invalid_input", name: string): ComandaError {
  return new ComandaError(code, t`"${name}" is repeated.`, { hint: t`Remove one of them.` });
}

/** Creates the error for two inputs, as the user typed them, that exclude each other. */
export function contradiction(one: string, other: string, code: "usage" | "invalid_input" = "usage") {
  return new ComandaError(code, t`${one} can't be used with ${other}.`, { hint: t`Remove one of them.` });
}
