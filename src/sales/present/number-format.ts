/** Writes counts, amounts and percentages in a reader's locale. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { suggestion } from "../../shared/nearest.js";
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

/** Without a currency amounts are plain, with two decimals. */
export function createNumberFormat({ locale, currency }: Display): NumberFormat {
  const signed = { signDisplay: "exceptZero" } as const;
  const money: Intl.NumberFormatOptions =
    currency === undefined ? { minimumFractionDigits: 2 } : moneyOptions(locale, currency);
  const [count, amount] = [new Intl.NumberFormat(locale), new Intl.NumberFormat(locale, money)];
  const countChange = new Intl.NumberFormat(locale, signed);
  const amountChange = new Intl.NumberFormat(locale, { ...money, ...signed });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1, ...signed });
  const share = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const text = (format: Intl.NumberFormat, value: number) => withoutDirection(format.format(value));
  return {
    count: (value) => text(count, value),
    amount: (value) => text(amount, value),
    wholeAmount: (value) => text(whole, value),
    countChange: (value) => text(countChange, value),
    amountChange: (value) => text(amountChange, value),
    percentChange: (value) => (value === null ? noNumber : text(percent, value / 100)),
    share: (value) => (value === null ? noNumber : text(share, value)),
  };
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

/** Gives what CSV for a spreadsheet of that locale needs: `;` goes with a decimal comma. */
export function spreadsheetMarks(locale: string): { readonly delimiter: string; readonly decimal: string } {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1.5);
  const decimal = parts.find(({ type }) => type === "decimal")?.value ?? ".";
  return decimal === "," ? { delimiter: ";", decimal } : { delimiter: ",", decimal: "." };
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
