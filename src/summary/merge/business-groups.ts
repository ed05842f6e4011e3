/**
 * Groups by days that start later than midnight, out of the service's days: what was sold before the start belongs to
 * the day before. The two parts are asked for by a filter each; weeks, months and weekdays follow from the days.
 */
import type { Filter } from "../../contract/filters.js";
import type { Dimension } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { startOfDay, type PlainDate } from "../period/calendar.js";
import { dateOrdinal, keyIdentity, type PlacedGroup } from "./group-identity.js";
import { calendarMember, dayOfOrdinal, isCalendar, type CalendarDimension } from "./calendar-member.js";
import { mergeGroups, type GroupList } from "./groups.js";

/** Does it depend on where a day begins? */
export function isByDays(dimension: Dimension | undefined): dimension is CalendarDimension {
  return dimension !== undefined && isCalendar(dimension);
}

/** What selects the sales of a day's own date, and those of the morning after. */
export function dayParts(dayStarts: string): readonly [own: readonly Filter[], morning: readonly Filter[]] {
  const filter = (operator: "gteq" | "lt"): readonly Filter[] => [
    { field: "created_at_time", operator, values: [dayStarts] },
  ];
  return [filter("gteq"), filter("lt")];
}

/**
 * @param own the groups by day of what was sold from the start of the day on
 * @param morning of what was sold before it
 * @param zone IANA name
 * @throws {ComandaError} `unexpected_answer` for days whose keys can't be read
 */
export function businessGroups(
  own: GroupList,
  morning: GroupList,
  { dimension, zone }: { readonly dimension: CalendarDimension; readonly zone: string },
): GroupList {
  const merged = mergeGroups(dimension, [
    regrouped(morning, dimension, (date) => dayBefore(date, zone)),
    regrouped(own, dimension, (date) => date),
  ]);
  if (dimension !== "day_of_week") return merged;
  const placed = merged.placed.toSorted((a, b) => Number(a.group.key) - Number(b.group.key));
  return { grouped: { ...merged.grouped, groups: placed.map(({ group }) => group) }, placed };
}

/** Where the zone left a day out, the one before that. */
function dayBefore(date: PlainDate, zone: string): PlainDate {
  return startOfDay(date, zone).subtract({ microseconds: 1 }).toPlainDate();
}

function regrouped(
  { placed }: GroupList,
  dimension: CalendarDimension,
  dayOf: (date: PlainDate) => PlainDate,
): readonly PlacedGroup[] {
  const groups = placed.map(({ group, ordinal }): PlacedGroup => {
    if (ordinal === undefined) {
      throw new ComandaError(
        "unexpected_answer",
        t`The service gave a day that can't be read: ${group.key}.`,
      );
    }
    const day = dayOf(dayOfOrdinal(ordinal));
    const { key, label } = calendarMember(dimension, day);
    const place = dimension === "day_of_week" ? undefined : dateOrdinal(day.toString(), dimension);
    const identity = place === undefined ? keyIdentity(key) : `${keyIdentity(key)}@${place}`;
    return { group: { ...group, key, label }, identity, ordinal: place };
  });
  // Several days are one week.
  return mergeGroups(dimension, [groups]).placed;
}
