/**
 * A store's day may start later than midnight: sales of the night then belong to the day before. Such a day is a day of
 * the calendar on a clock that is set back by its start. Periods are resolved and compared on that clock, and brought to
 * the real one here. A day that starts in an hour that the zone's clocks leave out starts as much later; in one that they
 * go through twice, the first time.
 */
import { Temporal } from "temporal-polyfill";

import {
  isBefore,
  parseDate,
  startOfDay,
  wireDateTime,
  zonedNow,
  type PlainDate,
  type ZonedDateTime,
} from "./calendar.js";
import type { Period } from "./period.js";

/**
 * Gives the time that the clock shows which is set back.
 *
 * @param now is in milliseconds since the epoch
 */
export function setBack(now: number, zone: string, dayStarts: string): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDateTime();
  const clockTime = wall.subtract(sinceMidnight(dayStarts)).toZonedDateTime(zone);
  const [date, days] = [clockTime.toPlainDate(), { zone, dayStarts }];
  // In a night in which the clocks change, they may come to the day's start too early, or fall behind it again.
  if (now < startOfPeriodDay(date, days).epochMilliseconds)
    return startOfDay(date, zone).epochMilliseconds - 1;
  const next = date.add({ days: 1 });
  if (now >= startOfPeriodDay(next, days).epochMilliseconds) return startOfDay(next, zone).epochMilliseconds;
  return clockTime.epochMilliseconds;
}

/** Gives the first instant of a day of a period. */
export function startOfPeriodDay(
  date: PlainDate,
  { zone, dayStarts }: Pick<Period, "zone" | "dayStarts">,
): ZonedDateTime {
  if (dayStarts === undefined) return startOfDay(date, zone);
  return date.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(dayStarts) });
}

/** Gives the day that a moment belongs to: the time before the start of a day belongs to the day before. */
export function periodDayOf(moment: ZonedDateTime, period: Pick<Period, "zone" | "dayStarts">): PlainDate {
  const date = moment.toPlainDate();
  return isBefore(moment, startOfPeriodDay(date, period)) ? date.subtract({ days: 1 }) : date;
}

/** Gives the last microsecond of a day of a period. */
export function endOfPeriodDay(date: PlainDate, period: Pick<Period, "zone" | "dayStarts">): ZonedDateTime {
  return startOfPeriodDay(date.add({ days: 1 }), period).subtract({ microseconds: 1 });
}

/**
 * Brings a period from the clock that is set back to the real one. A period between two moments keeps them.
 *
 * @param now is where a running period ends, in milliseconds since the epoch; without it, it ends at the same time of
 * its last day
 */
export function onBusinessDays(clockPeriod: Period, dayStarts: string | undefined, now?: number): Period {
  const { kind, zone, from, to } = clockPeriod;
  if (dayStarts === undefined) return clockPeriod;
  if (kind === "instants") return { ...clockPeriod, dayStarts };
  const days = { zone, dayStarts };
  const start = startOfPeriodDay(parseDate(from.date), days);
  const end =
    kind === "days"
      ? endOfPeriodDay(parseDate(to.date), days)
      : now !== undefined
        ? zonedNow(now, zone)
        : clockPeriod.end.toPlainDateTime().add(sinceMidnight(dayStarts)).toZonedDateTime(zone);
  return {
    ...clockPeriod,
    dayStarts,
    start,
    end,
    from: { date: from.date, sent: wireDateTime(start) },
    to: { date: to.date, sent: wireDateTime(end) },
  };
}

function sinceMidnight(time: string): { hours: number; minutes: number } {
  const { hour, minute } = Temporal.PlainTime.from(time);
  return { hours: hour, minutes: minute };
}
