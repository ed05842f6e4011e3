/** The number formats of one store, and of a total over several. */
import { createNumberFormat, type NumberFormat } from "../../summary/present/number-format.js";
import type { StoreResult } from "../../summary/merge/stores.js";
import type { Output } from "../../terminal/index.js";

import type { Gathered } from "./gather.js";
import type { Preferences } from "./preferences.js";

export function formatFor({ locale, currency }: Preferences): NumberFormat {
  return createNumberFormat({ locale, currency });
}

/** Where stores count in different currencies their total has none, and a warning says so. */
export function totalFormat(
  output: Output,
  results: readonly StoreResult<Gathered<unknown>>[],
): NumberFormat | undefined {
  const preferences = results.flatMap((one) => ("error" in one ? [] : [one.figures.preferences]));
  const [first] = preferences;
  if (!first) return undefined;
  const currencies = new Set(preferences.map(({ currency }) => currency));
  if (currencies.size > 1) {
    output.warn("The stores count in different currencies: their total only adds up the numbers.");
  }
  return createNumberFormat({
    locale: first.locale,
    currency: currencies.size === 1 ? first.currency : undefined,
  });
}
