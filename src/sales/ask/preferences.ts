/** Finds the zone of a store's days and the form of its figures: flag, then store, then settings, then machine. */
import type { Settings } from "../../state/settings/settings.js";
import { parseCurrency, parseLocale } from "../present/number-format.js";
import { parseDayStart } from "../../state/settings/store-settings.js";
import { machineZone } from "../period/calendar.js";
import type { Display } from "../results.js";
import { currentLanguage } from "../../shared/language.js";

/** Flags, a store's settings or the common settings may say each of these; a missing one is looked up in the next. */
export interface Presentation {
  /** The IANA name is as it was typed; it is checked when the period is resolved. */
  readonly time_zone?: string | undefined;
  /** The time is HH:MM; even `00:00` overrides the settings. */
  readonly day_starts?: string | undefined;
  /** The tag is one of BCP 47. */
  readonly locale?: string | undefined;
  /** The code is one of ISO 4217. */
  readonly currency?: string | undefined;
}

export interface Preferences {
  /** The zone is an IANA name. */
  readonly zone: string;
  /** The store's own zone, where the settings have it. */
  readonly storeZone: string | undefined;
  /** The zone is this machine's, since nobody said which it is. */
  readonly zoneIsGuessed: boolean;
  /** The store's days start at this time, HH:MM; `undefined` stands for midnight. */
  readonly dayStarts: string | undefined;
  readonly display: Display;
}

/**
 * @param flags are checked already; the settings are checked when they are used
 * @param store is its alias; `undefined` for a store that comes from the environment variables
 */
export function preferencesFor(
  flags: Presentation,
  settings: Settings,
  store: string | undefined,
): Preferences {
  const storeSettings: Presentation | undefined = store === undefined ? undefined : settings.stores?.[store];
  const storeZone = storeSettings?.time_zone ?? settings.time_zone;
  const dayStarts = flags.day_starts ?? storeSettings?.day_starts ?? settings.day_starts;
  return {
    storeZone,
    zoneIsGuessed: flags.time_zone === undefined && storeZone === undefined,
    zone: flags.time_zone ?? storeZone ?? machineZone(),
    dayStarts: dayStarts === undefined ? undefined : parseDayStart(dayStarts),
    display: {
      // The engine's tables of languages take longer to open than a whole call takes, and only texts for people need
      // them.
      get locale() {
        const tag = storeSettings?.locale ?? settings.locale;
        return flags.locale ?? (tag === undefined ? machineLocale() : parseLocale(tag));
      },
      get currency() {
        const code = storeSettings?.currency ?? settings.currency;
        return flags.currency ?? (code === undefined ? undefined : parseCurrency(code));
      },
    },
  };
}

function machineLocale(): string {
  const language = currentLanguage();
  // All of Intl's services have one default locale, and this is the one that opens no table of all languages for it.
  return language === "en" ? new Intl.PluralRules().resolvedOptions().locale : language;
}
