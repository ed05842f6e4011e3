/**
 * Groups by days that start later than midnight, out of the service's days: what was sold before the start belongs to
 * the day before. The two parts are asked for by a filter each; weeks, months and weekdays follow from the days.
 */
import type { Filter } from "../../contract/filters.js";
import type { Group } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { startOfDay, type PlainDate } from "../period/calendar.js";
import { dayOf } from "./calendar-forms.js";
import type { Names } from "./calendar-names.js";
import { namesLike } from "./derive.js";
import type { GroupList } from "./groups.js";

/** What selects the sales of a day's own date, and those of the morning after. */
export function dayParts(dayStarts: string): readonly [own: readonly Filter[], morning: readonly Filter[]] {
  const filter = (operator: "gteq" | "lt"): readonly Filter[] => [
    { field: "created_at_time", operator, values: [dayStarts] },
  ];
  return [filter("gteq"), filter("lt")];
}

/** What was sold from the start of the day on, and before it: both by the service's days. */
export interface DayParts {
  readonly own: GroupList;
  readonly morning: GroupList;
}

/**
 * @param zone IANA name
 * @returns one group or two for each day, with its date as key
 * @throws {ComandaError} `unexpected_answer` for days whose keys can't be read
 */
export function businessDays({ own: evening, morning }: DayParts, zone: string): readonly Group[] {
  return [...dated(evening, (date) => date), ...dated(morning, (date) => dayBefore(date, zone))];
}

/** How the service writes the days of both parts. */
export function dayNames({ own: evening, morning }: DayParts): readonly Names[] {
  const evidence = [evening, morning].map(({ grouped }) => ({ days: grouped.groups, answer: grouped }));
  return namesLike(evidence, "day");
}

function dated({ placed }: GroupList, to: (date: PlainDate) => PlainDate): readonly Group[] {
  return placed.map(({ group, ordinal }) => {
    if (ordinal !== undefined) return { ...group, key: to(dayOf(ordinal)).toString() };
    throw new ComandaError("unexpected_answer", t`The service gave a day that can't be read: ${group.key}.`);
  });
}

/** Gives the day before. Where the zone left that day out, the one before it. */
function dayBefore(date: PlainDate, zone: string): PlainDate {
  return startOfDay(date, zone).subtract({ microseconds: 1 }).toPlainDate();
}
