/** In which zone a store's days are counted, and how its figures are shown: flag, then store, then settings, then machine. */
import { resolveZone } from "../../reports/calendar.js";
import { parseCurrency, parseLocale } from "../../reports/number-format.js";
import type { Settings } from "../../state/settings.js";

import type { FiguresOptions } from "./options.js";

export interface Preferences {
  /** IANA name. */
  readonly zone: string;
  /** BCP 47. */
  readonly locale: string;
  /** ISO 4217. */
  readonly currency: string | undefined;
}

/**
 * @param store its alias; `undefined` for a store that comes from the environment variables
 * @throws {ComandaError} `invalid_input` for a zone, locale or currency that there isn't
 */
export function preferencesFor(
  { tz, locale, currency }: FiguresOptions,
  settings: Settings,
  store: string | undefined,
): Preferences {
  const own = store === undefined ? undefined : settings.stores?.[store];
  const zone = tz ?? own?.time_zone ?? settings.time_zone;
  const tag = locale ?? own?.locale ?? settings.locale;
  const code = currency ?? own?.currency ?? settings.currency;
  return {
    zone: zone === undefined ? new Intl.DateTimeFormat().resolvedOptions().timeZone : resolveZone(zone),
    locale: tag === undefined ? new Intl.NumberFormat().resolvedOptions().locale : parseLocale(tag),
    currency: code === undefined ? undefined : parseCurrency(code),
  };
}
