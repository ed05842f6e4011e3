/**
 * Groups by days that start later than midnight, out of the service's days: what was sold before the start belongs to
 * the day before. The two parts are asked for by a filter each; weeks, months and weekdays follow from the days.
 */
import type { Filter } from "../../contract/filters.js";
import type { Dimension } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { startOfDay, type PlainDate } from "../period/calendar.js";
import { isCalendar } from "./calendar-member.js";
import { labelsLike, type CalendarDimension } from "./calendar-labels.js";
import { inOrder, regroupDays } from "./derive.js";
import type { PlacedGroup } from "./group-identity.js";
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
  const labelOf = labelsLike([...morning.placed, ...own.placed]);
  const merged = mergeGroups(dimension, [
    regrouped(morning, dimension, { to: (date) => dayBefore(date, zone), labelOf }),
    regrouped(own, dimension, { labelOf }),
  ]);
  return inOrder(merged);
}

/** Where the zone left a day out, the one before that. */
function dayBefore(date: PlainDate, zone: string): PlainDate {
  return startOfDay(date, zone).subtract({ microseconds: 1 }).toPlainDate();
}

function regrouped(
  list: GroupList,
  dimension: CalendarDimension,
  moved: Parameters<typeof regroupDays>[2],
): readonly PlacedGroup[] {
  const groups = regroupDays(list, dimension, moved);
  if (groups) return groups.placed;
  const unread = list.placed.find(({ ordinal }) => ordinal === undefined);
  throw new ComandaError(
    "unexpected_answer",
    t`The service gave a day that can't be read: ${unread?.group.key ?? null}.`,
  );
}
