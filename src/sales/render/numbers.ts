/** Writes counts, amounts and percentages as the store's locale does. */
import type { StoreFigures } from "../figures.js";

export interface NumberFormat {
  readonly count: (value: number) => string;
  readonly amount: (value: number) => string;
  /** Always with the sign; a dash for null, where there was nothing to divide by. */
  readonly change: (percent: number | null) => string;
  /** The part of a whole lies between 0 and 1. */
  readonly share: (part: number | null) => string;
}

export const noNumber = "–";

const made = new Map<string, NumberFormat>();

/** Without a currency amounts are plain, with two decimals. */
export function numberFormat({ locale, currency }: Pick<StoreFigures, "locale" | "currency">): NumberFormat {
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
    ...{ minimumFractionDigits: 2, maximumFractionDigits: 2 },
  };
  const [amount, count] = [writer(money), writer({})];
  const [change, share] = [writer({ ...percent, signDisplay: "exceptZero" }), writer(percent)];
  const format: NumberFormat = {
    count,
    amount,
    change: (value) => (value === null ? noNumber : change(value / 100)),
    share: (value) => (value === null ? noNumber : share(value)),
  };
  made.set(name, format);
  return format;
}

/** Some locales put marks of direction around a sign, which a terminal would show as escapes. */
export function withoutDirection(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}
