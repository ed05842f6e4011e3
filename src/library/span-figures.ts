/** `salesFigures` is done here, in a file of its own in the package: calendars are larger than the whole client. */
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../api/models.js";
import { isObject } from "../base/basics.js";
import { groupedQuerySchema } from "../api/input.js";
import { checkInput, inputError } from "../client/explain.js";
import { callOptionKinds, checkOptions, type CallOptions } from "../client/options.js";
import { ComandaError } from "../base/errors.js";
import { ask, planOf, type Asking, type SalesClient } from "../sales/ask.js";
import { metricsOf, totalOf } from "../sales/figures.js";
import { betweenMoments, parseDate, resolveZone, wholeDays } from "../sales/period.js";

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
  options: SalesFiguresOptions,
): Promise<Summary | GroupedSummary> {
  checkArguments(client, query, options);
  const { timeZone, onWarning = () => undefined, ...callOptions } = options;
  const { start_date: from, end_date: to, date_field: dateField, filters } = query;
  const by = "group_by" in query ? query.group_by : undefined;
  const label = `${from} to ${to}`;
  // Dates have no offset: the service counts days by the store's zone, and a month begins on the same date everywhere.
  const zone = resolveZone(timeZone ?? /[+-]\d{2}:\d{2}$/.exec(from)?.[0] ?? "UTC");
  const period =
    dateField === "scheduled_date"
      ? wholeDays({ label, first: parseDate(from), last: parseDate(to), zone })
      : betweenMoments(label, from, to, zone);
  if (Date.parse(period.end) < Date.parse(period.start))
    throw new ComandaError("invalid_input", `The span ${label} ends before it begins.`, {
      hint: "Swap start_date and end_date.",
    });
  const asking: Asking = {
    client: {
      summary: (part) => client.summary(part, callOptions),
      groupedSummary: (part) => client.groupedSummary(part, callOptions),
    },
    answers: undefined,
    dateField,
    filters,
    currency: null,
    freshness: "fresh",
    clock: Date,
    signal: callOptions.signal ?? new AbortController().signal,
    waitMs: 0,
    onWarning,
  };
  const { rows } = await ask(asking, await planOf(asking, period, by));
  if (by === undefined) return metricsOf(totalOf(rows));
  return { group_by: by, groups: rows.map((row) => ({ key: row.key, label: row.label, ...metricsOf(row) })) };
}

/**
 * Checks what a program without types may give.
 *
 * @throws {ComandaError} `invalid_input` with the field, and the nearest name for one that doesn't exist
 */
function checkArguments(client: unknown, query: unknown, options: SalesFiguresOptions): void {
  try {
    if (!isObject(client) || typeof client["groupedSummary"] !== "function")
      throw new ComandaError("invalid_input", "client must be a client of createClient.", {
        field: "client",
      });
    checkOptions(options, { ...callOptionKinds, timeZone: "a string", onWarning: "a function" });
    // With any dimension in its place, the one schema serves for queries without one, and knows its name.
    const { group_by = "day" } = isObject(query) ? query : {};
    checkInput(groupedQuerySchema(), isObject(query) ? { ...query, group_by } : query);
  } catch (error) {
    throw inputError(error, { id: "salesFigures" });
  }
}
