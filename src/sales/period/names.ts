/**
 * People type periods and days by these names, in English and Portuguese alike, whatever language comanda speaks:
 * `last-month`, `mês-passado`, `outubro de 2025`, `21/11`. Weeks begin on Monday (ISO 8601).
 */
import { ComandaError } from "../../shared/errors.js";
import { currentLanguage, t } from "../../shared/language.js";
import { suggestion } from "../../shared/nearest.js";
import { plainWords } from "../../shared/plain-words.js";
import {
  isDate,
  parseDate,
  type PlainDate,
  type ZonedDateTime,
  periodDayOf,
  startOfDay,
} from "./calendar.js";
import { daysPeriod, period, type Period, type PeriodUnit } from "./period.js";

/** Names without a number in them have these units, and are called so in Portuguese. */
const units = {
  today: ["day", "hoje"],
  yesterday: ["day", "ontem"],
  "this-week": ["week", "esta-semana"],
  "last-week": ["week", "semana-passada", "última-semana"],
  "this-month": ["month", "este-mês"],
  "last-month": ["month", "mês-passado", "último-mês"],
  "month-to-yesterday": ["month", "mês-até-ontem"],
  "this-year": ["year", "este-ano"],
  "last-year": ["year", "ano-passado", "último-ano"],
} as const satisfies Record<string, readonly [PeriodUnit, ...string[]]>;

type UnitName = keyof typeof units;
type CalendarUnit = (typeof units)[UnitName][0];

const weekdays = [
  ["monday", "segunda"],
  ["tuesday", "terça"],
  ["wednesday", "quarta"],
  ["thursday", "quinta"],
  ["friday", "sexta"],
  ["saturday", "sábado"],
  ["sunday", "domingo"],
];

const months = [
  ["january", "janeiro"],
  ["february", "fevereiro"],
  ["march", "março"],
  ["april", "abril"],
  ["may", "maio"],
  ["june", "junho"],
  ["july", "julho"],
  ["august", "agosto"],
  ["september", "setembro"],
  ["october", "outubro"],
  ["november", "novembro"],
  ["december", "dezembro"],
];

const dayBeforeYesterday = "anteontem";

export const periodNames = Object.keys(units);
const portugueseNames = [
  ...Object.values(units).flatMap(([, ...names]) => names),
  ...["últimos-7-dias", "últimos-30-dias"],
];

/** Lists for a hint everything that stands for a period, in the reader's words. */
export function periodHint(): string {
  const names = currentLanguage() === "pt-BR" ? portugueseNames : periodNames;
  return t`Give --period with ${names.join(", ")}, last-N-days, a weekday, a month (october, 2026-10), a year (2025) or a day (05/10, the day first, or 2026-10-05); or --from and --to with two dates, or two date-times with offset.`;
}

/** Suggests a name for a text that was meant to be a day or a period: `Did you mean "ontem"?` */
export function nearestName(typed: string): string {
  return suggestion(typed, [
    ...[...periodNames, "last-7-days", "last-30-days"],
    ...[...portugueseNames, dayBeforeYesterday],
    ...[...weekdays, ...months].flat(),
  ]);
}

const lastDays = /^last-([1-9]\d{0,4})-days?$/;
const yearMonthDay = /^\d{4}(?:-\d{2}){0,2}$/;

/** A text can be recognized on any day; which day or month it means depends on today. */
const anyDay = parseDate("2024-12-31");

/** Tells whether a text names a period or a day, in either language. The calendar may not have such a day. */
export function isPeriodName(typed: string): boolean {
  const name = canonicalName(typed, anyDay);
  return isUnitName(name) || lastDays.test(name) || yearMonthDay.test(name);
}

/** Finds the unit that a name without a number means: `last-month` for `Last month` and `mês-passado`. */
export function unitNamed(typed: string): UnitName | undefined {
  const word = plainWords(typed);
  return Object.keys(units)
    .filter(isUnitName)
    .find((name) => [name, ...units[name].slice(1)].some((spelling) => plainWords(spelling) === word));
}

/** @throws {ComandaError} `invalid_input` for a name that isn't one, with the nearest, or a day that doesn't exist */
export function namedPeriod(typed: string, now: ZonedDateTime, dayStarts?: string): Period {
  const days = { zone: now.timeZoneId, dayStarts };
  const today = periodDayOf(now, days);
  const label = canonicalName(typed, today);
  const yesterday = today.subtract({ days: 1 });
  const wholeUnit = (unit: CalendarUnit, day: PlainDate) =>
    daysPeriod({ label, unit, ...unitOf(day, unit), ...days });
  const count = lastDays.exec(label)?.[1];
  if (count !== undefined) {
    const first = today.subtract({ days: Number(count) });
    return daysPeriod({ label, unit: "days", first, last: yesterday, ...days });
  }
  if (isDate(label)) return wholeUnit("day", parseDate(label));
  if (yearMonthDay.test(label)) {
    const isYear = label.length === "2026".length;
    return wholeUnit(isYear ? "year" : "month", isYear ? parseDate(`${label}-01-01`) : firstOfMonth(label));
  }
  if (!isUnitName(label)) {
    const message = t`There is no period "${label}".${nearestName(label)}`;
    throw new ComandaError("invalid_input", message, { hint: periodHint() });
  }
  const [unit] = units[label];
  if (label === "month-to-yesterday") {
    // On the first of a month it is the whole month before.
    if (today.day === 1) return wholeUnit("month", yesterday);
    return daysPeriod({ label, unit: "days", first: today.with({ day: 1 }), last: yesterday, ...days });
  }
  const { first } = unitOf(today, unit);
  if (label === "today" || label.startsWith("this-")) {
    const start = startOfDay(first, days);
    return period({ label, kind: "running", unit, dayStarts, start, end: now });
  }
  return wholeUnit(unit, first.subtract({ days: 1 }));
}

/**
 * Gives the day that a name means where a day is asked for: the first or the last of its period. Other texts stay as
 * they were typed.
 *
 * @throws {ComandaError} `invalid_input` for a day or month that doesn't exist
 */
export function dayNamed(
  typed: string,
  side: "first" | "last",
  now: ZonedDateTime,
  dayStarts?: string,
): string {
  if (!isPeriodName(typed)) return typed;
  const { from, to } = namedPeriod(typed, now, dayStarts);
  return side === "first" ? from.date : to.date;
}

/**
 * Writes what a text names as a unit's name, `last-7-days`, `2026`, `2026-10` or `2026-10-05`; anything else stays as
 * it was typed. A weekday, and a day or month without its year, is the latest that has begun: on a Friday `friday` is
 * today, and this month's name is this month. In `05/10` the day comes first, in every language.
 */
function canonicalName(typed: string, today: PlainDate): string {
  const word = plainWords(typed);
  const days = /^(?:last|ultim[oa]s)-([1-9]\d{0,4})-(?:days?|dias?)$/.exec(word)?.[1];
  if (days !== undefined) return `last-${days}-${days === "1" ? "day" : "days"}`;
  if (word === dayBeforeYesterday) return today.subtract({ days: 2 }).toString();
  const weekday = placeIn(weekdays, word.replace(/-feira$/, ""));
  if (weekday >= 0) return today.subtract({ days: (today.dayOfWeek + 6 - weekday) % 7 }).toString();
  return dateOfWords(word, today) ?? unitNamed(typed) ?? typed;
}

/** Reads `05/10`, `5/10/2026`, `11/2025`, `outubro` and `outubro-de-2025`. */
function dateOfWords(word: string, today: PlainDate): string | undefined {
  const parts = /^(?:(\d{1,2})\/)?(?:(\d{1,2})|([a-z]+))(?:[-/](?:de-)?(\d{4}))?$/.exec(word);
  const [, day, number, name = "", typedYear] = parts ?? [];
  const month = number === undefined ? placeIn(months, name) + 1 : Number(number);
  // A number alone is no month.
  if (month === 0 || (number !== undefined && day === undefined && typedYear === undefined)) return undefined;
  const isToCome = month * 100 + Number(day ?? 0) > today.month * 100 + today.day;
  const year = typedYear ?? String(isToCome ? today.year - 1 : today.year);
  return [year, String(month), ...(day === undefined ? [] : [day])]
    .map((part) => part.padStart(2, "0"))
    .join("-");
}

/** Finds the place of a name from 0 on, in either language; -1 for an unknown name. */
function placeIn(lists: readonly (readonly string[])[], word: string): number {
  return lists.findIndex((names) => names.some((name) => plainWords(name) === word));
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

function isUnitName(name: string): name is UnitName {
  return Object.hasOwn(units, name);
}
