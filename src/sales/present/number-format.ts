/** Writes counts, amounts and percentages in a reader's locale. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { suggestion } from "../../shared/nearest.js";
import { once } from "../../shared/once.js";
import type { Display } from "../results.js";

export interface NumberFormat {
  readonly count: (value: number) => string;
  /** Writes an amount with at most two decimals, as answers carry it. */
  readonly amount: (value: number) => string;
  /** Rounds to whole units, without the currency. */
  readonly wholeAmount: (value: number) => string;
  /** Always writes the sign, plus included. */
  readonly countChange: (value: number) => string;
  readonly amountChange: (value: number) => string;
  /** Writes a dash for `null`, where there was nothing to divide by. */
  readonly percentChange: (value: number | null) => string;
  /** Writes a share of a whole, from 0 to 1; a dash for `null`, where the whole is nothing. */
  readonly share: (value: number | null) => string;
}

export const noNumber = "–";

/** Without a currency amounts are plain, with two decimals. Each of the engine's formats is made when it is first needed. */
export function createNumberFormat({ locale, currency }: Display): NumberFormat {
  const signed = { signDisplay: "exceptZero" } as const;
  const percent = { style: "percent", maximumFractionDigits: 1 } as const;
  const money = once(() =>
    currency === undefined ? { minimumFractionDigits: 2 } : moneyOptions(locale, currency),
  );
  const writer = (optionsOf: () => Intl.NumberFormatOptions) => {
    const format = once(() => new Intl.NumberFormat(locale, optionsOf()));
    return (value: number) => withoutDirection(format().format(value));
  };
  const count = writer(() => ({}));
  const amount = writer(money);
  const percentChange = writer(() => ({ ...percent, ...signed }));
  const share = writer(() => percent);
  return {
    count: (value) => plainNumber(value, locale, 0) ?? count(value),
    amount: (value) => (currency === undefined ? plainNumber(value, locale, 2) : undefined) ?? amount(value),
    wholeAmount: writer(() => ({ maximumFractionDigits: 0 })),
    countChange: writer(() => signed),
    amountChange: writer(() => ({ ...money(), ...signed })),
    percentChange: (value) => (value === null ? noNumber : percentChange(value / 100)),
    share: (value) => (value === null ? noNumber : share(value)),
  };
}

const plainMarks: ReadonlyMap<string, { readonly group: string; readonly decimal: string }> = new Map([
  ["en-US", { group: ",", decimal: "." }],
  ["pt-BR", { group: ".", decimal: "," }],
]);

/**
 * Writes a number as the engine does. For its first number the engine opens its tables of all languages, which takes
 * 14 ms where `node -e 0` takes 19: most of what a table of figures would cost more than JSON.
 *
 * @returns `undefined` for what would have to be rounded, and for other locales than those that comanda speaks
 */
function plainNumber(value: number, locale: string, decimals: 0 | 2): string | undefined {
  const marks = plainMarks.get(locale);
  const text = value.toFixed(decimals);
  if (!marks || value < 0 || value >= 1e12 || !Object.is(Number(text), value)) return undefined;
  const [whole = "", fraction] = text.split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, marks.group);
  return fraction === undefined ? grouped : `${grouped}${marks.decimal}${fraction}`;
}

/**
 * Drops the marks that some locales put around a sign or a currency to say in which direction it is read. A terminal
 * would show them as escapes, as it does those of a label.
 */
export function withoutDirection(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** A currency without cents still shows those that an amount has. */
function moneyOptions(locale: string, currency: string): Intl.NumberFormatOptions {
  const style = { style: "currency", currency } as const;
  const usualDigits = new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits ?? 2;
  return { ...style, maximumFractionDigits: Math.max(2, usualDigits) };
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
