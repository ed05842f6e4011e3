/**
 * People in Brazil type periods and dates like this, whatever language comanda speaks: `mês-passado`, `21/11/2026`.
 */
import { plainWords } from "../../shared/plain-words.js";
import type { PlainDate } from "./calendar.js";

/** Each Portuguese name has its English one. */
const names: ReadonlyMap<string, string> = new Map([
  ["hoje", "today"],
  ["ontem", "yesterday"],
  ["esta-semana", "this-week"],
  ["semana-passada", "last-week"],
  ["última-semana", "last-week"],
  ["este-mês", "this-month"],
  ["mês-passado", "last-month"],
  ["último-mês", "last-month"],
  ["mês-até-ontem", "month-to-yesterday"],
  ["este-ano", "this-year"],
  ["ano-passado", "last-year"],
  ["último-ano", "last-year"],
]);

/** The week begins on Monday, as ISO 8601 counts. */
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const portugueseWeekdays = ["segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo"] as const;

const months = "january february march april may june july august september october november december".split(
  " ",
);
const portugueseMonths =
  "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(" ");

/** Portuguese has a word for it. */
const dayBeforeYesterday = "anteontem";

/** Days and months may be named without their year, in both languages. */
export const namesWithoutYear: readonly string[] = [
  dayBeforeYesterday,
  ...weekdays,
  ...portugueseWeekdays,
  ...months,
  ...portugueseMonths,
];

/** Finds the place of a name from 0 on, in either language; -1 for an unknown name. */
function placeIn(lists: readonly (readonly string[])[], word: string): number {
  return Math.max(...lists.map((list) => list.findIndex((name) => plainWords(name) === word)));
}

/**
 * Finds the latest day or month of a name without a year that has begun. On a Friday `friday` is today, and this
 * month's name is this month. In `05/10` the day comes first, in every language.
 */
export function latestNamed(name: string, today: PlainDate): string | undefined {
  const date = dateNamed(name);
  if (date === undefined) return undefined;
  if ("daysAgo" in date) return today.subtract({ days: date.daysAgo }).toString();
  if ("weekday" in date) return today.subtract({ days: (today.dayOfWeek + 6 - date.weekday) % 7 }).toString();
  const { month, day } = date;
  const isToCome = month * 100 + (day ?? 0) > today.month * 100 + today.day;
  const latest = yearMonth(isToCome ? today.year - 1 : today.year, month);
  return day === undefined ? latest : `${latest}-${String(day).padStart(2, "0")}`;
}

/** Tells whether a text names a day or a month without its year. */
export function isLatestName(name: string): boolean {
  return dateNamed(name) !== undefined;
}

/** Weekdays count from 0, a Monday; months from 1. */
type DateWithoutYear =
  | { readonly daysAgo: number }
  | { readonly weekday: number }
  | { readonly month: number; readonly day?: number };

function dateNamed(name: string): DateWithoutYear | undefined {
  const word = plainWords(name);
  if (word === dayBeforeYesterday) return { daysAgo: 2 };
  const [, day, monthNumber] = /^(\d{1,2})\/(\d{1,2})$/.exec(word) ?? [];
  if (day !== undefined)
    return Number(monthNumber) > 0 ? { month: Number(monthNumber), day: Number(day) } : undefined;
  const weekday = placeIn([weekdays, portugueseWeekdays], word.replace(/-feira$/, ""));
  if (weekday >= 0) return { weekday };
  const month = placeIn([months, portugueseMonths], word) + 1;
  return month > 0 ? { month } : undefined;
}

function yearMonth(year: number, month: number): string {
  return `${year}-${String(month).padStart(2, "0")}`;
}

/** Suggestions are made from these names. */
export const portugueseNames: readonly string[] = [...names.keys(), "últimos-7-dias", "últimos-30-dias"];

const byPlainName = new Map([...names].map(([name, english]) => [plainWords(name), english]));

/**
 * Gives the period by comanda's own name: `last-month`, `last-7-days`, `2026-11`; anything else stays as it was
 * typed.
 */
export function canonicalPeriod(typed: string): string {
  const word = plainWords(typed);
  const days = /^ultim[oa]s-(\d{1,5})-dias?$/.exec(word)?.[1];
  if (days !== undefined) return `last-${days}-days`;
  const [, month, year] = /^(\d{1,2})\/(\d{4})$/.exec(word) ?? [];
  if (month !== undefined && year !== undefined) return `${year}-${month.padStart(2, "0")}`;
  const [, monthName = "", yearOfMonth] = /^([a-z]+)[-/](?:de-)?(\d{4})$/.exec(word) ?? [];
  const place = yearOfMonth === undefined ? -1 : placeIn([months, portugueseMonths], monthName);
  if (place >= 0) return yearMonth(Number(yearOfMonth), place + 1);
  // `Last month` and `last 3 days`, too.
  if (/^(?:last|this)-/.test(word)) return word;
  return byPlainName.get(word) ?? canonicalDate(typed);
}

/** Writes `21/11/2026` as `2026-11-21`; anything else stays as it was typed. */
export function canonicalDate(typed: string): string {
  const [, day, month, year] = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/.exec(typed) ?? [];
  if (day === undefined || month === undefined || year === undefined) return typed;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}
