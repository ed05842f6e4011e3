/** `salesFigures` is done here, in a file of its own in the package: calendars are larger than the whole client. */
import type { CallOptions } from "../client/call.js";
import { hasDates } from "../api/enums.js";
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../api/models.js";
import { ComandaError } from "../client/errors.js";
import { ask, type SalesClient } from "../sales/ask.js";
import { parseDate } from "../sales/calendar.js";
import { metricsOf, totalOf } from "../sales/figures.js";
import { betweenMoments, wholeDays, type Period } from "../sales/period.js";

export type { SalesClient };

export interface SalesFiguresOptions extends CallOptions {
  /**
   * The store's time zone is an IANA name. A span of more than 6 months is cut where days of this zone begin. The
   * default is the offset of `start_date`.
   */
  readonly timeZone?: string;
  /** This function is told where an amount came with more than two decimals, which is rounded half up (section 1). */
  readonly onWarning?: (message: string) => void;
}

export async function figuresOfSpan(
  client: SalesClient,
  query: SummaryQuery | GroupedSummaryQuery,
  { timeZone, onWarning = () => undefined, signal, ...callOptions }: SalesFiguresOptions,
): Promise<Summary | GroupedSummary> {
  const by = "group_by" in query ? query.group_by : undefined;
  const asking = {
    client: {
      summary: (part: SummaryQuery) => client.summary(part, { ...callOptions, ...(signal && { signal }) }),
      groupedSummary: (part: GroupedSummaryQuery) =>
        client.groupedSummary(part, { ...callOptions, ...(signal && { signal }) }),
    },
    ...{ answers: undefined, dateField: query.date_field, filters: query.filters, currency: null },
    ...({ freshness: "fresh", now: Date.now, begunAt: 0, waitMs: 0, onWarning } as const),
    signal: signal ?? new AbortController().signal,
  };
  const { rows } = await ask(asking, { by, period: spanOf(query, timeZone ?? offsetOf(query.start_date)) });
  if (by === undefined) return metricsOf(totalOf(rows));
  return { group_by: by, groups: rows.map((row) => ({ key: row.key, label: row.label, ...metricsOf(row) })) };
}

/**
 * Gives the offset of a date-time. Dates have none: the service counts days by the store's zone, and a month begins
 * on the same date everywhere.
 */
function offsetOf(start: string): string {
  return /[+-]\d{2}:\d{2}$/.exec(start)?.[0] ?? "UTC";
}

/** @throws {ComandaError} `invalid_input` where the span ends before it begins */
function spanOf(
  { start_date: from, end_date: to, date_field: dateField }: SummaryQuery,
  zone: string,
): Period {
  const label = `${from} to ${to}`;
  const span = hasDates(dateField)
    ? wholeDays({ label, first: parseDate(from), last: parseDate(to), zone })
    : betweenMoments(label, from, to, zone);
  if (Date.parse(span.end) >= Date.parse(span.start)) return span;
  throw new ComandaError("invalid_input", `The span ${label} ends before it begins.`, {
    hint: "Swap start_date and end_date.",
  });
}
