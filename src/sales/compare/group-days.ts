/** Counts how many of a period's days a weekday or an hour has: a month has four Tuesdays or five. */
import { hasDates, type DateField, type Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { calendars, dateOrdinal, dayOrdinal } from "../merge/calendar-forms.js";
import { readingsOf } from "../merge/calendar-names.js";
import type { GroupList } from "../merge/groups.js";
import { endOfPeriodDay, periodDayOf, startOfPeriodDay } from "../period/business-day.js";
import { isBefore, zonedNow, type ZonedDateTime } from "../period/calendar.js";
import type { Period } from "../period/period.js";
import type { PeriodFigures } from "../results.js";

/** Groups of such a dimension come again on other days. */
export type RepeatedDimension = "day_of_week" | "hour";

export function isRepeated(dimension: Dimension): dimension is RepeatedDimension {
  return dimension === "day_of_week" || dimension === "hour";
}

export interface GroupDays {
  readonly days: number;
  /** In these hours of a day an edge of the period cuts one of the days. */
  readonly cuts: readonly number[];
}

/** @returns `undefined` for a group that can't be read */
export type DaysOf = (group: Pick<Group, "key" | "label">) => GroupDays | undefined;

type Side = Pick<PeriodFigures<GroupList>, "figures" | "period" | "age">;

/**
 * Makes the counts of each side. The groups of all sides tell how they are read; where readings differ, nothing is
 * known.
 */
export function daysOfSides(
  sides: readonly Side[],
  dimension: RepeatedDimension,
  dateField: DateField | undefined,
): readonly DaysOf[] {
  const readings = readingsOf(
    sides.flatMap(({ figures }) => figures.placed),
    dimension,
  );
  return sides.map(({ period, age }) => {
    const elapsed = elapsedBy(period, hasDates(dateField) ? undefined : age.askedAt);
    const [{ placeOf: usualPlaceOf }] = calendars.day_of_week;
    const daysBy = (placeOfDay = usualPlaceOf) =>
      dimension === "hour" ? daysByHour(elapsed) : daysByWeekday(elapsed, placeOfDay);
    const counted = readings.map(({ placeOf, placeOfDay }) => ({ placeOf, days: daysBy(placeOfDay) }));
    const commonCount = commonOf(daysBy());
    return (group) =>
      commonCount ??
      commonOf(counted.map(({ placeOf, days }) => days[placeOf({ group, ordinal: undefined }) ?? NaN]));
  });
}

/** Two averages are comparable where their days are whole, or cut alike. */
export function areComparable(left: GroupDays | undefined, other: GroupDays | undefined): boolean {
  if (!left || !other || left.days === 0 || other.days === 0) return false;
  const isWhole = left.cuts.length === 0 && other.cuts.length === 0;
  return isWhole || (left.days === other.days && left.cuts.join() === other.cuts.join());
}

/** These days of a period are over, or have begun. */
interface Elapsed {
  readonly first: number;
  readonly last: number;
  /** It ends before the next moment. Absent for whole days. */
  readonly edges?: { readonly start: ZonedDateTime; readonly next: ZonedDateTime };
  /** In these hours an edge cuts the first day, and the last. */
  readonly cuts: { readonly first?: number; readonly last?: number };
}

/**
 * Cuts a period where it was asked for: there are no orders of what was still to come.
 *
 * @param askedAt is in milliseconds since the epoch; absent for orders that may be scheduled for days to come
 */
function elapsedBy(period: Period, askedAt: number | undefined): Elapsed {
  const asked = askedAt === undefined ? period.end : zonedNow(askedAt, period.zone);
  const isOver = !isBefore(asked, period.end);
  if (isOver && (period.kind === "days" || askedAt === undefined)) {
    const [first = NaN, last = NaN] = [period.from, period.to].map(({ date }) => dateOrdinal(date, "day"));
    return { first, last, cuts: {} };
  }
  const [start, end] = [period.start, isOver ? period.end : asked];
  const [first, last] = [periodDayOf(start, period), periodDayOf(end, period)];
  // People who type an end write 23:59:59.
  const next = end.add({ seconds: 1 });
  return {
    ...{ first: dayOrdinal(first), last: dayOrdinal(last), edges: { start, next } },
    cuts: {
      ...(isBefore(startOfPeriodDay(first, period), start) && { first: start.hour }),
      ...(isBefore(next, endOfPeriodDay(last, period)) && { last: next.hour }),
    },
  };
}

function commonOf(counts: readonly (GroupDays | undefined)[]): GroupDays | undefined {
  const [first] = counts;
  return counts.every((days) => JSON.stringify(days) === JSON.stringify(first)) ? first : undefined;
}

function daysByWeekday(
  { first, last, cuts }: Elapsed,
  placeOf: (day: number) => number,
): readonly GroupDays[] {
  const offsetOf = (place: number) =>
    [0, 1, 2, 3, 4, 5, 6].findIndex((day) => placeOf(first + day) === place);
  return Array.from({ length: 7 }, (_, place) => ({
    days: Math.max(0, Math.ceil((last - first + 1 - offsetOf(place)) / 7)),
    cuts: [
      ...(placeOf(first) === place ? [cuts.first ?? []] : []),
      ...(placeOf(last) === place ? [cuts.last ?? []] : []),
    ].flat(),
  }));
}

function daysByHour({ first, last, edges }: Elapsed): readonly GroupDays[] {
  if (!edges) return Array.from({ length: 24 }, () => ({ days: last - first + 1, cuts: [] }));
  const { start, next } = edges;
  const dates = dayOrdinal(next.toPlainDate()) - dayOrdinal(start.toPlainDate()) + 1;
  return Array.from({ length: 24 }, (_, hour) => {
    const isPast = hour > next.hour || (hour === next.hour && next.minute === 0);
    return {
      days: dates - [hour < start.hour, isPast].filter(Boolean).length,
      cuts: [start, next].filter((edge) => edge.hour === hour && edge.minute > 0).map((edge) => edge.hour),
    };
  });
}
