/** Two questions about the sales of a store that have all of this in common have the same answer. */
import type { GroupedSummaryQuery, SummaryQuery } from "../contract/models.js";
import { defaultDateField, type DateField, type Dimension } from "../contract/enums.js";

export interface Question {
  /** `null` for a summary, which isn't split. */
  readonly dimension: Dimension | null;
  /** The window's edges as they went out. */
  readonly from: string;
  readonly to: string;
  readonly date_field: DateField;
  /** Filters in the API's spelling, `status_in=closed`, one for each value, sorted. */
  readonly filters: readonly string[];
}

export function questionOf(query: SummaryQuery | GroupedSummaryQuery): Question {
  return {
    dimension: "group_by" in query ? query.group_by : null,
    from: query.start_date,
    to: query.end_date,
    date_field: query.date_field ?? defaultDateField,
    filters: Object.entries(query.filters ?? {})
      .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((part) => `${name}=${part}`))
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
