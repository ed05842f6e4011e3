/** Values of a dimension: those of groups, and those that follow from a day of the calendar. */
import type { Dimension, Group } from "../../contract/summary.js";
import type { PlainDate } from "../period/calendar.js";
import { usualLabel, type CalendarDimension, type LabelOf } from "./calendar-labels.js";
import { dateOrdinal, keyIdentity, type PlacedGroup } from "./group-identity.js";

export interface Member {
  /** The same for the same value. */
  readonly identity: string;
  readonly key: Group["key"];
  readonly label: string | null;
}

/** Does it follow from the day? */
export function isCalendar(dimension: Dimension): dimension is CalendarDimension {
  return ["day", "week", "month", "day_of_week"].includes(dimension);
}

export function memberOf({ group: { key, label }, identity }: PlacedGroup): Member {
  return { identity, key, label };
}

/** The day, week (ISO 8601), month or weekday (0 is Sunday) that a day belongs to. */
export function calendarMember(
  dimension: CalendarDimension,
  day: PlainDate,
  labelOf: LabelOf = usualLabel,
): Member {
  const key = calendarKey(dimension, day);
  const place = dimension === "day_of_week" ? Number(key) : dateOrdinal(day.toString(), dimension);
  return { identity: keyIdentity(key), key, label: place === undefined ? null : labelOf(dimension, place) };
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
