/** A period may have only a part of a week or month, where its edges cut it. */
import type { Dimension } from "../../contract/enums.js";
import { isBefore, parseDate, endOfDay, periodDayOf, startOfDay } from "../period/calendar.js";
import type { Period } from "../period/period.js";
import { calendars, dateOrdinal, dayOf, dayOrdinal, firstDayOf } from "./calendar-forms.js";
import { isTimeline, type PlacedGroup } from "./group-identity.js";

export type CutDimension = "week" | "month";

export function canBeCut(dimension: string): dimension is CutDimension {
  return dimension === "week" || dimension === "month";
}

export interface Unit {
  readonly ordinal: number;
  /** The period touches so many days of the unit. */
  readonly days: number;
  readonly daysOfUnit: number;
  /** The period begins on this day of the unit, counted from 0. */
  readonly offset: number;
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/**
 * Lists the weeks or months of a period. Where a service's keys lie outside of the period, it counts in another way,
 * and nothing is known of parts.
 */
export function unitsOf(
  dimension: CutDimension,
  period: Period,
  placed: readonly Pick<PlacedGroup, "ordinal">[],
): readonly Unit[] {
  const [{ placeOf }] = calendars[dimension];
  const [first, last] = [dayAt(period.start, period), dayAt(period.end, period)];
  const [from, to] = [placeOf(first), placeOf(last)];
  if (placed.some(({ ordinal }) => ordinal === undefined || ordinal < from || ordinal > to)) return [];
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const ordinal = from + index;
    const [firstOfUnit, next] = [firstDayOf(ordinal, dimension), firstDayOf(ordinal + 1, dimension)];
    const begin = Math.max(firstOfUnit, first);
    return {
      ordinal,
      days: Math.min(next - 1, last) - begin + 1,
      daysOfUnit: next - firstOfUnit,
      offset: begin - firstOfUnit,
      isCutBefore: isBefore(startOfDay(dayOf(firstOfUnit), period), period.start),
      // People who type an end write 23:59:59.
      isCutAfter: isBefore(period.end.add({ seconds: 1 }), endOfDay(dayOf(next - 1), period)),
    };
  });
}

/** Tells whether a day, week or month of a period isn't over. For other groups it is the period itself. */
export function isRunning(
  { runningDay }: Pick<Period, "runningDay">,
  dimension?: Dimension,
  ordinal?: number,
) {
  if (runningDay === undefined) return false;
  if (dimension === undefined || !isTimeline(dimension)) return true;
  return ordinal !== undefined && ordinal === dateOrdinal(runningDay, dimension);
}

/** A group in time may be marked: an edge cuts it, so that only a part lies in the period, or it isn't over. */
export interface Mark {
  readonly part: Unit | undefined;
  readonly isRunning: boolean;
}

/** Makes the marks in the order of the groups. */
export function marksOf(
  placed: readonly Pick<PlacedGroup, "ordinal">[],
  dimension: Dimension,
  period: Period,
): readonly Mark[] {
  const inTime = placed.filter(({ ordinal }) => ordinal !== undefined);
  const parts = canBeCut(dimension) ? unitsOf(dimension, period, inTime).filter(isPart) : [];
  return placed.map(({ ordinal }) => ({
    part: parts.find((unit) => unit.ordinal === ordinal),
    isRunning: isRunning(period, dimension, ordinal),
  }));
}

export function isPart({ isCutBefore, isCutAfter }: Unit): boolean {
  return isCutBefore || isCutAfter;
}

/** Two parts are the same where both have the same days of their week or month, or all from the same one on. */
export function isSamePart(left: Unit, other: Unit): boolean {
  const endsAlike = left.isCutAfter ? left.days === other.days : true;
  return left.offset === other.offset && left.isCutAfter === other.isCutAfter && endsAlike;
}

/** Gives the day at an edge. An edge of whole days is what was asked for, even where the zone left that day out. */
function dayAt(moment: Period["start"], period: Period): number {
  if (period.kind !== "days") return dayOrdinal(periodDayOf(moment, period));
  return dayOrdinal(parseDate(moment === period.start ? period.from.date : period.to.date));
}
