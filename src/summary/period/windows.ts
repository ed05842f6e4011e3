/**
 * A period as the windows that the service is asked for: one, or several where it is longer than 6 months.
 *
 * **The seam.** Whether the service takes `end_date` as included is not shown. A window therefore ends at an
 * instant at which no order can have been created, one microsecond before the next begins: `23:59:59.999999`
 * and `00:00:00`. With timestamps in whole seconds or milliseconds no order lies between the two or on the
 * first, so "at or before the end" and "before the end" select the same orders: none twice, none lost.
 * (`.999` would lose an order of that very millisecond where the end is excluded; `23:59:59` one of the last
 * second; ending at the next `00:00:00` would count one of that second twice where the end is included. Six
 * digits, since some date parsers take three or six and no other number.)
 *
 * Its limits: a service that cuts the fraction off and also leaves the end out misses the orders of the last
 * millisecond (or second) of a window, which no way of writing the end could mend for both readings. With
 * timestamps in microseconds the same is true of the last microsecond.
 *
 * **Dates** (`scheduled_date`) go out as YYYY-MM-DD, both days included: a window ends on the last day of a
 * month, the next starts on the first. A service that left the last day out would answer nothing for a single
 * day, so that reading is not provided for.
 */
import { summaryPeriodMonths } from "../../contract/limits.js";
import { hasDates, type DateField } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import {
  endOfDay,
  isBefore,
  type PlainDate,
  startOfDay,
  wireDateTime,
  type ZonedDateTime,
} from "./calendar.js";
import type { Period } from "./period.js";

export interface Window {
  /** `start_date` and `end_date` as they go out. */
  readonly start: string;
  readonly end: string;
  /** The local days they lie in, YYYY-MM-DD. */
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface SplitOptions {
  /** Default `created_at`. */
  readonly dateField?: DateField | undefined;
  /** IANA name, by which the service counts days (section 4.7); it need not be the one that was asked for. */
  readonly storeZone?: string | undefined;
}

/** Half a year, counted so that no service refuses it: six whole months have 181 days or more. */
const windowDays = 180;

/**
 * The windows of a period, in time's order: one where the period has at most 6 months; else cut at local
 * month starts into as few as fit into 180 days each.
 *
 * @throws {ComandaError} `invalid_input` where date-times were given for `scheduled_date`
 */
export function splitPeriod(
  period: Period,
  { dateField = "created_at", storeZone }: SplitOptions = {},
): readonly Window[] {
  const dated = hasDates(dateField);
  if (dated && period.kind === "instants") {
    throw new ComandaError("invalid_input", "Scheduled dates are asked for by day, not by date-time.", {
      hint: "Give --from and --to as dates (YYYY-MM-DD), or use --period.",
    });
  }
  const oneWill = countings(period, { dated, storeZone }).every((counting) => fits(period, counting));
  const cuts = oneWill ? [] : monthCuts(period);
  const edges = { from: period.from, to: period.to };
  return [undefined, ...cuts].map((cut, index) => {
    const next = cuts[index];
    const from = cut
      ? { date: cut.toString(), sent: wireDateTime(startOfDay(cut, period.zone)) }
      : edges.from;
    const to = next ? dayBefore(next, period.zone) : edges.to;
    return {
      start: dated ? from.date : from.sent,
      end: dated ? to.date : to.sent,
      firstDay: from.date,
      lastDay: to.date,
    };
  });
}

/** A way in which the service may count 6 months. */
interface Counting {
  readonly zone: string;
  /** What the clocks of an unknown zone may take off. */
  readonly spareHours?: number;
}

/** All that must be satisfied, since which it is, is not shown: they differ where the clocks change in between. */
function countings(
  { start, end, zone }: Period,
  { dated, storeZone }: { readonly dated: boolean; readonly storeZone: string | undefined },
): readonly Counting[] {
  if (!isBefore(reach(start), end)) return [];
  // A date is the same date everywhere.
  if (dated) return [{ zone }];
  if (storeZone !== undefined) return [storeZone, zone, "UTC", start.offset].map((each) => ({ zone: each }));
  return allOffsets.map((offset) => ({ zone: offset, spareHours: clockChangeHours }));
}

function fits({ start, end }: Period, { zone, spareHours = 0 }: Counting): boolean {
  const limit = start.withTimeZone(zone).add({ months: summaryPeriodMonths }).subtract({ hours: spareHours });
  return !isBefore(limit, end);
}

/** From the first zone to the last; a part of an hour changes nothing here but how a month's last day falls. */
const allOffsets = Array.from({ length: 27 }, (_, index) => {
  const hours = index - 12;
  return `${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`;
});
/** By as much as any zone's clocks change between winter and summer. */
const clockChangeHours = 2;

/** The first days of the months at which one window ends and the next begins. */
function monthCuts({ start, end, zone }: Period): PlainDate[] {
  const cuts: PlainDate[] = [];
  let from = start;
  while (isBefore(reach(from), end)) {
    const cut = lastMonthStart(from, zone);
    cuts.push(cut);
    from = startOfDay(cut, zone);
  }
  return cuts;
}

/** As far as a window that starts here may go. */
function reach(from: ZonedDateTime): ZonedDateTime {
  return from.add({ hours: 24 * windowDays });
}

function lastMonthStart(from: ZonedDateTime, zone: string): PlainDate {
  const limit = reach(from);
  const thisMonth = limit.toPlainDate().with({ day: 1 });
  return isBefore(limit, startOfDay(thisMonth, zone)) ? thisMonth.subtract({ months: 1 }) : thisMonth;
}

function dayBefore(cut: PlainDate, zone: string): { date: string; sent: string } {
  const day = cut.subtract({ days: 1 });
  return { date: day.toString(), sent: wireDateTime(endOfDay(day, zone)) };
}
