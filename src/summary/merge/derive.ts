/** What follows from the figures by day, so that the service need not be asked for it. */
import type { PlainDate } from "../period/calendar.js";
import { dayOf, labelsLike, type CalendarDimension, type LabelOf } from "./calendar-labels.js";
import { calendarMember } from "./calendar-member.js";
import { dateOrdinal, keyIdentity, type PlacedGroup } from "./group-identity.js";
import { mergeGroups, type GroupList } from "./groups.js";
import { addMetrics, type Metrics } from "./sums.js";

/** Every order belongs to one day, so all days together are the period. */
export function totalOfDays({ grouped }: GroupList): Metrics {
  return addMetrics(grouped.groups);
}

/**
 * The figures by week, month or weekday (ISO 8601; 0 is Sunday), which are called as the days are.
 *
 * @param moved.to to which day a date's figures belong, where that isn't itself
 * @returns `undefined` where a day's key can't be read
 */
export function regroupDays(
  { placed }: GroupList,
  dimension: CalendarDimension,
  moved: { readonly to?: (date: PlainDate) => PlainDate; readonly labelOf?: LabelOf } = {},
): GroupList | undefined {
  const to = moved.to ?? ((date: PlainDate) => date);
  const labelOf = moved.labelOf ?? labelsLike(placed);
  const regrouped: PlacedGroup[] = [];
  for (const { group, ordinal } of placed) {
    if (ordinal === undefined) return undefined;
    const day = to(dayOf(ordinal));
    const { key, label } = calendarMember(dimension, day, labelOf);
    const place = dimension === "day_of_week" ? undefined : dateOrdinal(day.toString(), dimension);
    const identity = place === undefined ? keyIdentity(key) : `${keyIdentity(key)}@${place}`;
    regrouped.push({ group: { ...group, key, label }, identity, ordinal: place });
  }
  return inOrder(mergeGroups(dimension, [regrouped]));
}

/** As {@link regroupDays}. */
export function weekdaysOfDays(days: GroupList): GroupList | undefined {
  return regroupDays(days, "day_of_week");
}

/** Weekdays from Sunday on, others in time's order. */
export function inOrder(list: GroupList): GroupList {
  if (list.grouped.group_by !== "day_of_week") return list;
  const placed = list.placed.toSorted((a, b) => Number(a.group.key) - Number(b.group.key));
  return { grouped: { ...list.grouped, groups: placed.map(({ group }) => group) }, placed };
}
