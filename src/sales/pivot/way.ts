/**
 * Chooses how two dimensions are asked from a service that groups by one. The fewest calls win:
 *
 * - Days, weeks, months and weekdays follow from the figures by day.
 * - A period is asked for in its days, weeks or months, each grouped by the other dimension. They leave nothing out.
 * - Each value of one dimension is asked for by a filter (section 4.8), grouped by the other. The totals by either
 *   dimension are asked for first: they tell which values there are, and what no filter selects.
 *
 * Where the service's answers haven't shown how it writes its weeks, months and weekdays, that is asked for too.
 */
import type { DateField, Dimension } from "../../contract/enums.js";
import { filterFields } from "../../contract/filter-fields.js";
import { isFilterValue, type Filter } from "../../contract/filters.js";
import type { Group } from "../../contract/models.js";
import { dayOrdinal, isCalendar, type CalendarDimension } from "../merge/calendar-forms.js";
import {
  isBefore,
  parseDate,
  type PlainDate,
  endOfDay,
  periodDayOf,
  startOfDay,
} from "../period/calendar.js";
import { period, type Period } from "../period/period.js";
import { splitPeriod } from "../period/windows.js";
import type { Pair } from "./table.js";

/** A part of the period is a day, or the part of a week or month that lies in it. */
export interface Part {
  readonly period: Period;
  /** Its first day, counted from 1970-01-01. */
  readonly day: number;
}

export interface Parts {
  readonly kind: "parts";
  readonly cut: CalendarDimension;
  /** Each part is asked for by this dimension. */
  readonly grouped: Dimension;
  readonly parts: readonly Part[];
}

export type Way =
  | { readonly kind: "days"; readonly rows: CalendarDimension; readonly cols: CalendarDimension }
  | Parts
  /** Of these dimensions the one with the fewest values is filtered: that usually takes so many calls. */
  | { readonly kind: "values"; readonly filterable: readonly Dimension[]; readonly usualCalls: number };

/**
 * The values of these dimensions can be filtered; there are about so many of each. An order that was paid in several
 * ways is selected by each of them and counted under one, so payment methods are not among them.
 */
const usualCounts = {
  hour: 24,
  order_type: 4,
  order_timing: 2,
  sales_channel: 11,
  customer_origin: 10,
  driver_id: 10,
  status: 10,
} as const satisfies Partial<Record<Dimension, number>>;

function isFilterable(dimension: Dimension): dimension is keyof typeof usualCounts {
  return Object.hasOwn(usualCounts, dimension);
}

export function chooseWay({ rows, cols }: Pair, whole: Period, dateField: DateField | undefined): Way {
  if (isCalendar(rows) && isCalendar(cols)) return { kind: "days", rows, cols };
  const filterable = [rows, cols].filter(isFilterable);
  const usualCount = Math.min(...filterable.map((dimension) => usualCounts[dimension]), Infinity);
  const { length: windows } = splitPeriod(whole, dateField);
  const byValues = { kind: "values", filterable, usualCalls: windows * usualCount } as const;
  const cut = [rows, cols].find(isCalendar);
  if (cut === undefined) return byValues;
  const parts = partsOf(whole, cut);
  if (parts.length > windows * (2 + usualCount)) return byValues;
  return { kind: "parts", cut, grouped: cut === rows ? cols : rows, parts };
}

/** @returns `undefined` for a value that no filter selects: no driver, a status that section 4.8 doesn't have */
export function filtersOf(dimension: Dimension, key: Group["key"]): readonly Filter[] | undefined {
  if (!isFilterable(dimension) || key === null || typeof key === "boolean" || key === "") return undefined;
  if (dimension === "hour") return hourFilters(String(key));
  const value = String(key);
  const { values } = filterFields[dimension];
  return isFilterValue(values, value) ? [{ field: dimension, operator: "in", values: [value] }] : undefined;
}

/** @param key is 9, `09` or `09:00` */
function hourFilters(key: string): readonly Filter[] | undefined {
  const hour = Number(/^(\d{1,2})(?::00)?$/.exec(key)?.[1] ?? Number.NaN);
  if (!(hour >= 0 && hour <= 23)) return undefined;
  const time = (hourNumber: number) => `${String(hourNumber).padStart(2, "0")}:00`;
  const from: Filter = { field: "created_at_time", operator: "gteq", values: [time(hour)] };
  if (hour === 23) return [from];
  return [from, { field: "created_at_time", operator: "lt", values: [time(hour + 1)] }];
}

function partsOf(whole: Period, cut: CalendarDimension): readonly Part[] {
  const parts: Part[] = [];
  let first = whole.kind === "days" ? parseDate(whole.from.date) : periodDayOf(whole.start, whole);
  let start = whole.start;
  while (!isBefore(whole.end, start)) {
    const last = lastDayOf(first, cut);
    const part = partOf(whole, start, endOfDay(last, whole));
    // A day that the zone left out holds nothing.
    if (!isBefore(part.end, part.start)) parts.push({ period: part, day: dayOrdinal(first) });
    first = last.add({ days: 1 });
    start = startOfDay(first, whole);
  }
  return parts;
}

/** Makes a part. The edges of the whole are passed on as they were typed. Only its last part may be running. */
function partOf(whole: Period, start: Period["start"], end: Period["end"]): Period {
  const isFirst = start.epochNanoseconds === whole.start.epochNanoseconds;
  const isLast = !isBefore(end, whole.end);
  return period({
    label: whole.label,
    kind: isLast ? whole.kind : "days",
    unit: "days",
    dayStarts: whole.dayStarts,
    start,
    end: isLast ? whole.end : end,
    sent: { ...(isFirst && { from: whole.from.sent }), ...(isLast && { to: whole.to.sent }) },
  });
}

function lastDayOf(day: PlainDate, cut: CalendarDimension): PlainDate {
  if (cut === "month") return day.with({ day: day.daysInMonth });
  return cut === "week" ? day.add({ days: 7 - day.dayOfWeek }) : day;
}
