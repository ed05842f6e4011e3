/** The work of `salesFigures`, in its own file of the package because calendars are larger than the client. */
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../api/models.js";
import { formatCents } from "../api/money.js";
import type { CallOptions } from "../client/options.js";
import { ComandaError, completeHint } from "../base/errors.js";
import { fetchFigures, planOf, type FetchOptions, type SalesClient } from "../sales/fetch.js";
import { metricsOf, totalOf } from "../sales/figures.js";
import { warningsFor } from "./callbacks.js";
import { programHint } from "./hints.js";
import { betweenMoments, parseDate, resolveZone, wholeDays } from "../sales/period.js";

export type { SalesClient };

export interface SalesFiguresOptions extends CallOptions {
  /** IANA name of the store's time zone, in which longer spans are split at midnight (default: the offset of `start_date`). */
  readonly timeZone?: string | undefined;
  /** Called and awaited for an amount with more than two decimals, which is rounded half up (section 1). Its error ends the call. */
  readonly onWarning?: ((message: string) => unknown) | undefined;
}

export async function figuresOfSpan(
  client: SalesClient,
  query: SummaryQuery | GroupedSummaryQuery,
  { timeZone, onWarning = () => undefined, ...callOptions }: SalesFiguresOptions,
): Promise<Summary | GroupedSummary> {
  const { start_date: from, end_date: to, date_field: dateField, filters } = query;
  const { group_by: by }: Partial<GroupedSummaryQuery> = query;
  const label = `${from} to ${to}`;
  const warnings = warningsFor(onWarning);
  // Dates have no offset: the service uses the store's time zone, and months begin on the same date in all zones.
  const zone = resolveZone(timeZone ?? /[+-]\d{2}:\d{2}$/.exec(from)?.[0] ?? "UTC", "timeZone");
  const period =
    dateField === "scheduled_date"
      ? wholeDays({ label, first: parseDate(from), last: parseDate(to), zone })
      : betweenMoments(label, from, to, zone);
  if (Date.parse(period.end) < Date.parse(period.start))
    throw new ComandaError("invalid_input", `The span ${label} ends before it begins.`, {
      hint: "Swap start_date and end_date.",
    });
  const fetchOptions: FetchOptions = {
    client,
    answers: undefined,
    dateField,
    filters,
    currency: null,
    freshness: "fresh",
    clock: Date,
    callOptions,
    waitMs: 0,
    warn: (warning) => {
      if (warning.about !== "rounded") return;
      const { amount, cents } = warning;
      warnings.warn(
        `The service returned ${amount}, with more than two decimals. It was rounded to ${formatCents(cents)}.`,
      );
    },
  };
  const { rows } = await planOf(fetchOptions, period, by)
    .then((plan) => fetchFigures(fetchOptions, plan))
    .catch((error: unknown) => {
      throw completeHint(error, programHint);
    });
  await warnings.settled(callOptions);
  if (by === undefined) return metricsOf(totalOf(rows));
  return { group_by: by, groups: rows.map((row) => ({ key: row.key, label: row.label, ...metricsOf(row) })) };
}
