/** What follows from the figures by day, so that the service need not be asked for it. */
import { weekdays } from "./calendar-member.js";
import { keyIdentity, type PlacedGroup } from "./group-identity.js";
import { mergeGroups, type GroupList } from "./groups.js";
import { addMetrics, type Metrics } from "./sums.js";

/** Every order belongs to one day, so all days together are the period. */
export function totalOfDays({ grouped }: GroupList): Metrics {
  return addMetrics(grouped.groups);
}

/** 1970-01-01 was a Thursday. */
const firstOrdinal = 4;

/**
 * The figures by weekday: 0 is Sunday. Its names are comanda's own.
 *
 * @returns `undefined` where a day's key can't be read
 */
export function weekdaysOfDays({ placed }: GroupList): GroupList | undefined {
  const moved: { readonly weekday: number; readonly one: PlacedGroup }[] = [];
  for (const { group, ordinal } of placed) {
    if (ordinal === undefined) return undefined;
    const weekday = (((ordinal + firstOrdinal) % 7) + 7) % 7;
    const named = { ...group, key: weekday, label: weekdays[weekday] ?? null };
    moved.push({ weekday, one: { group: named, identity: keyIdentity(weekday), ordinal: undefined } });
  }
  const inOrder = moved.toSorted((a, b) => a.weekday - b.weekday).map(({ one }) => one);
  return mergeGroups("day_of_week", [inOrder]);
}
