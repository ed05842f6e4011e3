/**
 * Some texts have a form with a name in JSON Schema. Our own expressions check them: the checks that zod has would be
 * a tenth of what a program loads that uses the client.
 */
import * as z from "zod/mini";

import { once } from "../shared/once.js";

const date =
  /(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))/
    .source;
const wholeDate = new RegExp(`^${date}$`);
const wholeDateTime = new RegExp(
  `^${date}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$`,
);

/** Checks for a day that exists, YYYY-MM-DD. */
export function isDate(text: string): boolean {
  return wholeDate.test(text);
}

/** Checks for ISO 8601 with an offset; seconds may be left out. */
export function isDateTime(text: string): boolean {
  return wholeDateTime.test(text);
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
