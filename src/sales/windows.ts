/**
 * A period as the windows that the service is asked for: one, or several that follow on one another.
 *
 * **The seam.** Whether the service takes `end_date` as included is not shown. A window therefore ends at an instant at
 * which no order can have been created, one microsecond before the next begins: `23:59:59.999999` and `00:00:00`. With
 * timestamps in whole seconds or milliseconds, "at or before the end" and "before the end" then select the same orders:
 * none twice, none lost. It has six digits, since some date parsers take three or six and no other number. A service
 * that cuts the fraction off and also leaves the end out misses the orders of a window's last second, which no way of
 * writing the end could mend for both readings. Dates (`scheduled_date`) go out as they are, both included.
 */
import { hasDates, type DateField, type Dimension } from "../api/enums.js";
import { summaryPeriodMonths } from "../api/limits.js";
import {
  endOfDay,
  isBefore,
  parseDate,
  parseDateTime,
  startOfDay,
  wireDateTime,
  type PlainDate,
} from "./calendar.js";
import type { Period } from "./period.js";

export interface Window {
  /** `start_date` and `end_date` as they go out. */
  readonly start: string;
  readonly end: string;
  /** Its days, `YYYY-MM-DD`, both included. */
  readonly first: string;
  readonly last: string;
  /** It ends now, at another moment whenever it is asked for. */
  readonly endsNow: boolean;
}

export interface Cuts {
  readonly by: Dimension | undefined;
  readonly dateField: DateField | undefined;
  /** No window is longer (default: the 6 months of section 8). */
  readonly longest?: { readonly months: number } | { readonly days: number };
}

/**
 * A service that counts half a year as 180 days refuses one of 181: then this is the longest window, an hour of summer
 * time included.
 */
const cautious = { days: 179 } as const;

/** Cuts a period where no week or month is torn, and, of a store whose days start late, each day by itself. */
export function windowsOf(
  period: Period,
  { by, dateField, longest = { months: summaryPeriodMonths } }: Cuts,
): readonly Window[] {
  const { zone, dayStarts } = period;
  const days = { zone, dayStarts };
  const end = parseDateTime(period.end, zone);
  const cuts: PlainDate[] = [];
  let from = parseDate(period.first);
  for (;;) {
    const cut =
      by === "day" && dayStarts !== undefined
        ? from.add({ days: 1 })
        : cutBefore(from, from.add(longest), by);
    if (!isBefore(startOfDay(cut, days), end)) break;
    cuts.push(cut);
    from = cut;
  }
  const endsNow = period.running && period.byDays && !hasDates(dateField);
  const edges = cuts.map((cut) => ({ cut, start: startOfDay(cut, days) }));
  const starts = [
    { first: period.first, start: period.start },
    ...edges.map(({ cut, start }) => ({ first: cut.toString(), start: wireDateTime(start) })),
  ];
  const ends = [
    ...edges.map(({ cut }) => {
      const day = cut.subtract({ days: 1 });
      return { last: day.toString(), end: wireDateTime(endOfDay(day, days)), endsNow: false };
    }),
    { last: period.last, end: period.end, endsNow },
  ];
  return starts.flatMap(({ first, start }, place): Window[] => {
    const edge = ends[place];
    // A zone may have left a day out.
    if (!edge || Date.parse(edge.end) < Date.parse(start)) return [];
    const sent = hasDates(dateField) ? { start: first, end: edge.last } : { start, end: edge.end };
    return [{ ...sent, first, last: edge.last, endsNow: edge.endsNow }];
  });
}

/** Gives the last day that is no later than `reach` and begins a week or a month where these are asked for. */
function cutBefore(from: PlainDate, reach: PlainDate, by: Dimension | undefined): PlainDate {
  if (by === "month" && reach.day > 1 && from.until(reach).days > reach.day) return reach.with({ day: 1 });
  return by === "week" ? reach.subtract({ days: reach.dayOfWeek - 1 }) : reach;
}

/** Makes shorter windows of one that the service refuses; itself where it is no longer than that. */
export function splitWindow(window: Window, period: Period, cuts: Cuts): readonly Window[] {
  const { first, last, endsNow } = window;
  const moments = hasDates(cuts.dateField)
    ? {
        start: wireDateTime(startOfDay(parseDate(first), period)),
        end: wireDateTime(endOfDay(parseDate(last), period)),
      }
    : { start: window.start, end: window.end };
  const part = { ...period, first, last, ...moments, running: endsNow };
  return windowsOf(part, { ...cuts, longest: cautious });
}
