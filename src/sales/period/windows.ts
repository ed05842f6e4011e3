/**
 * A period as the windows that the service is asked for: one, or several where it is longer than 6 months.
 *
 * **The seam.** Whether the service takes `end_date` as included is not shown. A window therefore ends at an instant at
 * which no order can have been created, one microsecond before the next begins: `23:59:59.999999` and `00:00:00`. With
 * timestamps in whole seconds or milliseconds, "at or before the end" and "before the end" then select the same orders:
 * none twice, none lost. It has six digits, since some date parsers take three or six and no other number. A service
 * that cuts the fraction off and also leaves the end out misses the orders of a window's last second, which no way of
 * writing the end could mend for both readings.
 *
 * **Dates** (`scheduled_date`) go out as YYYY-MM-DD, both days included: a window ends on the last day of a month, the
 * next starts on the first.
 */
import { hasDates, type DateField } from "../../contract/enums.js";
import { summaryPeriodMonths } from "../../contract/limits.js";
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

type Edges = Pick<Period, "from" | "to" | "start" | "end" | "zone">;

/**
 * Splits a period into windows, in time's order: one where the period has at most 6 months; else halves of calendar
 * years, which other periods share, or, where these would be more, windows of at most 180 days each. A service that
 * counts half a year otherwise may refuse a window: {@link splitWindow} makes shorter ones of it.
 *
 * @throws {ComandaError} `invalid_input` where date-times were typed for `scheduled_date`
 */
export function splitPeriod(period: Period, dateField: DateField = "created_at"): readonly Window[] {
  if (hasDates(dateField) && period.kind === "instants") {
    throw new ComandaError("invalid_input", t`Scheduled dates are asked for by day, not by date-time.`, {
      hint: t`Give --from and --to as dates (YYYY-MM-DD), or use --period.`,
    });
  }
  const isOneEnough = !isBefore(period.start.add({ months: summaryPeriodMonths }), period.end);
  if (isOneEnough) return windowsBetween(period, [], dateField);
  const [halves, months] = [halfYearCuts(period), monthCuts(period)];
  return windowsBetween(period, halves.length > months.length ? months : halves, dateField);
}

/**
 * Splits a window that a service refuses which counts half a year as 180 days.
 *
 * @returns the window itself where it is no longer than that
 */
export function splitWindow(
  { start, end, firstDay, lastDay }: Window,
  zone: string,
  dateField: DateField = "created_at",
): readonly Window[] {
  const isDated = hasDates(dateField);
  const edges = {
    zone,
    from: { date: firstDay, sent: start },
    to: { date: lastDay, sent: end },
    start: isDated ? startOfDay(parseDate(start), { zone }) : parseDateTime(start, zone),
    end: isDated ? endOfDay(parseDate(end), { zone }) : parseDateTime(end, zone),
  };
  return windowsBetween(edges, monthCuts(edges), dateField);
}

/** @param cuts are the first days of all windows but the first */
function windowsBetween(
  { from, to, zone }: Edges,
  cuts: readonly PlainDate[],
  dateField: DateField,
): readonly Window[] {
  const starts = cuts.map((cut) => ({ date: cut.toString(), sent: wireDateTime(startOfDay(cut, { zone })) }));
  const ends = cuts.map((cut) => {
    const day = cut.subtract({ days: 1 });
    return { date: day.toString(), sent: wireDateTime(endOfDay(day, { zone })) };
  });
  return [from, ...starts].map((first, index) => {
    const last = ends[index] ?? to;
    const [start, end] = hasDates(dateField) ? [first.date, last.date] : [first.sent, last.sent];
    return { start, end, firstDay: first.date, lastDay: last.date };
  });
}

function halfYearCuts({ start, end, zone }: Edges): readonly PlainDate[] {
  const cuts: PlainDate[] = [];
  const half = start.toPlainDate().with({ month: start.month <= 6 ? 1 : 7, day: 1 });
  let cut = half.add({ months: 6 });
  while (isBefore(startOfDay(cut, { zone }), end)) {
    cuts.push(cut);
    cut = cut.add({ months: 6 });
  }
  return cuts;
}

/** Half a year is counted so that no service refuses it: six whole months have 181 days or more. */
const windowDays = 180;

/** Cuts at the last start of a month that each window reaches. */
function monthCuts({ start, end, zone }: Edges): readonly PlainDate[] {
  const cuts: PlainDate[] = [];
  const reachOf = (from: Period["start"]) => from.add({ hours: 24 * windowDays });
  for (let reach = reachOf(start); isBefore(reach, end);) {
    const thisMonth = reach.toPlainDate().with({ day: 1 });
    const cut = isBefore(reach, startOfDay(thisMonth, { zone }))
      ? thisMonth.subtract({ months: 1 })
      : thisMonth;
    cuts.push(cut);
    reach = reachOf(startOfDay(cut, { zone }));
  }
  return cuts;
}
