/** `--compare` compares the period with another one. */
import type { DateField } from "../../contract/enums.js";
import {
  daysBetween,
  endOfDay,
  isBefore,
  parseDate,
  type PlainDate,
  type ZonedDateTime,
  zonedNow,
  startOfDay,
} from "./calendar.js";
import {
  daysPeriod,
  describePeriod,
  type Period,
  type PeriodEdge,
  type PeriodUnit,
  period,
} from "./period.js";
import { resolvePeriod, type PeriodRequest } from "./resolve.js";
import { plural, t } from "../../shared/language.js";

export const comparisons = ["previous", "week", "month", "year", "date"] as const;
/** A comparison is one of the names, or any second period. */
export type Comparison = (typeof comparisons)[number] | PeriodRequest;

interface ComparisonContext {
  /** The time is in milliseconds since the epoch. */
  readonly now: number;
  readonly dateField?: DateField | undefined;
}

/**
 * - `previous`: the unit before. A whole month meets the whole month before, a year the year, a week the week; N days
 *   meet the N days before.
 * - `week`: seven days earlier, the same weekdays.
 * - `month`: the same dates a month earlier, as far as that month has them; a whole month meets the whole month before.
 * - `year`: whole months and years a year earlier; anything else 364 days earlier, the same weekdays.
 * - `date`: the same dates a year earlier; 28 February stands in for the 29th.
 *
 * A period that is still running meets the same part of the other one: this month until now, the last one until the
 * same day and time, or the whole of it where it has no such day. Times of day stay what they are. A second period that
 * was typed is what it says.
 *
 * @throws {ComandaError} `invalid_input` as {@link resolvePeriod}, for a second period
 */
export function comparisonPeriod(period: Period, comparison: Comparison, context: ComparisonContext): Period {
  const { zone, dayStarts } = period;
  if (typeof comparison !== "string") return resolvePeriod(comparison, { ...context, zone, dayStarts });
  const current = elapsedPart(period, context);
  const { label, months } = current;
  switch (comparison) {
    case "previous":
      return unitBefore(current);
    case "week":
      return moveBack(current, { days: 7 }, t`${label}, a week before`);
    case "month":
      return months === 1
        ? unitBefore(current)
        : moveBack(current, { months: 1 }, t`${label}, the same dates a month before`);
    case "date":
      return {
        ...moveBack(current, { months: 12 }, t`${label}, the same dates a year before`),
        byDate: true,
      };
    case "year":
      return months === undefined
        ? moveBack(current, { days: 364 }, t`${label}, 364 days before`)
        : monthsBefore(current, { months, back: 12, label: t`${label}, a year before` });
  }
}

/**
 * Describes the window that another one is compared with, for a heading. Where the two have different numbers of
 * days, it says so: `2026-09-01 to 2026-09-30 (UTC), 30 days against 31`.
 */
export function describePrevious(previous: Period, current: Period): string {
  const [daysBefore, daysNow] = [countDays(previous), countDays(current)];
  const lengths =
    daysBefore === daysNow
      ? ""
      : plural(daysBefore, {
          one: t`, 1 day against ${daysNow}`,
          other: t`, ${daysBefore} days against ${daysNow}`,
        });
  return `${describePeriod(previous)}${lengths}`;
}

/**
 * Cuts a period at the present, since there are no orders of later: a period that was asked for up to a day to come
 * (`2026-11` in November) counts as one that is running. Orders may be scheduled for days to come, so by that date it
 * stays as it is.
 */
function elapsedPart(whole: Period, { now, dateField = "created_at" }: ComparisonContext): Period {
  const present = zonedNow(now, whole.zone);
  if (dateField !== "created_at" || whole.kind !== "days" || !isBefore(present, whole.end)) return whole;
  // A start in the future, by less than the day of grace, leaves nothing to cut.
  if (isBefore(present, whole.start)) return whole;
  return period({ ...whole, kind: "running", end: present });
}

function unitBefore(current: Period): Period {
  const { unit, months, kind } = current;
  const until = kind === "running" ? t`, until then` : "";
  if (months !== undefined) {
    const labels: Partial<Record<PeriodUnit, string>> = {
      month: t`the month before${until}`,
      year: t`the year before${until}`,
    };
    const label = labels[unit] ?? t`the ${months} months before${until}`;
    return monthsBefore(current, { months, back: months, label });
  }
  if (unit === "week") return moveBack(current, { days: 7 }, t`the week before${until}`);
  const days = daysToMove(current);
  return moveBack(current, { days }, plural(days, { one: t`1 day before`, other: t`${days} days before` }));
}

/** Goes back as many whole months, however long they are. For a running period it takes the same part. */
function monthsBefore(
  current: Period,
  { months, back, label }: { readonly months: number; readonly back: number; readonly label: string },
): Period {
  const { kind, unit, from, zone, dayStarts } = current;
  if (kind !== "days") return moveBack(current, { months: back }, label);
  const first = parseDate(from.date).subtract({ months: back });
  const last = first.add({ months }).subtract({ days: 1 });
  return daysPeriod({ label, unit, months, first, last, zone, dayStarts });
}

/** Finds the least number of whole days by which a period has to move so that it doesn't overlap itself. */
function daysToMove(current: Period): number {
  const { kind, start, end } = current;
  const days = countDays(current) - 1;
  const isTouching = kind !== "instants" || !isBefore(end.subtract({ days }), start);
  return Math.max(1, isTouching ? days + 1 : days);
}

/** Moves both edges earlier at the same time of day; the first and last instant of a day stay just that. */
function moveBack(current: Period, by: { days: number } | { months: number }, label: string): Period {
  const { kind, unit, zone, dayStarts } = current;
  const lastDay = parseDate(current.to.date);
  const [first, last] = [parseDate(current.from.date).subtract(by), lastDay.subtract(by)];
  if (kind === "days") return daysPeriod({ label, unit, first, last, zone, dayStarts });
  // February has no 31st: what March has come to by then is more than all of February.
  const isWholeMonth = kind === "running" && last.day < lastDay.day && "months" in by && !first.equals(last);
  const start =
    kind === "running" ? startOfDay(first, current) : atSameTime(first, current.start, current.from);
  const end = isWholeMonth ? endOfDay(last, current) : atSameTime(last, current.end, current.to);
  return period({ label, kind, unit, dayStarts, start, end });
}

/** Gives the moment of another day at which an edge of the period lies on its own. */
function atSameTime(day: PlainDate, moment: ZonedDateTime, { date }: PeriodEdge): ZonedDateTime {
  const { timeZoneId: zone } = moment;
  // Where days start late, the night belongs to the day before.
  const moved = day.add(parseDate(date).until(moment));
  const at = moved.toZonedDateTime({ timeZone: zone, plainTime: moment });
  // A time that the day doesn't have may come out on the next one.
  return at.toPlainDate().equals(moved) ? at : endOfDay(moved, { zone });
}

/** Counts the calendar days that a period touches. */
function countDays({ from, to }: Period): number {
  return daysBetween(parseDate(from.date), parseDate(to.date)) + 1;
}
