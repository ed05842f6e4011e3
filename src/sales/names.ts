/** Periods and days are typed by these names: `last-month`, `friday`, `october`, `21/11`. Weeks begin on Monday (ISO 8601). */
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { suggestion } from "../api/nearest.js";
import { plainWords } from "../languages/plain-words.js";
import { isDate, parseDate, type PlainDate } from "./calendar.js";

/** What a period is one of, so that it can be compared with the one before: whole months, or so many days. */
export type Unit = { readonly days: number } | { readonly months: number };

type UnitWord = "day" | "week" | "month" | "year";

/** Names without a number in them have these units. */
const units = {
  today: "day",
  yesterday: "day",
  "this-week": "week",
  "last-week": "week",
  "this-month": "month",
  "last-month": "month",
  "month-to-yesterday": "month",
  "this-year": "year",
  "last-year": "year",
} as const satisfies Record<string, UnitWord>;

type UnitName = keyof typeof units;

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const months = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];

export const periodNames = Object.keys(units);

/** Lists for a hint everything that stands for a period. */
export function periodHint(): string {
  return t`Give --period with ${periodNames.join(", ")}, last-N-days, a weekday, a month (october, 2026-10), a year (2025) or a day (05/10, the day first, or 2026-10-05); or --from and --to with two dates, or two date-times with offset.`;
}

/** Suggests a name for a text that was meant to be a day or a period: ` Did you mean "yesterday"?` */
export function nearestName(typed: string): string {
  return suggestion(typed, [...periodNames, "last-7-days", "last-30-days", ...weekdays, ...months]);
}

const lastDays = /^last-([1-9]\d{0,4})-days?$/;
const yearMonthDay = /^\d{4}(?:-\d{2}){0,2}$/;

/** Tells whether a text names a period or a day. The calendar may not have such a day. */
export function isPeriodName(typed: string): boolean {
  // A text can be recognized on any day; which day or month it means depends on today.
  const name = canonicalName(typed, parseDate("2024-12-31"));
  return isUnitName(name) || lastDays.test(name) || yearMonthDay.test(name);
}

export interface NamedDays {
  readonly label: string;
  readonly first: PlainDate;
  /** The last day is included; it may lie in the future. */
  readonly last: PlainDate;
  /** What the name stands for one of; absent for so many days. */
  readonly unit?: Unit;
}

/** @throws {ComandaError} `invalid_input` for a name that isn't one, with the nearest, or a day that doesn't exist */
export function namedDays(typed: string, today: PlainDate): NamedDays {
  const label = canonicalName(typed, today);
  const yesterday = today.subtract({ days: 1 });
  const count = lastDays.exec(label)?.[1];
  if (count !== undefined) return { label, first: today.subtract({ days: Number(count) }), last: yesterday };
  if (isDate(label)) return { label, ...unitOf(parseDate(label), "day") };
  if (yearMonthDay.test(label)) {
    const isYear = label.length === "2026".length;
    const first = isYear ? parseDate(`${label}-01-01`) : firstOfMonth(label);
    return { label, ...unitOf(first, isYear ? "year" : "month") };
  }
  if (!isUnitName(label)) {
    const message = t`There is no period "${label}".${nearestName(label)}`;
    throw new ComandaError("invalid_input", message, { hint: periodHint() });
  }
  const unit = units[label];
  // On the first of a month it is the whole month before.
  if (label === "month-to-yesterday" && today.day > 1)
    return { label, first: today.with({ day: 1 }), last: yesterday };
  const isThis = label === "today" || label.startsWith("this-");
  return { label, ...unitOf(isThis ? today : unitOf(today, unit).first.subtract({ days: 1 }), unit) };
}

/**
 * Gives the day that a name means where a day is asked for: the first or the last of its period. Other texts stay as
 * they were typed.
 *
 * @throws {ComandaError} `invalid_input` for a day or month that doesn't exist
 */
export function dayNamed(typed: string, side: "first" | "last", today: PlainDate): string {
  if (!isPeriodName(typed)) return typed;
  const { label, first, last } = namedDays(typed, today);
  const isRunning = label.startsWith("this-");
  return (side === "first" ? first : isRunning ? today : last).toString();
}

/**
 * Writes what a text names as a unit's name, `last-7-days`, `2026`, `2026-10` or `2026-10-05`; anything else stays as
 * it was typed. A weekday, and a day or month without its year, is the latest that has begun: on a Friday `friday` is
 * today, and this month's name is this month. In `05/10` the day comes first.
 */
function canonicalName(typed: string, today: PlainDate): string {
  const word = plainWords(typed);
  const days = lastDays.exec(word)?.[1];
  if (days !== undefined) return `last-${days}-${days === "1" ? "day" : "days"}`;
  const weekday = weekdays.indexOf(word);
  if (weekday >= 0) return today.subtract({ days: (today.dayOfWeek + 6 - weekday) % 7 }).toString();
  return dateOfWords(word, today) ?? (isUnitName(word) ? word : typed);
}

/** Reads `05/10`, `5/10/2026`, `11/2025`, `october` and `october 2025`. */
function dateOfWords(word: string, today: PlainDate): string | undefined {
  const parts = /^(?:(\d{1,2})\/)?(?:(\d{1,2})|([a-z]+))(?:[-/](\d{4}))?$/.exec(word);
  const [, day, number, name = "", typedYear] = parts ?? [];
  const month = number === undefined ? months.indexOf(name) + 1 : Number(number);
  // A number alone is no month.
  if (month === 0 || (number !== undefined && day === undefined && typedYear === undefined)) return undefined;
  const isToCome = month * 100 + Number(day ?? 0) > today.month * 100 + today.day;
  const year = typedYear ?? String(isToCome ? today.year - 1 : today.year);
  return [year, String(month), ...(day === undefined ? [] : [day])]
    .map((part) => part.padStart(2, "0"))
    .join("-");
}

function unitOf(day: PlainDate, unit: UnitWord): Omit<NamedDays, "label"> {
  const first = {
    day: () => day,
    week: () => day.subtract({ days: day.dayOfWeek - 1 }),
    month: () => day.with({ day: 1 }),
    year: () => day.with({ month: 1, day: 1 }),
  }[unit]();
  const last = first.add({ [`${unit}s`]: 1 }).subtract({ days: 1 });
  const sizes = { day: { days: 1 }, week: { days: 7 }, month: { months: 1 }, year: { months: 12 } };
  return { first, last, unit: sizes[unit] };
}

function firstOfMonth(name: string): PlainDate {
  try {
    return parseDate(`${name}-01`);
  } catch {
    throw new ComandaError("invalid_input", t`There is no month ${name}.`, { hint: periodHint() });
  }
}

function isUnitName(name: string): name is UnitName {
  return Object.hasOwn(units, name);
}
