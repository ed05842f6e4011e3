/**
 * Some texts have a form with a name in JSON Schema. Our own expressions check them: the checks that zod has would be
 * a tenth of what a program loads that uses the client.
 */
import * as z from "zod/mini";

import { once } from "./once.js";

const dateTime =
  /^(.{10})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Checks for a day that exists, YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  // The 30th of February would be read as a day of March, and the 32nd as none.
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Checks for ISO 8601 with an offset; seconds may be left out. */
export function isDateTime(text: string): boolean {
  const [, date] = dateTime.exec(text) ?? [];
  return date !== undefined && isDate(date);
}

export const dateTimeSchema = once(() => schemaOf(isDateTime, { format: "date-time" }));
export const uriSchema = once(() => schemaOf((text) => URL.canParse(text), { format: "uri" }));
/** The specification shows no least length. */
export const digitsSchema = once(() =>
  schemaOf((text) => /^\d*$/.test(text), { pattern: "^\\d*$" }, "must be digits only"),
);

function schemaOf(
  isValid: (text: string) => boolean,
  form: { readonly format: string } | { readonly pattern: string },
  message?: string,
) {
  const schema = z.string().check(z.refine(isValid, message));
  z.globalRegistry.add(schema, form);
  return schema;
}
