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
import { hasDates } from "../../contract/enums.js";
import type { DateField } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import {
  endOfDay,
  isBefore,
  parseDate,
  parseDateTime,
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
  /** The window lies in these local days, YYYY-MM-DD. */
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface ZonedWindow {
  readonly window: Window;
  /** The zone is an IANA name. */
  readonly zone: string;
}

export interface SplitOptions {
  /** The default is `created_at`. */
  readonly dateField?: DateField | undefined;
  /** The service counts days by this zone, an IANA name (section 4.7); it need not be the one that was asked for. */
  readonly storeZone?: string | undefined;
}

/** Half a year is counted so that no service refuses it: six whole months have 181 days or more. */
const windowDays = 180;

/**
 * Splits a period into windows, in time's order: one where the period has at most 6 months; else halves of calendar
 * years, or, where these would be more or too long, cut at local month starts into as few as fit into 180 days each.
 *
 * @throws {ComandaError} `invalid_input` where date-times were typed for `scheduled_date`
 */
export function splitPeriod(
  period: Period,
  { dateField = "created_at", storeZone }: SplitOptions = {},
): readonly Window[] {
  const isDated = hasDates(dateField);
  if (isDated && period.kind === "instants") {
    throw new ComandaError("invalid_input", t`Scheduled dates are asked for by day, not by date-time.`, {
      hint: t`Give --from and --to as dates (YYYY-MM-DD), or use --period.`,
    });
  }
  const isOneEnough = countings(period, { dated: isDated, storeZone }).every((counting) =>
    fits(period, counting),
  );
  const cuts = isOneEnough ? [] : fewestCuts(period, { dated: isDated, storeZone });
  return windowsBetween(period, cuts, { zone: period.zone, dated: isDated });
}

function windowsBetween(
  edges: Pick<Period, "from" | "to">,
  cuts: readonly PlainDate[],
  { zone, dated }: { readonly zone: string; readonly dated: boolean },
): readonly Window[] {
  return [undefined, ...cuts].map((cut, index) => {
    const next = cuts[index];
    const from = cut ? { date: cut.toString(), sent: wireDateTime(startOfDay(cut, zone)) } : edges.from;
    const to = next ? dayBefore(next, zone) : edges.to;
    return {
      start: dated ? from.date : from.sent,
      end: dated ? to.date : to.sent,
      firstDay: from.date,
      lastDay: to.date,
    };
  });
}

/** The service may count 6 months in this way. */
interface Counting {
  readonly zone: string;
  /** The clocks of an unknown zone may take so many hours off. */
  readonly spareHours?: number;
}

/**
 * Lists all countings that must be satisfied, since the specification doesn't show which it is: they differ where the
 * clocks change in between.
 */
function countings(
  { start, end, zone }: Period,
  { dated, storeZone }: { readonly dated: boolean; readonly storeZone: string | undefined },
): readonly Counting[] {
  if (!isBefore(reach(start), end)) return [];
  // A date is the same date everywhere.
  if (dated) return [{ zone }];
  if (storeZone !== undefined) return [storeZone, zone, "UTC", start.offset].map((name) => ({ zone: name }));
  return allOffsets.map((offset) => ({ zone: offset, spareHours: clockChangeHours }));
}

/**
 * Tells whether a period fits a counting, also on a clock on the wall, which shows times that the zone leaves out:
 * the limit may be one of these.
 */
function fits({ start, end }: Period, { zone, spareHours = 0 }: Counting): boolean {
  const zoned = [start, end].map((edge) => edge.withTimeZone(zone));
  const onTheWall = zoned.map((edge) => edge.toPlainDateTime().toZonedDateTime("UTC"));
  return [zoned, onTheWall].every(([from = start, to = end]) => {
    const limit = from.add({ months: summaryPeriodMonths }).subtract({ hours: spareHours });
    return !isBefore(limit, to);
  });
}

/**
 * The offsets go from the first zone to the last in whole hours: a part of an hour only moves the end of a month's
 * last day.
 */
const allOffsets = Array.from({ length: 27 }, (_, index) => {
  const hours = index - 12;
  return `${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`;
});
/** A zone's clocks change by at most this between winter and summer. */
const clockChangeHours = 2;

/** Cuts at halves of calendar years where they take no more windows, since other periods share them. */
function fewestCuts(
  period: Period,
  place: { readonly dated: boolean; readonly storeZone: string | undefined },
): readonly PlainDate[] {
  const [halves, months] = [halfYearCuts(period), monthCuts(period)];
  if (halves.length > months.length) return months;
  const edges = [period.start, ...halves.map((cut) => startOfDay(cut, period.zone)), period.end];
  const allFit = edges.slice(1).every((end, index) => {
    const part = { ...period, start: edges[index] ?? period.start, end };
    const last = end === period.end ? part : { ...part, end: end.subtract({ microseconds: 1 }) };
    return countings(last, place).every((counting) => fits(last, counting));
  });
  return allFit ? halves : months;
}

function halfYearCuts({ start, end, zone }: Period): PlainDate[] {
  const cuts: PlainDate[] = [];
  const first = start.toPlainDate().with({ day: 1 });
  let cut = first.with({ month: first.month <= 6 ? 7 : 1 }).add({ years: first.month <= 6 ? 0 : 1 });
  while (isBefore(startOfDay(cut, zone), end)) {
    cuts.push(cut);
    cut = cut.add({ months: 6 });
  }
  return cuts;
}

/**
 * Splits a window that a service refuses which counts half a year as 180 days.
 *
 * @returns the window itself where it is no longer than that
 */
export function splitWindow(
  window: Window,
  zone: string,
  dateField: DateField | undefined,
): readonly Window[] {
  const dated = hasDates(dateField ?? "created_at");
  const start = dated ? startOfDay(parseDate(window.start), zone) : parseDateTime(window.start, zone);
  const end = dated ? endOfDay(parseDate(window.end), zone) : parseDateTime(window.end, zone);
  const edges = {
    from: { date: window.firstDay, sent: window.start },
    to: { date: window.lastDay, sent: window.end },
  };
  return windowsBetween(edges, monthCuts({ start, end, zone }), { zone, dated });
}

/** Lists the first days of the months at which one window ends and the next begins. */
function monthCuts({ start, end, zone }: Pick<Period, "start" | "end" | "zone">): PlainDate[] {
  const cuts: PlainDate[] = [];
  let from = start;
  while (isBefore(reach(from), end)) {
    const cut = lastMonthStart(from, zone);
    cuts.push(cut);
    from = startOfDay(cut, zone);
  }
  return cuts;
}

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
