/** Counts how many of a period's days a weekday or an hour has: a month has four Tuesdays or five. */
import { hasDates, type DateField, type Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { calendars, dayOrdinal, daysByPlace } from "../merge/calendar-forms.js";
import { readingsOf } from "../merge/calendar-names.js";
import type { GroupList } from "../merge/groups.js";
import {
  isBefore,
  parseDate,
  zonedNow,
  type PlainDate,
  type ZonedDateTime,
  endOfDay,
  periodDayOf,
  startOfDay,
} from "../period/calendar.js";
import type { Period } from "../period/period.js";
import type { PeriodFigures } from "../results.js";

/** Groups of such a dimension come again on other days. */
export type RepeatedDimension = "day_of_week" | "hour";

export function isRepeated(dimension: Dimension): dimension is RepeatedDimension {
  return dimension === "day_of_week" || dimension === "hour";
}

export interface GroupDays {
  readonly days: number;
  /** At these minutes of a day an edge of the period, or a change of the clock, cuts one of the days. */
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
    const elapsed = hasDates(dateField) ? { ...period, isWhole: true } : elapsedBy(period, age.askedAt);
    const [{ placeOf: usualPlaceOf }] = calendars.day_of_week;
    const daysBy = (placeOfDay = usualPlaceOf) =>
      dimension === "hour" ? daysByHour(elapsed) : daysByWeekday(elapsed, placeOfDay);
    const counted = readings.map(({ placeOf, placeOfDay }) => ({ placeOf, days: daysBy(placeOfDay) }));
    const commonCount = commonOf(daysBy());
    return (group) => {
      const counts = counted.map(({ placeOf, days }) => days[placeOf({ group, ordinal: undefined }) ?? NaN]);
      return commonCount ?? commonOf(counts);
    };
  });
}

/** Two averages are comparable where their days are whole, or cut alike. */
export function areComparable(left: GroupDays | undefined, other: GroupDays | undefined): boolean {
  if (!left || !other || left.days === 0 || other.days === 0) return false;
  const [cuts, others] = [left.cuts, other.cuts];
  if (cuts.length === 0 && others.length === 0) return true;
  // Two answers of one run may be asked some minutes apart.
  const isAlike = cuts.every((minute, index) => Math.abs(minute - (others[index] ?? NaN)) <= 15);
  return isAlike && cuts.length === others.length && left.days === other.days;
}

interface Elapsed extends Pick<Period, "zone" | "dayStarts" | "from" | "to" | "start" | "end"> {
  readonly isWhole: boolean;
}

/** Cuts a period where it was asked for: there are no orders of what was still to come. */
function elapsedBy(period: Period, askedAt: number): Elapsed {
  const zonedTime = zonedNow(askedAt, period.zone);
  const isOver = !isBefore(zonedTime, period.end);
  return { ...period, end: isOver ? period.end : zonedTime, isWhole: period.kind === "days" && isOver };
}

function commonOf(counts: readonly (GroupDays | undefined)[]): GroupDays | undefined {
  const [first] = counts;
  return counts.every((days) => JSON.stringify(days) === JSON.stringify(first)) ? first : undefined;
}

function daysByWeekday(elapsed: Elapsed, placeOf: (day: number) => number): readonly GroupDays[] {
  const { start, end, isWhole, from, to } = elapsed;
  const [first, last] = isWhole
    ? [parseDate(from.date), parseDate(to.date)]
    : [periodDayOf(start, elapsed), periodDayOf(end, elapsed)];
  const cutAt = (day: PlainDate, moment: ZonedDateTime, isCut: boolean) =>
    isCut && !isWhole ? [{ place: placeOf(dayOrdinal(day)), minute: minuteOf(moment) }] : [];
  const cuts = [
    ...cutAt(first, start, isBefore(startOfDay(first, elapsed), start)),
    // People who type an end write 23:59:59.
    ...cutAt(last, end, isBefore(end.add({ seconds: 1 }), endOfDay(last, elapsed))),
  ];
  return daysByPlace(dayOrdinal(first), dayOrdinal(last), placeOf).map((days, place) => ({
    days,
    cuts: cuts.filter((cut) => cut.place === place).map(({ minute }) => minute),
  }));
}

/**
 * Counts the days of a period by hour. An hour that the clock leaves out isn't counted on that day; one that it
 * repeats is cut.
 */
function daysByHour({ start, end, isWhole, from, to }: Elapsed): readonly GroupDays[] {
  // People who type an end write 23:59:59.
  const next = end.add({ seconds: 1 });
  const edges = isWhole
    ? { days: dayOrdinal(parseDate(to.date)) - dayOrdinal(parseDate(from.date)) + 1, first: 0, last: 1_440 }
    : {
        days: dayOrdinal(end.toPlainDate()) - dayOrdinal(start.toPlainDate()) + 1,
        first: minuteOf(start),
        last: next.toPlainDate().equals(end.toPlainDate()) ? minuteOf(next) : 1_440,
      };
  // Where the clock begins a day late, the change leaves its first hours out; elsewhere `edges` does.
  const changes = clockChanges(isWhole ? start.subtract({ nanoseconds: 1 }) : start, end);
  return Array.from({ length: 24 }, (_, hour) => {
    const [begin, finish] = [hour * 60, hour * 60 + 60];
    const isLeftOut = [finish <= edges.first, begin >= edges.last];
    const skipped = changes.filter(({ first, last }) => first <= begin && finish <= last);
    const touched = changes.filter((change) => {
      const [first, last] = [Math.min(change.first, change.last), Math.max(change.first, change.last)];
      return first < finish && begin < last && !skipped.includes(change);
    });
    return {
      days: edges.days - isLeftOut.filter(Boolean).length - skipped.length,
      cuts: [edges.first, edges.last, ...touched.map(({ first }) => first)].filter(
        (minute, index) => index > 1 || (begin < minute && minute < finish),
      ),
    };
  });
}

/** Lists the minutes of a day between which the clocks go forward; where they go back, the other way round. */
function clockChanges(start: ZonedDateTime, end: ZonedDateTime) {
  const changes: { readonly first: number; readonly last: number }[] = [];
  for (
    let change = start.getTimeZoneTransition("next");
    change && isBefore(change, end);
    change = change.getTimeZoneTransition("next")
  ) {
    const before = change.subtract({ nanoseconds: 1 });
    const minutes = (change.offsetNanoseconds - before.offsetNanoseconds) / 60_000_000_000;
    const last = minuteOf(change);
    changes.push({ first: last - minutes, last });
  }
  return changes;
}

function minuteOf({ hour, minute }: ZonedDateTime): number {
  return hour * 60 + minute;
}
