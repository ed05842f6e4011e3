/** Values of a dimension: those of groups, and those that follow from a day of the calendar. */
import type { Dimension, Group } from "../../contract/summary.js";
import { parseDate, type PlainDate } from "../period/calendar.js";
import { keyIdentity, type PlacedGroup } from "./group-identity.js";

export interface Member {
  /** The same for the same value. */
  readonly identity: string;
  readonly key: Group["key"];
  readonly label: string | null;
}

export type CalendarDimension = "day" | "week" | "month" | "day_of_week";

/** Does it follow from the day? */
export function isCalendar(dimension: Dimension): dimension is CalendarDimension {
  return ["day", "week", "month", "day_of_week"].includes(dimension);
}

export function memberOf({ group: { key, label }, identity }: PlacedGroup): Member {
  return { identity, key, label };
}

/** comanda's own names, from Sunday. */
export const weekdays = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
] as const;

/** The day, week (ISO 8601), month or weekday (0 is Sunday) that a day belongs to. */
export function calendarMember(dimension: CalendarDimension, day: PlainDate): Member {
  const key = calendarKey(dimension, day);
  const label = dimension === "day_of_week" ? (weekdays[day.dayOfWeek % 7] ?? null) : null;
  return { identity: keyIdentity(key), key, label };
}

function calendarKey(dimension: CalendarDimension, day: PlainDate): Group["key"] {
  switch (dimension) {
    case "day":
      return day.toString();
    case "week":
      return `${day.yearOfWeek ?? day.year}-W${String(day.weekOfYear ?? 0).padStart(2, "0")}`;
    case "month":
      return day.toString().slice(0, 7);
    case "day_of_week":
      return day.dayOfWeek % 7;
  }
}

const firstDay = parseDate("1970-01-01");

/** @param ordinal days since 1970-01-01 */
export function dayOfOrdinal(ordinal: number): PlainDate {
  return firstDay.add({ days: ordinal });
}
