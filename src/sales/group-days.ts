/** Counts how many days of a period have each weekday or hour, which are compared per day. */
import { once } from "../base/basics.js";
import type { Group } from "../api/models.js";
import { daysOf, parseDate, parseDateTime, startOfDay, type Period } from "./period.js";

type Named = Pick<Group, "key" | "label">;

/** Counts an hour even if the period contains only a part of it. Returns `undefined` for a key that isn't an hour. */
export function daysOfHours(period: Period): (row: Named) => number | undefined {
  const { zone } = period;
  const [start, end] = [parseDateTime(period.start, zone), parseDateTime(period.end, zone)];
  const days = daysOf({ first: start.toPlainDate().toString(), last: end.toPlainDate().toString() });
  return ({ key }) => {
    const hour = /^\d{1,2}(?=$|[:h])/.exec(String(key))?.[0];
    if (hour === undefined || Number(hour) > 23) return undefined;
    const isOut = (hour: number, edge: number) => (hour < edge ? 1 : 0);
    return days.length - isOut(Number(hour), start.hour) - isOut(end.hour, Number(hour));
  };
}

/**
 * Ignores numbers, since 1 can be Sunday or Monday, unless the period has the same number of each weekday. Returns `undefined` for a
 * name that isn't a weekday.
 */
export function daysOfWeekdays(period: Period): (row: Named) => number | undefined {
  const { zone } = period;
  const counts = [0, 0, 0, 0, 0, 0, 0];
  for (const day of daysOf(period)) {
    const date = parseDate(day);
    const place = date.dayOfWeek % 7;
    // A change of the zone can skip a whole day.
    if (startOfDay(date, { zone }).toPlainDate().equals(date)) counts[place] = (counts[place] ?? 0) + 1;
  }
  if (counts.every((other) => other === counts[0])) return () => counts[0];
  return ({ key, label }) => counts[weekdayNamed(label ?? "") ?? weekdayNamed(String(key)) ?? -1];
}

/** Returns the weekday of `Monday`, `mon`, `segunda-feira` or `seg.`; 0 is Sunday. */
export function weekdayNamed(name: string): number | undefined {
  return weekdays().get(bare(name));
}

function bare(name: string): string {
  return name.toLowerCase().replace(/(?:\.|-feira)$/, "");
}

const weekdays = once(
  () =>
    new Map(
      ["pt-BR", "en"].flatMap((language) =>
        (["long", "short"] as const).flatMap((weekday) => {
          const format = new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" });
          // 1970-01-04 was a Sunday.
          return [0, 1, 2, 3, 4, 5, 6].map(
            (day) => [bare(format.format((3 + day) * 86_400_000)), day] as const,
          );
        }),
      ),
    ),
);
