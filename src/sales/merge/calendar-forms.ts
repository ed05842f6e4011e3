/**
 * A service may write hours, days, weeks, months and weekdays in these forms. The specification shows that they have a
 * key and a label, but not their form; the service's own answers show it (`calendar-names.ts`).
 *
 * Days are counted from 1970-01-01, and each unit has a place, in the order of an answer: neighbours differ by 1.
 */
import type { Group } from "../../contract/models.js";
import { daysBetween, parseDate, type PlainDate } from "../period/calendar.js";
import { monthNames, weekdayNamed, weekdayNames, type Form } from "./calendar-words.js";

/** Groups of these dimensions follow from the day. */
export type CalendarDimension = "day" | "week" | "month" | "day_of_week";

export function isCalendar(dimension: string | undefined): dimension is CalendarDimension {
  return dimension !== undefined && Object.hasOwn(calendars, dimension);
}

export function isTemporal(dimension: string): dimension is CalendarDimension | "hour" {
  return dimension === "hour" || isCalendar(dimension);
}

/** The places of a unit may be written in these forms. */
export interface Forms {
  readonly keys: readonly Form<Group["key"]>[];
  readonly labels: readonly Form<Group["label"]>[];
  /** There are so many places; absent where time goes on. */
  readonly count?: number;
  /** Tells whether the place can have this name. */
  readonly isNamed?: (place: number, name: string) => boolean;
}

/** A service counts days together in units. */
export interface Units extends Forms {
  readonly placeOf: (day: number) => number;
}

/** The usual way of counting comes first. */
type UnitsList = readonly [Units, ...Units[]];

const noLabel: Form<null> = () => null;

export const hours: Forms = {
  count: 24,
  keys: [(hour) => hour, String, twoDigits, (hour) => `${twoDigits(hour)}:00`],
  labels: [
    (hour) => `${twoDigits(hour)}:00`,
    (hour) => `${hour}:00`,
    (hour) => `${hour}h`,
    (hour) => `${twoDigits(hour)}h`,
    String,
    twoDigits,
    noLabel,
  ],
};

const days: Units = {
  placeOf: (day) => day,
  keys: [isoDay],
  labels: [isoDay, brazilianDay, (day) => brazilianDay(day).slice(0, 5), noLabel],
};

/** Weeks that begin on Monday are those of ISO 8601. */
const isoWeeks: Units = {
  placeOf: (day) => Math.floor((day + 3) / 7),
  keys: [
    byWeek((week, year) => `${year}-W${twoDigits(week)}`),
    byWeek((week, year) => `${year}W${twoDigits(week)}`),
    byWeek((week, year) => `${year}-${twoDigits(week)}`),
    byWeek((week, year) => `${year}${twoDigits(week)}`),
    (place) => isoDay(mondayOf(place)),
    byWeek((week) => week),
    byWeek((week) => String(week)),
    byWeek((week) => twoDigits(week)),
    byWeek((week) => `W${twoDigits(week)}`),
  ],
  labels: [
    byWeek((week, year) => `${year}-W${twoDigits(week)}`),
    byWeek((week, year) => `Semana ${week} de ${year}`),
    byWeek((week) => `Semana ${week}`),
    byWeek((week) => `Week ${week}`),
    (place) => isoDay(mondayOf(place)),
    (place) => brazilianDay(mondayOf(place)),
    noLabel,
  ],
};

/**
 * Weeks that begin on another day are named by it alone: in other countries the first week of a year is another.
 *
 * @param first the first such day since 1970-01-01
 */
function weeksFrom(first: number): Units {
  const firstDay = (place: number) => place * 7 + first;
  return {
    placeOf: (day) => Math.floor((day - first) / 7),
    keys: [(place) => isoDay(firstDay(place))],
    labels: [(place) => isoDay(firstDay(place)), (place) => brazilianDay(firstDay(place)), noLabel],
  };
}

const months: Units = {
  placeOf: (day) => {
    const { year, month } = dayOf(day);
    return year * 12 + month - 1;
  },
  keys: [
    byMonth((month, year) => `${year}-${twoDigits(month)}`),
    byMonth((month, year) => `${year}-${twoDigits(month)}-01`),
    byMonth((month) => month),
    byMonth((month) => String(month)),
    byMonth((month) => twoDigits(month)),
    byMonth((month, year) => `${twoDigits(month)}/${year}`),
  ],
  labels: [
    byMonth((month, year) => `${year}-${twoDigits(month)}`),
    byMonth((month, year) => `${twoDigits(month)}/${year}`),
    ...monthNames.flatMap((name) => [
      byMonth((month) => name(month - 1)),
      byMonth((month, year) => `${name(month - 1)} de ${year}`),
      byMonth((month, year) => `${name(month - 1)} ${year}`),
      byMonth((month, year) => `${name(month - 1)}/${year}`),
    ]),
    noLabel,
  ],
};

/** Weekdays are named, or numbered in the order of the answer, from 0 or from 1. */
function weekdaysFrom(first: 0 | 1): Units {
  const weekdayOf = (place: number) => (place + first) % 7;
  const names = weekdayNames.map(
    (name): Form<string> =>
      (place) =>
        name(weekdayOf(place)),
  );
  return {
    count: 7,
    placeOf: (day) => (weekdayOfDay(day) + 7 - first) % 7,
    keys: [(place) => place, String, (place) => place + 1, (place) => String(place + 1), ...names],
    labels: [...names, noLabel],
    isNamed: (place, name) => (weekdayNamed(name) ?? weekdayOf(place)) === weekdayOf(place),
  };
}

/** A service may count in these ways: weeks from Monday, Sunday or Saturday, weekdays from Sunday or Monday. */
export const calendars: Readonly<Record<CalendarDimension, UnitsList>> = {
  day: [days],
  week: [isoWeeks, weeksFrom(3), weeksFrom(2)],
  month: [months],
  day_of_week: [weekdaysFrom(0), weekdaysFrom(1)],
};

/**
 * `Date` reads and writes days: a year by day takes 2,000 of these steps, and by Temporal 75 ms more. All else is
 * Temporal's.
 */
const dayMs = 86_400_000;
const dayZero = parseDate("1970-01-01");

export function dayOrdinal(date: PlainDate): number {
  return daysBetween(dayZero, date);
}

export function dayOf(ordinal: number): PlainDate {
  return dayZero.add({ days: ordinal });
}

/** @returns `undefined` for a day that the calendar doesn't have */
export function dateOrdinal(text: string, dimension: CalendarDimension): number | undefined {
  const day = Date.parse(text) / dayMs;
  return Number.isInteger(day) && isoDay(day) === text ? calendars[dimension][0].placeOf(day) : undefined;
}

/** Gives the weekday of a day; 0 is Sunday. */
export function weekdayOfDay(day: number): number {
  return dayOf(day).dayOfWeek % 7;
}

/** Counts the days from the first to the last by their place in the week, which is 0 to 6. */
export function daysByPlace(first: number, last: number, placeOf: Units["placeOf"]): readonly number[] {
  const counts = [0, 0, 0, 0, 0, 0, 0];
  for (let day = first; day <= last; day += 1) {
    const place = placeOf(day);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

export function firstDayOf(place: number, dimension: "week" | "month"): number {
  if (dimension === "week") return mondayOf(place);
  return dayOrdinal(dayZero.add({ months: place - 12 * dayZero.year }));
}

function mondayOf(week: number): number {
  return week * 7 - 3;
}

function byWeek<Text>(write: (week: number, year: number) => Text): Form<Text> {
  return (place) => {
    const { weekOfYear = 0, yearOfWeek = 0 } = dayOf(mondayOf(place));
    return write(weekOfYear, yearOfWeek);
  };
}

function byMonth<Text>(write: (month: number, year: number) => Text): Form<Text> {
  return (place) => write((place % 12) + 1, Math.floor(place / 12));
}

function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function brazilianDay(day: number): string {
  return isoDay(day).split("-").toReversed().join("/");
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
