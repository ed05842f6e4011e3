/** Finds the zone of a store's days and the form of its figures: flag, then the store's settings, then the machine. */
import { realpathSync } from "node:fs";

import { suggestion } from "../base/basics.js";
import { numberFromCents, type Cents } from "../api/money.js";
import type { Context } from "../cli/context.js";
import { ComandaError } from "../base/errors.js";
import { currentLanguage, plural, t } from "../languages/language.js";
import { parseDayStart, type Settings } from "../state/settings.js";
import type { Period, PeriodRequest } from "./period.js";

export interface Preferences {
  /**
   * An IANA name or an offset, as it was typed or set: it is checked when a period is made. Reading it throws a `ComandaError`
   * (`usage`) if none was set and this machine's is unknown.
   */
  readonly zone: string;
  /** The zone is this machine's, since nobody said which it is. */
  readonly zoneIsGuessed: boolean;
  /** The store's days start at this time, HH:MM; `undefined` stands for midnight. */
  readonly dayStarts: string | undefined;
  /** The code of ISO 4217. */
  readonly currency: string | null;
  /** The tag of BCP 47. */
  readonly locale: string;
}

/**
 * @param store is its alias; `undefined` for a store that comes from the environment variables
 * @param zone is the one that was typed
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
        hint:
          store === undefined
            ? t`Set TZ to a name such as America/Sao_Paulo. For figures, --tz <zone> sets it for one command.`
            : t`Set the store's time zone: comanda stores set ${store} --tz <zone>, such as America/Sao_Paulo. For figures, --tz <zone> sets it for one command.`,
      });
    },
    zoneIsGuessed: (zone ?? storeZone) === undefined,
    dayStarts: dayStarts === undefined ? undefined : parseDayStart(dayStarts),
    currency: currency === undefined ? null : parseCurrency(currency),
    // The engine's tables of languages take longer to open than a whole call takes, and only texts for people need them.
    get locale() {
      if (locale !== undefined) return parseLocale(locale);
      const language = currentLanguage();
      // All of Intl's services have one default locale, and this is the one that opens no table of all languages for it.
      return language === "en" ? new Intl.PluralRules().resolvedOptions().locale : language;
    },
  };
}

/** @param store is its alias; `undefined` for one that the environment variables name, or for none */
export async function readPreferences(context: Context, store: string | undefined): Promise<Preferences> {
  const { settings } = await context.state();
  return preferencesFor(context, await settings.read(), store);
}

export interface NumberFormat {
  readonly count: (value: number) => string;
  readonly amount: (value: number) => string;
  /** Always with the sign; a dash for null, where there was nothing to divide by. */
  readonly change: (percent: number | null) => string;
  /** The part of a whole lies between 0 and 1. */
  readonly share: (part: number | null) => string;
  /** Orders and their revenue: `2 orders, R$50.00`. */
  readonly sold: (orders: number, revenue: Cents) => string;
}

export const noNumber = "–";

const made = new Map<string, NumberFormat>();

/** Without a currency amounts are plain, with two decimals. */
export function numberFormat({ locale, currency }: Pick<Preferences, "locale" | "currency">): NumberFormat {
  const name = `${locale} ${currency ?? ""}`;
  const known = made.get(name);
  if (known) return known;
  const writer = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(locale, options);
    return (value: number) => withoutDirection(format.format(value));
  };
  const percent = { style: "percent", maximumFractionDigits: 1 } as const;
  // A currency without cents still shows those that an amount has.
  const money = {
    ...(currency !== null && ({ style: "currency", currency } as const)),
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  };
  const [amount, count] = [writer(money), writer({})];
  const [change, share] = [writer({ ...percent, signDisplay: "exceptZero" }), writer(percent)];
  const format: NumberFormat = {
    count,
    amount,
    change: (value) => (value === null ? noNumber : change(value / 100)),
    share: (value) => (value === null ? noNumber : share(value)),
    sold(orders, revenue) {
      const text = amount(numberFromCents(revenue));
      return plural(orders, { one: t`1 order, ${text}`, other: t`${count(orders)} orders, ${text}` });
    },
  };
  made.set(name, format);
  return format;
}

/** Some locales put marks of direction around a sign, which a terminal would show as escapes. */
export function withoutDirection(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/**
 * Reads a period in the days of a store.
 *
 * @throws {ComandaError} `invalid_input`
 */
export async function readPeriod(
  context: Context,
  request: PeriodRequest,
  store: string | undefined,
): Promise<Period> {
  const { resolvePeriod } = await import("./period.js");
  const days = await readPreferences(context, store);
  return resolvePeriod(request, { now: context.clock.now(), ...days });
}

/**
 * Returns the name of a time zone as it is stored.
 *
 * @throws {ComandaError} `invalid_input` if there is no such zone
 */
export async function resolveTimeZone(name: string): Promise<string> {
  const { resolveZone } = await import("./period.js");
  return resolveZone(name);
}

/**
 * Returns this machine's time zone, as an IANA name or a fixed offset such as `-03:00`; `undefined` if it can't be told exactly.
 * The system accepts more forms of `TZ` than Node can name. For some, Node uses another zone, and for a file, its winter time.
 */
export function machineZone({ env }: Pick<Context, "env">): string | undefined {
  const typed = env["TZ"]?.replace(/^:/, "");
  // A date names UTC by itself. For any other zone, Node opens its tables of languages, which takes 20 ms.
  const isUtc = /\((?:Coordinated Universal Time|Horário Universal Coordenado)\)$/.test(
    new Date(0).toString(),
  );
  if (typed === "" || typed === "UTC" || (typed === undefined && isUtc)) return "UTC";
  // POSIX (section 8.3) counts westward: `<-03>3` and `BRT3` are three hours behind UTC.
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
    return zone === "Etc/Unknown" ? undefined : zone;
  } catch {
    return undefined;
  }
}

/**
 * @returns the locale as BCP 47 spells it: `pt-br` is `pt-BR`
 * @throws {ComandaError} `invalid_input` for what is no language tag, or a language that is not known here
 */
export function parseLocale(text: string): string {
  // POSIX writes a locale in this way.
  const tag = text.replace(/\..*$/, "").replaceAll("_", "-");
  try {
    const [supported] = Intl.NumberFormat.supportedLocalesOf(tag);
    if (supported !== undefined) return supported;
  } catch {
    // The text hasn't even the form of a tag.
  }
  throw new ComandaError("invalid_input", t`There is no locale "${text}".`, {
    hint: t`Give a language, or a language and a country: pt-BR, en-GB, es.`,
  });
}

/**
 * @returns the code in capitals
 * @throws {ComandaError} `invalid_input` for what is no ISO 4217 code
 */
export function parseCurrency(text: string): string {
  const code = text.toUpperCase();
  const currencies = Intl.supportedValuesOf("currency");
  if (currencies.includes(code)) return code;
  const question = suggestion(code, currencies);
  throw new ComandaError("invalid_input", t`There is no currency "${text}".${question}`, {
    hint: t`Give an ISO 4217 code: BRL, EUR, USD.`,
  });
}
