/** Writes questions as they go out, with the names of sections 4.6 to 4.8. */
import { isNullCheck, takesSeveral, type Filter } from "../../contract/filters.js";
import { groupedBy } from "../../contract/summary.js";
import { hasDates } from "../../contract/enums.js";
import type { Filters, SummaryQuery } from "../../contract/models.js";
import type { Window, ZonedWindow } from "../period/windows.js";
import { withFilters } from "./filters.js";
import type { OrderChoice, Question, SalesRequest } from "./request.js";
import type { SalesQuery } from "./source.js";

/** A question is about a window: by a dimension, or as a whole. */
export interface WindowQuestion extends ZonedWindow, Omit<Question, "period"> {
  /** The window is the last of a period that is running. It ends now, so that it is never asked for again. */
  readonly endsNow?: boolean;
}

export function queryOf(
  { window, dimension, filters, unfiltered = false }: WindowQuestion,
  request: OrderChoice,
): SalesQuery {
  const query = summaryQuery(window, unfiltered ? { ...request, filters: [] } : request, filters);
  return dimension === undefined ? query : groupedBy(query, dimension);
}

/** @param more are filters beside those of the request */
export function summaryQuery(
  { start, end }: Pick<Window, "start" | "end">,
  { dateField, filters }: OrderChoice,
  more: readonly Filter[] = [],
): SummaryQuery {
  const allFilters = withFilters(filters, more);
  return {
    start_date: start,
    end_date: end,
    ...(dateField === undefined ? {} : { date_field: dateField }),
    ...(allFilters.length === 0 ? {} : { filters: filtersByName(allFilters) }),
  };
}

function filtersByName(filters: readonly Filter[]): Filters {
  return filters.reduce<Filters>(
    (all, filter) => ({ ...all, [`${filter.field}_${filter.operator}`]: valueOf(filter) }),
    {},
  );
}

function valueOf({ operator, values }: Filter): readonly string[] | string | true | undefined {
  if (isNullCheck(operator)) return true;
  return takesSeveral(operator) ? values : values[0];
}

/** Gives the time when the window is over at the latest, in milliseconds since the epoch. */
export function endOf(
  { end, lastDay }: Pick<Window, "end" | "lastDay">,
  { dateField }: Pick<SalesRequest, "dateField">,
): number {
  // A day of unknown zone ends at the latest where the date line is.
  return hasDates(dateField) ? Date.parse(`${lastDay}T23:59:59-12:00`) : Date.parse(end);
}
