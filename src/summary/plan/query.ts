/** The query of one call to a summary endpoint, in the names of sections 4.6 to 4.8. */
import { takesSeveral, type Filter, type Filters } from "../../contract/filters.js";
import type { DateField, Dimension } from "../../contract/summary.js";
import { ComandaError } from "../../errors/index.js";
import type { Window } from "../period/windows.js";

export interface SummaryQuery {
  readonly start_date: string;
  readonly end_date: string;
  readonly date_field?: DateField;
  readonly filters?: Filters;
}

export interface GroupedQuery extends SummaryQuery {
  readonly group_by: Dimension;
}

export interface QueryOptions {
  /** Sent only where it was given: the service's default is `created_at`. */
  readonly dateField?: DateField | undefined;
  readonly filters?: readonly Filter[] | undefined;
}

export function summaryQuery(window: Window, { dateField, filters = [] }: QueryOptions = {}): SummaryQuery {
  return {
    start_date: window.start,
    end_date: window.end,
    ...(dateField === undefined ? {} : { date_field: dateField }),
    ...(filters.length === 0 ? {} : { filters: named(filters) }),
  };
}

function named(filters: readonly Filter[]): Filters {
  return filters.reduce<Filters>(
    (all, filter) => ({ ...all, [`${filter.field}_${filter.operator}`]: valueOf(filter) }),
    {},
  );
}

function valueOf({ operator, values }: Filter): readonly string[] | string | true | undefined {
  if (operator === "null" || operator === "not_null") return true;
  return takesSeveral(operator) ? values : values[0];
}

/**
 * @throws {ComandaError} `invalid_input` for hours of a scheduled date, which the service refuses (section 4.7)
 */
export function groupedQuery(window: Window, dimension: Dimension, options: QueryOptions = {}): GroupedQuery {
  if (dimension === "hour" && options.dateField === "scheduled_date") {
    throw new ComandaError("invalid_input", "Sales by scheduled date can't be split by hour.", {
      hint: "Use --by day, or --date-field created_at.",
    });
  }
  return { ...summaryQuery(window, options), group_by: dimension };
}
