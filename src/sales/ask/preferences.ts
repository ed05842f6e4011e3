/** Finds the zone of a store's days and the form of its figures: flag, then store, then settings, then machine. */
import type { Settings } from "../../state/settings/settings.js";
import { parseCurrency, parseLocale } from "../present/number-format.js";
import { parseDayStart } from "../../state/settings/store-settings.js";
import { machineZone } from "../period/calendar.js";
import type { Display } from "../results.js";
import { currentLanguage } from "../../shared/language.js";

/** What somebody said of it; what is missing, somebody else decides. */
export interface Presentation {
  /** IANA name, as it was given: what resolves the period checks it. */
  readonly time_zone?: string | undefined;
  /** HH:MM; `00:00` goes before what the settings say, too. */
  readonly day_starts?: string | undefined;
  /** BCP 47. */
  readonly locale?: string | undefined;
  /** ISO 4217. */
  readonly currency?: string | undefined;
}

export interface Preferences {
  /** IANA name. */
  readonly zone: string;
  /** The store's own, where it is known. */
  readonly storeZone: string | undefined;
  /** Did nobody say which zone it is, so that it is this machine's? */
  readonly zoneIsGuessed: boolean;
  /** When its days start, HH:MM; `undefined` for midnight. */
  readonly dayStarts: string | undefined;
  readonly display: Display;
}

/**
 * @param flags checked already; what the settings say is checked when it is used
 * @param store its alias; `undefined` for a store that comes from the environment variables
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
      // The engine's tables of languages take longer to open than a whole call: only what people read needs them.
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
  return language === "en" ? new Intl.NumberFormat().resolvedOptions().locale : language;
}
