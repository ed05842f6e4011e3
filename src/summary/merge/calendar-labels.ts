/**
 * How days, weeks, months and weekdays are called. The specification shows that they have a label, not of which form: it
 * is learned of the labels that the service gives, and what comanda puts together of days is called alike.
 */
import type { Group } from "../../contract/summary.js";
import type { PlacedGroup } from "./group-identity.js";
import { parseDate, type PlainDate } from "../period/calendar.js";

/** What follows from the day. */
export type CalendarDimension = "day" | "week" | "month" | "day_of_week";

/** A way of writing the key or label of a place: a day, a week or a month by its ordinal, an hour, a weekday (0 is Sunday). */
export type Form<Text> = (place: number) => Text;

/** The forms that go together. */
export type LabelStyle = Readonly<Record<CalendarDimension, Form<string>>>;

export const isoStyle: LabelStyle = {
  day: (day) => dayOf(day).toString(),
  week: (week) => `${thursdayOf(week).year}-W${pad(thursdayOf(week).weekOfYear ?? 0)}`,
  month: (month) => `${yearOf(month)}-${pad((month % 12) + 1)}`,
  day_of_week: (weekday) =>
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][weekday] ?? "",
};

/** As the service writes in Portuguese, the language of the one label that section 4.7 shows. */
const brazilian: LabelStyle = {
  day: (day) => dayOf(day).toString().split("-").toReversed().join("/"),
  week: (week) => `Semana ${thursdayOf(week).weekOfYear ?? 0} de ${thursdayOf(week).year}`,
  month: (month) => `${pad((month % 12) + 1)}/${yearOf(month)}`,
  day_of_week: (weekday) => {
    const day = ["Domingo", "Segunda", "Terça", "Quarta", "Quinta", "Sexta", "Sábado"][weekday] ?? "";
    return weekday >= 1 && weekday <= 5 ? `${day}-feira` : day;
  },
};

const withoutYear: LabelStyle = {
  ...brazilian,
  day: (day) => `${pad(dayOf(day).day)}/${pad(dayOf(day).month)}`,
};

export const labelStyles: readonly LabelStyle[] = [isoStyle, brazilian, withoutYear];

/** What a place is called, beside places that are called so already. */
export type LabelOf = (dimension: CalendarDimension, place: number) => Group["label"];

/** Where nothing tells how the service calls anything. */
export const usualLabel: LabelOf = (dimension, place) => brazilian[dimension](place);

/** @param days with their labels; a day that is among them keeps its own */
export function labelsLike(days: readonly PlacedGroup[]): LabelOf {
  const known = new Map(
    days.flatMap(({ ordinal, group: { label } }) =>
      ordinal === undefined || label === null ? [] : [[ordinal, label] as const],
    ),
  );
  if (known.size === 0)
    return (dimension, place) => (dimension === "day" ? null : usualLabel(dimension, place));
  const style = labelStyles.find(({ day }) => [...known].every(([ordinal, label]) => day(ordinal) === label));
  return (dimension, place) => {
    if (dimension === "day") return known.get(place) ?? style?.day(place) ?? null;
    return (style ?? brazilian)[dimension](place);
  };
}

export const pad = (number: number) => String(number).padStart(2, "0");

/** The inverses of `dateOrdinal`. */
export function dayOf(ordinal: number): PlainDate {
  return firstDay.add({ days: ordinal });
}

const firstDay = parseDate("1970-01-01");

export function mondayOf(ordinal: number): PlainDate {
  return dayOf(ordinal * 7 - 3);
}

/** A week belongs to the year that its Thursday is in (ISO 8601). */
export function thursdayOf(ordinal: number): PlainDate {
  return mondayOf(ordinal).add({ days: 3 });
}

function yearOf(month: number): string {
  return String(Math.floor(month / 12)).padStart(4, "0");
}
