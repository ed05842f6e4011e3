/** In which zone a store's days are counted, and how its figures are shown: flag, then store, then settings, then machine. */
import { parseCurrency, parseLocale } from "../../summary/present/number-format.js";
import type { Settings } from "../../state/settings.js";

import type { FiguresOptions } from "./options.js";

export interface Preferences {
  /** IANA name, as it was given: what resolves the period checks it. */
  readonly zone: string;
  /** The store's own, where it is known. */
  readonly storeZone: string | undefined;
  /** BCP 47. */
  readonly locale: string;
  /** ISO 4217. */
  readonly currency: string | undefined;
}

/**
 * @param store its alias; `undefined` for a store that comes from the environment variables
 * @throws {ComandaError} `invalid_input` for a flag's locale or currency that there isn't; one of the settings when it is used
 */
export function preferencesFor(
  { tz, locale, currency }: FiguresOptions,
  settings: Settings,
  store: string | undefined,
): Preferences {
  const own = store === undefined ? undefined : settings.stores?.[store];
  const given = {
    locale: locale === undefined ? undefined : parseLocale(locale),
    currency: currency === undefined ? undefined : parseCurrency(currency),
  };
  const storeZone = own?.time_zone ?? settings.time_zone;
  return {
    storeZone,
    zone: tz ?? storeZone ?? machineZone(),
    // The engine's tables of languages take longer to open than a whole call: only what is shown to people needs them.
    get locale() {
      const tag = own?.locale ?? settings.locale;
      return given.locale ?? (tag === undefined ? machineLocale() : parseLocale(tag));
    },
    get currency() {
      const code = own?.currency ?? settings.currency;
      return given.currency ?? (code === undefined ? undefined : parseCurrency(code));
    },
  };
}

function machineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function machineLocale(): string {
  return new Intl.NumberFormat().resolvedOptions().locale;
}
