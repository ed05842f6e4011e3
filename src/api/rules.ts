/** Rules between the fields of an input, as data: the client and the emulator refuse by them, and the OpenAPI document lists them. */
import * as z from "zod/mini";

import {
  dateFields,
  defaultDateField,
  type DateField,
  type Dimension,
  summaryHistoryYears,
  summaryPeriodMonths,
} from "./values.js";

export interface FieldRule<Input> {
  readonly section: string;
  /** This field is wrong where the rule is broken. */
  readonly field: string;
  /** The message follows the field's name. */
  readonly message: string;
  readonly holds: (input: Input) => boolean;
}

/** Finds the first rule that an input breaks. */
export function brokenRule<Input>(rules: readonly FieldRule<Input>[], input: Input) {
  return rules.find(({ holds }) => !holds(input));
}

/** Makes checks of the rules for a schema, which applies them once each field by itself is right. */
export function checksOf<Input>(rules: readonly FieldRule<Input>[]) {
  return rules.map(({ field, message, holds }) => z.refine<Input>(holds, { error: message, path: [field] }));
}

/** Checks for a day that exists, YYYY-MM-DD. */
function isDate(text: string): boolean {
  // The 30th of February would be read as a day of March, and the 32nd as none.
  const day = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : NaN);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const dateTime =
  /^(.{10})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Checks for ISO 8601 with an offset; seconds may be left out. */
export function isDateTime(text: string): boolean {
  return isDate(dateTime.exec(text)?.[1] ?? "");
}

export interface WrittenPeriod {
  readonly start_date: string;
  readonly end_date: string;
  readonly date_field?: DateField | undefined;
}

const ends = {
  created_at: { fits: isDateTime, form: "an ISO 8601 date-time with an offset" },
  scheduled_date: { fits: isDate, form: "a date, YYYY-MM-DD," },
} as const;

/** The format of both ends follows `date_field` (section 4.6). */
export function periodFormatRules(): readonly FieldRule<WrittenPeriod>[] {
  return dateFields.flatMap((dateField) =>
    (["start_date", "end_date"] as const).map((field) => ({
      section: "4.6",
      field,
      message: `must be ${ends[dateField].form} where date_field is ${dateField}`,
      holds: ({ date_field = defaultDateField, [field]: end }: WrittenPeriod) =>
        date_field !== dateField || ends[dateField].fits(end),
    })),
  );
}

/** A period on one clock counts milliseconds since the epoch, or of a clock on the wall as if it showed UTC. */
export interface PeriodOnClock {
  readonly start: number;
  readonly end: number;
  readonly now: number;
}

/** Section 8 has these rules; it doesn't show by which clock the service counts. */
export const periodLengthRules: readonly FieldRule<PeriodOnClock>[] = [
  {
    section: "8",
    field: "end_date",
    message: `must be at most ${summaryPeriodMonths} months after start_date`,
    holds: ({ start, end }) => end <= addMonths(start, summaryPeriodMonths),
  },
  {
    section: "8",
    field: "start_date",
    message: `must not go back more than ${summaryHistoryYears} years`,
    holds: ({ start, now }) => start >= addMonths(now - (now % 86_400_000), -12 * summaryHistoryYears),
  },
];

/** Gives the same time of day so many months later, on the last day of a month that is too short. */
export function addMonths(time: number, months: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}

/** A date has no hour (section 4.7, rule 1). */
export function hasDimension(dateField: DateField | undefined, dimension: Dimension): boolean {
  return dimension !== "hour" || dateField !== "scheduled_date";
}

export const dimensionRule: FieldRule<{ group_by: Dimension; date_field?: DateField | undefined }> = {
  section: "4.7",
  field: "group_by",
  message: "can't be hour where date_field is scheduled_date",
  holds: ({ group_by, date_field }) => hasDimension(date_field, group_by),
};

export const prefilledOrderRule: FieldRule<{ order_type: string; delivery_address?: unknown }> = {
  section: "4.9",
  field: "delivery_address",
  message: "is only allowed where order_type is delivery",
  holds: ({ order_type, delivery_address }) => order_type === "delivery" || delivery_address === undefined,
};
