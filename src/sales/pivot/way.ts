/**
 * Chooses how two dimensions are asked from a service that groups by one. The fewest calls win:
 *
 * - Days, weeks, months and weekdays follow from the figures by day.
 * - A period is asked for in its days, weeks or months, each grouped by the other dimension. They leave nothing out.
 * - Each value of one dimension is asked for by a filter, grouped by the other. The totals by either dimension are asked
 *   for first: they tell which values there are, and what no filter selects.
 *
 * Where the service's answers haven't shown how it writes its weeks, months and weekdays, that is asked for too.
 */
import type { DateField, Dimension } from "../../contract/enums.js";
import { isCalendar, type CalendarDimension } from "../merge/calendar-forms.js";
import { endOfPeriodDay, periodDayOf, startOfPeriodDay } from "../period/business-day.js";
import { isBefore, parseDate, type PlainDate, type ZonedDateTime } from "../period/calendar.js";
import { period, type Period } from "../period/period.js";
import { splitPeriod } from "../period/windows.js";
import type { PeriodSpan } from "../plan/request.js";
import { isFilterable, usualCount } from "./values.js";

export interface Pair {
  readonly rows: Dimension;
  readonly cols: Dimension;
}

/** A part of the period is a day, or the part of a week or month that lies in it. */
export interface Part {
  readonly span: PeriodSpan;
  readonly day: PlainDate;
}

export type Way =
  | { readonly kind: "days" }
  | {
      readonly kind: "parts";
      readonly cut: CalendarDimension;
      readonly grouped: Dimension;
      readonly parts: readonly Part[];
    }
  /** The dimension with the fewest values is filtered. */
  | { readonly kind: "values"; readonly filterable: readonly Dimension[] };

export function chooseWay(pair: Pair, span: PeriodSpan, dateField: DateField | undefined): Way {
  const { rows, cols } = pair;
  if (isCalendar(rows) && isCalendar(cols)) return { kind: "days" };
  const filterable = [rows, cols].filter(isFilterable);
  const least = Math.min(...filterable.map(usualCount), Number.POSITIVE_INFINITY);
  const callsByValues = span.windows.length * (2 + least);
  const cut = [rows, cols].find(isCalendar);
  if (cut === undefined) return { kind: "values", filterable };
  const parts = partsOf(span.period, cut, dateField);
  if (parts.length > callsByValues) return { kind: "values", filterable };
  return { kind: "parts", cut, grouped: cut === rows ? cols : rows, parts };
}

function partsOf(whole: Period, cut: CalendarDimension, dateField: DateField | undefined): readonly Part[] {
  const parts: Part[] = [];
  let first = whole.kind === "days" ? parseDate(whole.from.date) : periodDayOf(whole.start, whole);
  let start = whole.start;
  while (!isBefore(whole.end, start)) {
    const last = lastDayOf(first, cut);
    const part = partOf(whole, start, endOfPeriodDay(last, whole));
    // A day that the zone left out holds nothing.
    if (!isBefore(part.end, part.start))
      parts.push({
        span: { period: part, windows: splitPeriod(part, dateField) },
        day: first,
      });
    first = last.add({ days: 1 });
    start = startOfPeriodDay(first, whole);
  }
  return parts;
}

/** Makes a part. The edges of the whole are passed on as they were typed. Only its last part may be running. */
function partOf(whole: Period, start: ZonedDateTime, end: ZonedDateTime): Period {
  const isFirst = start.epochNanoseconds === whole.start.epochNanoseconds;
  const isLast = !isBefore(end, whole.end);
  return period({
    label: whole.label,
    kind: isLast ? whole.kind : "days",
    unit: "days",
    start,
    end: isLast ? whole.end : end,
    sent: { ...(isFirst && { from: whole.from.sent }), ...(isLast && { to: whole.to.sent }) },
  });
}

function lastDayOf(day: PlainDate, cut: CalendarDimension): PlainDate {
  if (cut === "month") return day.with({ day: day.daysInMonth });
  return cut === "week" ? day.add({ days: 7 - day.dayOfWeek }) : day;
}
