/** Sections 2.8, 4.6 and 4.7 describe sales summaries. */
import * as z from "zod/mini";

import { isObject } from "./json.js";
import { once } from "./once.js";
import {
  dateFields,
  defaultDateField,
  dimensions,
  hasDates,
  type DateField,
  type Dimension,
} from "./enums.js";
import { filtersSchema } from "./filters.js";
import { checksOf, type DescribedRule, type FieldRule } from "./input.js";
import { summaryHistoryYears, summaryPeriodMonths } from "./limits.js";
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "./models.js";
import { averageCents, centsFromNumber, hasAtMostTwoDecimals, numberFromCents } from "./money.js";
import { isDate, isDateTime } from "./texts.js";

/** Orders that have no driver are in a group of this label (section 4.7, rule 3). */
export const noDriverLabel = "Não informado";

const metrics = once(() => ({
  total_order_count: z.int(),
  total_revenue: z.number(),
  average_order_value: z.number(),
}));

/** Section 2.8 has amounts in the store's currency. */
export const summarySchema = once(() => z.looseObject(metrics()));

const keyTypes: readonly string[] = ["string", "number", "boolean"];
export const groupKeySchema = once(() =>
  z.custom<string | number | boolean>((key) => keyTypes.includes(typeof key)),
);

/** Section 2.8. The type of `key` is not shown; it is null for the orders that have no value. */
export const groupSchema = once(() =>
  z.looseObject({
    key: z.nullable(groupKeySchema()),
    label: z.nullable(z.string()),
    ...metrics(),
  }),
);

/** Section 4.7, rule 4. */
export const groupedSummarySchema = once(() =>
  z.looseObject({
    group_by: z.string(),
    groups: z.array(groupSchema()),
  }),
);

export function isGrouped(answer: Summary | GroupedSummary): answer is GroupedSummary {
  return "groups" in answer;
}

/** Reads {@link summarySchema}, and computes an average that is null or has more than two decimals. */
export function readSummary(json: unknown): Summary | undefined {
  const result = z.safeParse(summarySchema(), withExactAverage(json));
  return result.success ? result.data : undefined;
}

/** Reads {@link groupedSummarySchema}, and computes averages as {@link readSummary} does. */
export function readGroupedSummary(json: unknown): GroupedSummary | undefined {
  const groups =
    isObject(json) && Array.isArray(json["groups"]) ? json["groups"].map(withExactAverage) : undefined;
  const summary = isObject(json) && groups ? { ...json, groups } : json;
  const result = z.safeParse(groupedSummarySchema(), summary);
  return result.success ? result.data : undefined;
}

/**
 * Computes revenue / orders, rounded half up to the cent. A number with at most two decimals is the service's own and
 * stays.
 */
function withExactAverage(answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  const json = withNumbers(answer);
  const { total_order_count: orders, total_revenue: revenue, average_order_value: average } = json;
  const isUsable = average !== null && (typeof average !== "number" || hasAtMostTwoDecimals(average));
  if (isUsable || typeof orders !== "number" || typeof revenue !== "number") return json;
  const cents = centsFromNumber(revenue);
  if (cents === undefined || !Number.isSafeInteger(orders) || orders < 0) return json;
  return { ...json, average_order_value: numberFromCents(averageCents(cents, orders)) };
}

/** Reads amounts that came as texts, where these are decimal numbers. */
function withNumbers(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const amounts: [string, number][] = ["total_revenue", "average_order_value"].flatMap((name) => {
    const amount = json[name];
    return typeof amount === "string" && /^-?\d{1,15}(?:\.\d+)?$/.test(amount)
      ? [[name, Number(amount)]]
      : [];
  });
  return { ...json, ...Object.fromEntries(amounts) };
}

const formats: Readonly<
  Record<DateField, { readonly fits: (end: string) => boolean; readonly form: string }>
> = {
  created_at: { fits: isDateTime, form: "an ISO 8601 date-time with an offset" },
  scheduled_date: { fits: isDate, form: "a date, YYYY-MM-DD," },
};

/** The ends of a period are written in the form that the date they are ends of has. */
export interface WrittenPeriod {
  readonly start_date: string;
  readonly end_date: string;
  readonly date_field?: DateField | undefined;
}

/** The format of both ends follows `date_field` (section 4.6). */
export const periodFormatRules: readonly FieldRule<WrittenPeriod>[] = dateFields.flatMap((dateField) =>
  (["start_date", "end_date"] as const).map((field) => ({
    section: "4.6",
    field,
    message: `must be ${formats[dateField].form} where date_field is ${dateField}`,
    holds: ({ date_field = defaultDateField, [field]: end }: WrittenPeriod) =>
      date_field !== dateField || formats[dateField].fits(end),
  })),
);

/** A period on one clock counts milliseconds since the epoch, or of a clock on the wall as if it showed UTC. */
export interface PeriodOnClock {
  readonly start: number;
  readonly end: number;
  readonly now: number;
  /** The clock may differ by this many milliseconds from the one that the service goes by. The default is 0. */
  readonly grace?: number;
}

/** Section 8 has these rules; it doesn't show by which clock the service counts. */
export const periodLengthRules: readonly FieldRule<PeriodOnClock>[] = [
  {
    section: "8",
    field: "end_date",
    message: `must be at most ${summaryPeriodMonths} months after start_date`,
    holds: ({ start, end, grace = 0 }) => end <= addMonths(start, summaryPeriodMonths) + grace,
  },
  {
    section: "8",
    field: "start_date",
    message: `must not go back more than ${summaryHistoryYears} years`,
    holds: ({ start, now, grace = 0 }) =>
      start >= addMonths(startOfDay(now), -12 * summaryHistoryYears) - grace,
  },
];

const dayMs = 86_400_000;

function startOfDay(time: number): number {
  return Math.floor(time / dayMs) * dayMs;
}

/** Gives the same time of day so many months later, on the last day of a month that is too short. */
export function addMonths(time: number, months: number): number {
  const date = new Date(time);
  const month = date.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  return Date.UTC(date.getUTCFullYear(), month, day) + (time - startOfDay(time));
}

const period = once(() => ({
  start_date: z.string(),
  end_date: z.string(),
  date_field: z.optional(z.enum(dateFields)),
}));
const filters = once(() => ({
  /** Values that section 4.8 closes are checked here; others are left to the service. */
  filters: z.optional(filtersSchema()),
}));

/** The parameters of section 4.6 go out in this order. */
export const summaryQuerySchema = once(() =>
  z.strictObject({ ...period(), ...filters() }).check(...checksOf(periodFormatRules)),
);

/** A date has no hour (section 4.7, rule 1). */
export function hasDimension(dateField: DateField | undefined, dimension: Dimension): boolean {
  return dimension !== "hour" || !hasDates(dateField);
}

/**
 * Makes a query for sales figures that are split by a dimension.
 *
 * @throws {RangeError} for a dimension that the query's date doesn't have
 */
export function groupedBy(query: SummaryQuery, dimension: Dimension): GroupedSummaryQuery {
  if (dimension !== "hour") return { ...query, group_by: dimension };
  const { date_field, ...rest } = query;
  if (date_field === "scheduled_date") throw new RangeError("a date has no hour");
  return { ...rest, ...(date_field && { date_field }), group_by: dimension };
}

const dimensionRule: FieldRule<{ group_by: Dimension; date_field?: DateField | undefined }> = {
  section: "4.7",
  field: "group_by",
  message: "can't be hour where date_field is scheduled_date",
  holds: ({ group_by, date_field }) => hasDimension(date_field, group_by),
};
export const summaryRules: readonly DescribedRule[] = [...periodFormatRules, ...periodLengthRules];
export const groupedSummaryRules: readonly DescribedRule[] = [...summaryRules, dimensionRule];

/** The parameters of section 4.7 go out in this order. */
export const groupedSummaryQuerySchema = once(() =>
  z
    .strictObject({
      ...period(),
      group_by: z.enum(dimensions),
      ...filters(),
    })
    .check(...checksOf(periodFormatRules), ...checksOf([dimensionRule])),
);
