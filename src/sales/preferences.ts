/** Finds a store's time zone, currency and locale: first from the option, then from the store's settings, then from this machine. */
import { realpathSync } from "node:fs";

import { suggestion } from "../base/basics.js";
import { numberFromCents, type Cents } from "../api/money.js";
import type { Context } from "../cli/context.js";
import { ComandaError } from "../base/errors.js";
import { currentLanguage, plural, t, translated } from "../languages/language.js";
import { parseDayStart, type Settings } from "../state/settings.js";

export interface Preferences {
  /**
   * An IANA name or an offset, as typed or set, and not yet checked. Reading it throws a `ComandaError` (`usage`) if none was set
   * and this machine's is unknown.
   */
  readonly zone: string;
  /** Whether the zone is this machine's, because none was typed or set. */
  readonly zoneIsGuessed: boolean;
  /** The time, HH:MM, at which the store's days start; `undefined` for midnight. */
  readonly dayStarts: string | undefined;
  /** An ISO 4217 code. */
  readonly currency: string | null;
  /** A BCP 47 tag. */
  readonly locale: string;
}

/**
 * @param store the alias; `undefined` for a store from environment variables
 * @param zone the value of `--tz`
 */
export function preferencesFor(
  context: Pick<Context, "env">,
  settings: Settings,
  store: string | undefined,
  zone?: string,
): Preferences {
  const own = store === undefined ? {} : (settings.stores?.[store] ?? {});
  const { time_zone: storeZone, day_starts: dayStarts, currency, locale } = own;
  return {
    get zone() {
      const known = zone ?? storeZone ?? machineZone(context);
      if (known !== undefined) return known;
      const value = context.env["TZ"] ?? t`not set`;
      throw new ComandaError("usage", t`The time zone of this machine is unknown (TZ: ${value}).`, {
        hint: howToSetZone(store),
      });
    },
    zoneIsGuessed: (zone ?? storeZone) === undefined,
    dayStarts: dayStarts === undefined ? undefined : parseDayStart(dayStarts),
    currency: currency === undefined ? null : parseCurrency(currency),
    // Only texts for people need the locale, and loading the engine's locale data takes longer than a whole call.
    get locale() {
      if (locale !== undefined) return parseLocale(locale);
      const language = currentLanguage();
      // Every Intl class has the same default locale. PluralRules finds it without loading all locale data.
      return language === "en" ? new Intl.PluralRules().resolvedOptions().locale : language;
    },
  };
}

/** @param store the alias; `undefined` for a store from environment variables */
export function howToSetZone(store: string | undefined): string {
  const zone = translated("<zone>");
  const command = store === undefined ? `TZ=${zone}` : `comanda stores set ${store} --tz ${zone}`;
  return t`To set a time zone such as America/Sao_Paulo: ${command}`;
}

/** @param store the alias; `undefined` for a store from environment variables, or for none */
export async function readPreferences(context: Context, store: string | undefined): Promise<Preferences> {
  const { settings } = await context.state();
  return preferencesFor(context, await settings.read(), store);
}

export interface NumberFormat {
  readonly count: (value: number) => string;
  readonly amount: (value: number) => string;
  /** Always has a sign; null, after a division by zero, is a dash. */
  readonly change: (percent: number | null) => string;
  /** Expects a number from 0 to 1. */
  readonly share: (part: number | null) => string;
  /** Returns orders and their revenue: `2 orders, R$50.00`. */
  readonly sold: (orders: number, revenue: Cents) => string;
}

export const noNumber = "–";

const formats = new Map<string, NumberFormat>();

/** Without a currency, amounts are plain numbers with two decimals. */
export function numberFormat({ locale, currency }: Pick<Preferences, "locale" | "currency">): NumberFormat {
  const name = `${locale} ${currency ?? ""}`;
  const existing = formats.get(name);
  if (existing) return existing;
  const percent = { style: "percent", maximumFractionDigits: 1 } as const;
  // The service's amounts have cents in every currency.
  const money = new Intl.NumberFormat(locale, {
    ...(currency !== null && ({ style: "currency", currency } as const)),
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const whole = new Intl.NumberFormat(locale);
  const share = new Intl.NumberFormat(locale, percent);
  const change = new Intl.NumberFormat(locale, { ...percent, signDisplay: "exceptZero" });
  const count = (value: number) => withoutDirection(whole.format(value));
  const amount = (value: number) => withoutDirection(money.format(value));
  const format: NumberFormat = {
    count,
    amount,
    change: (value) => (value === null ? noNumber : withoutDirection(change.format(value / 100))),
    share: (value) => (value === null ? noNumber : withoutDirection(share.format(value))),
    sold(orders, revenue) {
      const text = amount(numberFromCents(revenue));
      return plural(orders, { one: t`1 order, ${text}`, other: t`${count(orders)} orders, ${text}` });
    },
  };
  formats.set(name, format);
  return format;
}

/** Removes the direction marks that some locales put around a sign, and that a terminal would show as escapes. */
export function withoutDirection(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/**
 * Returns this machine's time zone, as an IANA name or a fixed offset such as `-03:00`, or `undefined` if it isn't certain. The
 * system accepts more forms of `TZ` than Node can name: for some, Node uses a different zone, and for a file, its winter time.
 */
export function machineZone({ env }: Pick<Context, "env">): string | undefined {
  const typed = env["TZ"]?.replace(/^:/, "");
  // A date's text contains UTC's name. For other zones, Node loads its locale data, which takes 20 ms.
  const isUtc = /\((?:Coordinated Universal Time|Horário Universal Coordenado)\)$/.test(
    new Date(0).toString(),
  );
  if (typed === "" || typed === "UTC" || (typed === undefined && isUtc)) return "UTC";
  // POSIX offsets (section 8.3) are positive in the west: `<-03>3` and `BRT3` mean -03:00.
  const fixed = /^(?:[A-Za-z]{3,}|<[A-Za-z\d+-]{3,}>)([+-]?)(\d{1,2})(?::(\d\d))?$/.exec(typed ?? "");
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
  throw new ComandaError("invalid_input", t`Invalid value "${text}" for ${"--locale"}.`, {
    hint: t`For example: ${"pt-BR, en-GB, es"}`,
  });
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
  throw new ComandaError("invalid_input", t`Invalid value "${text}" for ${"--currency"}.` + question, {
    hint: t`For example: ${"BRL, EUR, USD"}`,
  });
}
