/** `salesFigures` is done here, in a file of its own in the package: calendars are larger than the whole client. */
import type { CallOptions } from "../client/call/caller.js";
import type { Client } from "../client/client.js";
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../contract/models.js";
import { hasDates } from "../contract/enums.js";
import { ComandaError } from "../shared/errors.js";
import { parseDate, parseDateTime } from "../sales/period/calendar.js";
import { daysPeriod, period, type Period } from "../sales/period/period.js";
import { splitPeriod, splitWindow, type Window } from "../sales/period/windows.js";
import { fetchGrouped, fetchSummary } from "../sales/plan/fetch.js";

export interface SalesFiguresOptions extends CallOptions {
  /**
   * The store's time zone is an IANA name. A span of more than 6 months is cut where months of this zone begin. The
   * default is the offset of `start_date`.
   */
  readonly timeZone?: string;
  /** This function is told where an amount came with more than two decimals, which is rounded half up (section 1). */
  readonly onWarning?: (message: string) => void;
}

/** `salesFigures` calls these two methods of a client. */
export type SalesClient = Pick<Client, "summary" | "groupedSummary">;

export async function figuresOfSpan(
  client: SalesClient,
  query: SummaryQuery | GroupedSummaryQuery,
  { timeZone, onWarning = () => undefined, ...callOptions }: SalesFiguresOptions,
): Promise<Summary | GroupedSummary> {
  const { date_field: dateField } = query;
  const zone = timeZone ?? offsetOf(query.start_date);
  const common = {
    windows: splitPeriod(spanOf(query, zone), dateField),
    split: (window: Window) => splitWindow(window, zone, dateField),
    onWarning,
  };
  const part = ({ start, end }: Window) => ({ start_date: start, end_date: end });
  if (!("group_by" in query)) {
    const fetch = async (window: Window) =>
      (await client.summary({ ...query, ...part(window) }, callOptions)).summary;
    return fetchSummary({ ...common, fetch });
  }
  const fetch = async (window: Window) =>
    (await client.groupedSummary({ ...query, ...part(window) }, callOptions)).groupedSummary;
  return (await fetchGrouped({ ...common, fetch, dimension: query.group_by })).grouped;
}

/**
 * Gives the offset of a date-time. Dates have none: the service counts days by the store's zone, and a month begins
 * on the same date everywhere.
 */
function offsetOf(start: string): string {
  return /[+-]\d{2}:\d{2}$/.exec(start)?.[0] ?? "UTC";
}

/**
 * Makes the period of the query.
 *
 * @throws {ComandaError} `invalid_input` where the span ends before it begins
 */
function spanOf(
  { start_date: from, end_date: to, date_field: dateField }: SummaryQuery,
  zone: string,
): Period {
  const label = `${from} to ${to}`;
  if (hasDates(dateField ?? "created_at"))
    return checkOrder(daysPeriod({ label, unit: "days", first: parseDate(from), last: parseDate(to), zone }));
  const [start, end] = [parseDateTime(from, zone), parseDateTime(to, zone)];
  return checkOrder(period({ label, kind: "instants", unit: "days", start, end, sent: { from, to } }));
}

function checkOrder(span: Period): Period {
  if (span.end.epochMilliseconds >= span.start.epochMilliseconds) return span;
  throw new ComandaError("invalid_input", `The span ${span.label} ends before it begins.`, {
    hint: "Swap start_date and end_date.",
  });
}
