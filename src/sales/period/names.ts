/** `--period` takes these names. Weeks begin on Monday (ISO 8601). */
import { ComandaError } from "../../shared/errors.js";
import { currentLanguage, t } from "../../shared/language.js";
import { isDate, parseDate, type PlainDate, startOfDay, type ZonedDateTime } from "./calendar.js";
import { suggestion } from "../../shared/nearest.js";
import { daysPeriod, period, type Period, type PeriodUnit } from "./period.js";
import {
  canonicalPeriod,
  isLatestName,
  latestNamed,
  namesWithoutYear,
  portugueseNames,
} from "./portuguese.js";

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
} as const satisfies Record<string, PeriodUnit>;

type CalendarUnit = (typeof units)[keyof typeof units];

export const periodNames = Object.keys(units);

/** Lists for a hint everything that stands for a period, in the reader's words. */
export function periodHint(): string {
  const names = currentLanguage() === "pt-BR" ? portugueseNames : periodNames;
  return t`Give --period with ${names.join(", ")}, last-N-days, a weekday, a month (october, 2026-10), a year (2025) or a day (05/10, the day first, or 2026-10-05); or --from and --to with two dates, or two date-times with offset.`;
}

const lastDays = /^last-(\d{1,5})-days?$/;
const monthPattern = /^\d{4}-\d{2}$/;
const yearPattern = /^\d{4}$/;

/** @throws {ComandaError} `invalid_input` for a name that isn't one, with the nearest, or a day that doesn't exist */
export function namedPeriod(name: string, now: ZonedDateTime): Period {
  const count = Number(lastDays.exec(name)?.[1] ?? 0);
  if (count > 0) return lastNDays(name, count, now);
  const latest = latestNamed(name, now.toPlainDate());
  if (latest !== undefined) return namedPeriod(latest, now);
  const zone = now.timeZoneId;
  if (isDate(name)) {
    const day = parseDate(name);
    return daysPeriod({ label: name, unit: "day", first: day, last: day, zone });
  }
  if (monthPattern.test(name)) {
    return daysPeriod({ label: name, unit: "month", ...unitOf(firstOfMonth(name), "month"), zone });
  }
  if (yearPattern.test(name)) {
    return daysPeriod({ label: name, unit: "year", ...unitOf(parseDate(`${name}-01-01`), "year"), zone });
  }
  if (!isUnitName(name)) throw unknownPeriod(name);
  const unit = units[name];
  if (name === "month-to-yesterday") return monthToYesterday(name, now);
  const current = unitOf(now.toPlainDate(), unit);
  if (name === "today" || name.startsWith("this-")) {
    return period({ label: name, kind: "running", unit, start: startOfDay(current.first, zone), end: now });
  }
  return daysPeriod({ label: name, unit, ...unitOf(current.first.subtract({ days: 1 }), unit), zone });
}

/** Tells whether a text names a period, in either language. A single day is no name. */
export function isPeriodName(typed: string): boolean {
  const name = canonicalPeriod(typed);
  const patterns = [lastDays, monthPattern, yearPattern];
  return isLatestName(name) || isUnitName(name) || patterns.some((pattern) => pattern.test(name));
}

/**
 * Gives the day that a name means where a day is asked for: the first or the last of its period. Other texts stay as
 * they were typed, but for the order of a date's parts.
 *
 * @throws {ComandaError} `invalid_input` for a month that doesn't exist
 */
export function dayNamed(typed: string, side: "first" | "last", now: ZonedDateTime): string {
  const name = canonicalPeriod(typed);
  if (!isPeriodName(name)) return name;
  const { from, to } = namedPeriod(name, now);
  return side === "first" ? from.date : to.date;
}

/** Suggests a name for a text that was meant to be a day or a period: `Did you mean "ontem"?` */
export function nearestName(typed: string): string {
  return suggestion(typed, [
    ...[...periodNames, "last-7-days", "last-30-days"],
    ...portugueseNames,
    ...namesWithoutYear,
  ]);
}

function lastNDays(label: string, count: number, now: ZonedDateTime): Period {
  const [today, zone] = [now.toPlainDate(), now.timeZoneId];
  const [first, last] = [today.subtract({ days: count }), today.subtract({ days: 1 })];
  return daysPeriod({ label, unit: "days", first, last, zone });
}

/** Makes the month until yesterday; on the first of a month it is the whole month before. */
function monthToYesterday(label: string, now: ZonedDateTime): Period {
  const last = now.toPlainDate().subtract({ days: 1 });
  const isWhole = last.day === last.daysInMonth;
  return daysPeriod({
    label,
    unit: isWhole ? "month" : "days",
    first: last.with({ day: 1 }),
    last,
    zone: now.timeZoneId,
  });
}

function unitOf(day: PlainDate, unit: CalendarUnit): { first: PlainDate; last: PlainDate } {
  const first = {
    day: () => day,
    week: () => day.subtract({ days: day.dayOfWeek - 1 }),
    month: () => day.with({ day: 1 }),
    year: () => day.with({ month: 1, day: 1 }),
  }[unit]();
  return { first, last: first.add({ [`${unit}s`]: 1 }).subtract({ days: 1 }) };
}

function firstOfMonth(name: string): PlainDate {
  try {
    return parseDate(`${name}-01`);
  } catch {
    throw new ComandaError("invalid_input", t`There is no month ${name}.`, { hint: periodHint() });
  }
}

function isUnitName(name: string): name is keyof typeof units {
  return Object.hasOwn(units, name);
}

function unknownPeriod(name: string): ComandaError {
  return new ComandaError("invalid_input", t`There is no period "${name}".${nearestName(name)}`, {
    hint: periodHint(),
  });
}
