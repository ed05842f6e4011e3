/** Writes figures and the names of their groups as the store's locale does. */
import type { Dimension } from "../../api/values.js";
import { t } from "../../languages/language.js";
import { isDate, type Row, type StoreFigures } from "../figures.js";
import { weekdayNamed } from "../group-days.js";

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
  };
  made.set(name, format);
  return format;
}

/** Two drivers of one name have their keys behind it: `Ana (11)`, `Ana (12)`. */
export function namesOf(rows: readonly Row[], by: Dimension, locale: string): readonly string[] {
  const write = writerOf(by, locale);
  const named: { readonly name: string; readonly look: string; readonly key: Row["key"] }[] = [];
  const counts = new Map<string, number>();
  for (const row of rows) {
    const { key, label } = row;
    let name = write(row) ?? label ?? (key === null ? t`(none)` : String(key));
    if (name.trim() === "") name = JSON.stringify(name);
    const look = name
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
      .trim()
      .normalize();
    named.push({ name, look, key });
    counts.set(look, (counts.get(look) ?? 0) + 1);
  }
  const names: string[] = [];
  for (const { name, look, key } of named)
    names.push(counts.get(look) === 1 ? name : `${name} (${JSON.stringify(key)})`);
  return names;
}

/** A key that is no date, and a name that is no weekday, stay what the service calls them. */
function writerOf(by: Dimension, locale: string): (row: Row) => string | undefined {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  const month = { year: "numeric", month: "2-digit" } as const;
  // English writes ISO 8601, since 05/10 is one day in London and another in New York.
  const isEnglish = /^en\b/.test(locale);
  if (by === "day") {
    const day = isEnglish ? undefined : format({ ...month, day: "2-digit" });
    const weekday = format({ weekday: "short" });
    return ({ key }) => {
      if (!isDate(key)) return undefined;
      const date = Date.parse(key);
      return withoutDirection(`${day?.format(date) ?? key} ${weekday.format(date)}`);
    };
  }
  if (by === "month" && !isEnglish) {
    const written = format(month);
    return ({ key }) =>
      typeof key === "string" && /^\d{4}-(?:0\d|1[0-2])$/.test(key)
        ? withoutDirection(written.format(Date.parse(key)))
        : undefined;
  }
  if (by === "day_of_week") {
    const weekday = format({ weekday: "long" });
    return ({ key, label }) => {
      const place = weekdayNamed(label ?? String(key));
      // 1970-01-04 was a Sunday.
      const name = place === undefined ? undefined : weekday.format((3 + place) * 86_400_000);
      return name === undefined ? undefined : name.charAt(0).toUpperCase() + withoutDirection(name.slice(1));
    };
  }
  if (by === "hour") {
    return ({ key, label }) => {
      const [, hour] = /^(\d{1,2})(?::00)?$/.exec(String(key)) ?? [];
      return label ?? (hour === undefined ? undefined : `${hour.padStart(2, "0")}:00`);
    };
  }
  return () => undefined;
}

/** Some locales put marks of direction around a sign, which a terminal would show as escapes. */
function withoutDirection(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}
