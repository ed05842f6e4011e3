/** Finds a store's time zone, currency and locale: first from the option, then from the store's settings, then from this machine. */
import { realpathSync } from "node:fs";

import { suggestion } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import { invalidValue } from "../base/fields.js";
import type { StoreSetting } from "../base/hint-facts.js";
import { currentLanguage, t } from "../languages/language.js";
import { parseDayStart, type Settings } from "../state/settings.js";
import type { Workspace } from "./workspace.js";

/** Reading a value throws a `ComandaError` (`configuration`) if the store's setting isn't valid. */
export interface Preferences {
  /**
   * Returns an IANA name or an offset. Rejects with a `ComandaError`: `invalid_input` if the typed one isn't valid, `usage` if none was
   * set and this machine's is unknown, `configuration` if the setting isn't valid. All but the machine's zone load Temporal.
   */
  readonly zone: () => Promise<string>;
  /** Whether the zone is this machine's, because none was typed or set. */
  readonly zoneIsGuessed: boolean;
  /** The time, HH:MM, at which the store's days start; `undefined` for midnight. */
  readonly dayStarts: string | undefined;
  /** An ISO 4217 code; null if none is set. */
  readonly currency: string | null;
  /** A BCP 47 tag. */
  readonly locale: string;
}

/**
 * @param store the alias; `undefined` for a store from environment variables
 * @param zone the zone that the user typed
 */
export function preferencesFor(
  machine: Pick<Workspace, "env">,
  settings: Settings,
  store: string | undefined,
  zone?: string,
): Preferences {
  const own = store === undefined ? {} : (settings.stores?.[store] ?? {});
  /** Parses a value of the store's settings, which people may edit as a file. */
  function setting<Value>(name: StoreSetting, parse: (text: string) => Value): Value | undefined {
    const text = own[name];
    if (store === undefined || text === undefined) return undefined;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      const message = t`Settings of ${store}: ${name} "${text}" isn't valid.`;
      const hintFacts = { about: "store_setting", store, name } as const;
      throw new ComandaError("configuration", message, { hint: error.hint, hintFacts, cause: error });
    }
  }
  return {
    async zone() {
      if (zone !== undefined || own.time_zone !== undefined) {
        const { resolveZone } = await import("../sales/period.js");
        const named = zone === undefined ? setting("time_zone", resolveZone) : resolveZone(zone);
        if (named !== undefined) return named;
      }
      const known = machineZone(machine);
      if (known !== undefined) return known;
      const value = machine.env["TZ"] ?? t`not set`;
      throw new ComandaError("usage", t`The time zone of this machine is unknown (TZ: ${value}).`, {
        hintFacts: { about: "time_zone", store },
      });
    },
    zoneIsGuessed: (zone ?? own.time_zone) === undefined,
    get dayStarts() {
      return setting("day_starts", parseDayStart);
    },
    get currency() {
      return setting("currency", parseCurrency) ?? null;
    },
    // Only output for people requires the locale, and loading the engine's locale data takes longer than a whole call.
    get locale() {
      const locale = setting("locale", parseLocale);
      if (locale !== undefined) return locale;
      const language = currentLanguage();
      // Every Intl class has the same default locale. PluralRules finds it without loading all locale data.
      return language === "en" ? new Intl.PluralRules().resolvedOptions().locale : language;
    },
  };
}

/** @param store the alias; `undefined` for a store from environment variables, or for none */
export async function readPreferences(
  machine: Pick<Workspace, "env" | "state">,
  store: string | undefined,
): Promise<Preferences> {
  const { settings } = await machine.state();
  return preferencesFor(machine, await settings.read(), store);
}

/**
 * Returns this machine's time zone, as an IANA name or a fixed offset such as `-03:00`, or `undefined` if it isn't certain. The
 * system accepts more forms of `TZ` than Node can name: for some, Node uses a different zone, and for a file, its winter time.
 */
export function machineZone({ env }: Pick<Workspace, "env">): string | undefined {
  const typed = env["TZ"]?.replace(/^:/, "");
  // A date's text contains UTC's name. For other zones, Node loads its locale data, which takes 20 ms.
  const isUtc = /\((?:Coordinated Universal Time|Horário Universal Coordenado)\)$/.test(
    new Date(0).toString(),
  );
  if (typed === "" || typed === "UTC" || (typed === undefined && isUtc)) return "UTC";
  // POSIX offsets (section 8.3) are positive in the west: `<-03>3` and `BRT3` mean -03:00.
  const fixed = /^(?:[A-Za-z]{3,}|<[A-Za-z\d+-]{3,}>)([+-]?)([01]?\d|2[0-3])(?::([0-5]\d))?$/.exec(
    typed ?? "",
  );
  if (fixed) {
    const [, sign, hours = "", minutes = "00"] = fixed;
    if (Number(hours + minutes) === 0) return "UTC";
    return `${sign === "-" ? "+" : "-"}${hours.padStart(2, "0")}:${minutes}`;
  }
  try {
    const file = typed?.startsWith("/") ? realpathSync(typed).replace(/^.*\/zoneinfo\//, "") : typed;
    const timeZone = file?.replace(/^(?:posix|right)\//, "");
    const { timeZone: zone } = new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions();
    // From Node 22.23, the engine names the zone of a machine in GMT +00:00, and every equal one UTC.
    if (zone === "+00:00") return "UTC";
    return zone === "Etc/Unknown" ? undefined : zone;
  } catch {
    return undefined;
  }
}

/**
 * @returns the canonical BCP 47 tag: `pt-BR` for `pt-br`
 * @throws {ComandaError} `invalid_input` for an invalid tag or an unknown language
 */
export function parseLocale(text: string): string {
  // A POSIX locale such as pt_BR.UTF-8 is accepted too.
  const tag = text.replace(/\..*$/, "").replaceAll("_", "-");
  try {
    const [supported] = Intl.NumberFormat.supportedLocalesOf(tag);
    if (supported !== undefined) return supported;
  } catch {
    // The text isn't a tag at all.
  }
  throw invalidValue("locale", text, { hint: t`For example: ${"pt-BR, en-GB, es"}` });
}

/**
 * @returns the code in capitals
 * @throws {ComandaError} `invalid_input` for an unknown code
 */
export function parseCurrency(text: string): string {
  const code = text.toUpperCase();
  const currencies = Intl.supportedValuesOf("currency");
  if (currencies.includes(code)) return code;
  const question = suggestion(code, currencies);
  throw invalidValue("currency", text, { hint: t`For example: ${"BRL, EUR, USD"}` }, question);
}
