/**
 * One line of the ledger: an answer of the service to a question about sales, and when it was asked. The form is a
 * stable interface, described in the README: other programs read these files.
 */
import * as z from "zod/mini";

import type { GroupedSummaryQuery, SummaryQuery } from "../../client/index.js";
import {
  dateFields,
  dimensions,
  groupedSummarySchema,
  summarySchema,
  type DateField,
  type Dimension,
} from "../../contract/summary.js";
import { once } from "../../shared/once.js";

/** What decides about an answer, beside the store. */
export interface Question {
  /** `null` for a summary, which isn't split. */
  readonly dimension: Dimension | null;
  /** As they went out. */
  readonly from: string;
  readonly to: string;
  readonly date_field: DateField;
  /** In the API's own spelling, `status_in=closed`, one for each value, sorted. */
  readonly filters: readonly string[];
}

const entrySchema = once(() =>
  z.object({
    version: z.literal(1),
    asked_at: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
    /** The alias that it had then. */
    store: z.string(),
    /** The environment's address. */
    environment: z.string(),
    /** Tells one sign-in from every other: after another one the alias may stand for another store. */
    sign_in: z.string(),
    endpoint: z.enum(["summary", "grouped"]),
    dimension: z.nullable(z.enum(dimensions)),
    from: z.string(),
    to: z.string(),
    date_field: z.enum(dateFields),
    filters: z.array(z.string()),
    answer: z.union([groupedSummarySchema, summarySchema]),
  }),
);
export type Entry = z.infer<ReturnType<typeof entrySchema>>;

/** @returns `undefined` for what is no entry, also for one of a newer comanda */
export function parseEntry(data: unknown): Entry | undefined {
  const read = z.safeParse(entrySchema(), data);
  return read.success ? read.data : undefined;
}

export function questionOf(query: SummaryQuery | GroupedSummaryQuery): Question {
  return {
    dimension: "group_by" in query ? query.group_by : null,
    from: query.start_date,
    to: query.end_date,
    date_field: query.date_field ?? "created_at",
    filters: Object.entries(query.filters ?? {})
      .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => `${name}=${one}`))
      .sort(),
  };
}

/** The question as it is asked, but for what it is split by. */
export function queryOf({ from, to, date_field, filters }: Omit<Question, "dimension">): SummaryQuery {
  const named: Record<string, string[]> = {};
  for (const filter of filters) {
    const end = filter.indexOf("=");
    const [name, value] = [filter.slice(0, end), filter.slice(end + 1)];
    named[name] = [...(named[name] ?? []), value];
  }
  return { start_date: from, end_date: to, date_field, ...(filters.length > 0 && { filters: named }) };
}

/** As a line has it, where anything may stand. */
type Written<Fields> = { readonly [Name in keyof Fields]?: unknown };

/** Questions with the same text are the same. */
export function questionText({ from, to, ...asked }: Written<Question>): string {
  return JSON.stringify([from, to, subjectText(asked)]);
}

/** Questions with the same subject differ in their windows alone. */
export function subjectText({ dimension, date_field, filters }: Written<Question>): string {
  return JSON.stringify([dimension, date_field, filters]);
}
