/** Numbers, amounts and changes in a store's locale and currency. */
import { numberFromCents, type Cents } from "../api/money.js";
import { plural, t } from "../languages/language.js";

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

/**
 * Without a currency, amounts are plain numbers with two decimals.
 *
 * @param store.locale a BCP 47 tag
 * @param store.currency an ISO 4217 code, if one is set
 */
export function numberFormat({
  locale,
  currency,
}: {
  readonly locale: string;
  readonly currency: string | null;
}): NumberFormat {
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
