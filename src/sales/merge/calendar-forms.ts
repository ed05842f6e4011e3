/**
 * A service may write days, weeks, months and weekdays in these forms. The specification shows that they have a key
 * and a label, but not their form; the service's own answers show it (`calendar-names.ts`).
 */
import type { Group } from "../../contract/models.js";
import { parseDate, type PlainDate } from "../period/calendar.js";
import { monthNames, weekdayNamed, weekdayNames, type Form } from "./weekday-names.js";

/** Groups of these dimensions follow from the day. */
export type CalendarDimension = "day" | "week" | "month" | "day_of_week";

export function isCalendar(dimension: string | undefined): dimension is CalendarDimension {
  return dimension !== undefined && Object.hasOwn(calendars, dimension);
}

export function isTemporal(dimension: string): dimension is CalendarDimension | "hour" {
  return dimension === "hour" || isCalendar(dimension);
}

/**
 * A service counts days together in units: each day has a place, in the order of an answer, and the places may be
 * written in these forms.
 */
export interface Units {
  readonly placeOf: (day: PlainDate) => number;
  readonly keys: readonly Form<Group["key"]>[];
  readonly labels: readonly Form<Group["label"]>[];
  /** Tells whether the place can have this name. */
  readonly isNamed?: (place: number, name: string) => boolean;
}

/** The usual way of counting comes first. */
type UnitsList = readonly [Units, ...Units[]];

const noLabel: Form<null> = () => null;

const days: Units = {
  placeOf: dayOrdinal,
  keys: [isoDay],
  labels: [isoDay, brazilianDay, (day) => brazilianDay(day).slice(0, 5), noLabel],
};

/**
 * Weeks that begin on Monday are those of ISO 8601. Only these have a number here: in other countries the first week
 * of a year is another.
 */
const weeks: UnitsList = [
  {
    placeOf: (day) => Math.floor((dayOrdinal(day) + 3) / 7),
    keys: [
      isoWeek,
      (week) => isoWeek(week).replace("-", ""),
      (week) => isoWeek(week).replace("W", ""),
      (week) => mondayOf(week).toString(),
      weekNumber,
      (week) => String(weekNumber(week)),
      (week) => twoDigits(weekNumber(week)),
      (week) => `W${twoDigits(weekNumber(week))}`,
    ],
    labels: [
      isoWeek,
      (week) => `Semana ${weekNumber(week)} de ${thursdayOf(week).year}`,
      (week) => `Semana ${weekNumber(week)}`,
      (week) => `Week ${weekNumber(week)}`,
      (week) => mondayOf(week).toString(),
      (week) => brazilianDay(week * 7 - 3),
      noLabel,
    ],
  },
  ...[3, 2].map((first): Units => ({
    placeOf: (day) => Math.floor((dayOrdinal(day) - first) / 7),
    keys: [(week) => isoDay(week * 7 + first)],
    labels: [(week) => isoDay(week * 7 + first), (week) => brazilianDay(week * 7 + first), noLabel],
  })),
];

const months: Units = {
  placeOf: (day) => day.year * 12 + day.month - 1,
  keys: [
    isoMonth,
    (month) => `${isoMonth(month)}-01`,
    numberOf,
    (month) => String(numberOf(month)),
    (month) => twoDigits(numberOf(month)),
    (month) => `${twoDigits(numberOf(month))}/${yearOf(month)}`,
    ...monthNames.map(
      (name): Form<string> =>
        (month) =>
          name(month % 12),
    ),
  ],
  labels: [
    isoMonth,
    (month) => `${twoDigits(numberOf(month))}/${yearOf(month)}`,
    ...monthNames.flatMap((name): Form<string>[] => [
      (month) => name(month % 12),
      ...[" de ", " ", "/"].map(
        (between): Form<string> =>
          (month) =>
            `${name(month % 12)}${between}${yearOf(month)}`,
      ),
    ]),
    noLabel,
  ],
};

/** Weekdays are numbered from Sunday or from Monday, from 0 or from 1. */
const weekdayNumbers: readonly Form<number>[] = [
  (day) => day,
  (day) => day || 7,
  (day) => day + 1,
  (day) => (day + 6) % 7,
];

function weekdaysFrom(first: 0 | 1): Units {
  const shiftForm = <Text>(form: Form<Text>): Form<Text> => {
    return (place) => form((place + first) % 7);
  };
  return {
    placeOf: (day) => (day.dayOfWeek + 7 - first) % 7,
    keys: [
      ...weekdayNumbers.flatMap((form): Form<Group["key"]>[] => [form, (day) => String(form(day))]),
      ...weekdayNames,
    ].map(shiftForm),
    labels: [...weekdayNames, noLabel].map(shiftForm),
    isNamed: (place, name) => {
      const weekday = weekdayNamed(name);
      return weekday === undefined || weekday === (place + first) % 7;
    },
  };
}

/** A service may count in these ways: weeks from Monday, Sunday or Saturday, weekdays from Sunday or Monday. */
export const calendars: Readonly<Record<CalendarDimension, UnitsList>> = {
  day: [days],
  week: weeks,
  month: [months],
  day_of_week: [weekdaysFrom(0), weekdaysFrom(1)],
};

export const twoDigits = (number: number) => String(number).padStart(2, "0");

export function dayOrdinal({ year, month, day }: PlainDate): number {
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

export function dayOf(ordinal: number): PlainDate {
  return firstDay.add({ days: ordinal });
}

const firstDay = parseDate("1970-01-01");

export function mondayOf(week: number): PlainDate {
  return dayOf(week * 7 - 3);
}

/** A week belongs to the year that its Thursday is in (ISO 8601). */
function thursdayOf(week: number): PlainDate {
  return dayOf(week * 7);
}

function weekNumber(week: number): number {
  return thursdayOf(week).weekOfYear ?? 0;
}

export function isoWeek(week: number): string {
  return `${thursdayOf(week).year}-W${twoDigits(weekNumber(week))}`;
}

function isoDay(day: number): string {
  return dayOf(day).toString();
}

function brazilianDay(day: number): string {
  return isoDay(day).split("-").toReversed().join("/");
}

export function isoMonth(month: number): string {
  return `${yearOf(month)}-${twoDigits(numberOf(month))}`;
}

function numberOf(month: number): number {
  return (month % 12) + 1;
}

function yearOf(month: number): string {
  return String(Math.floor(month / 12)).padStart(4, "0");
}
