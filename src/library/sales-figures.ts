/** Sales figures of any span. Splitting a span is loaded at the first call. */
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../api/models.js";
import { isObject } from "../base/basics.js";
import { querySchemas } from "../api/input.js";
import {
  callFields,
  checkInput,
  checkOptions,
  inputError,
  objectWith,
  optionKinds,
} from "../client/options.js";
import type { SalesClient, SalesFiguresOptions } from "./span-figures.js";

export type { SalesClient, SalesFiguresOptions };

/**
 * Returns orders, revenue and average of a span of any length, which the service limits to 6 months (section 8). A longer span is
 * requested in consecutive parts within the client's rate limit, and added up by key in exact cents. No week or month is split. If one
 * request fails, the whole call fails. The query is that of `client.summary` or, with `group_by`, of `client.groupedSummary` (sections
 * 4.6 and 4.7).
 *
 * @throws {ComandaError} `invalid_input` for a query that `summary` or `groupedSummary` rejects and for an unknown time zone;
 *   `unexpected_answer` for figures that can't be right, or a sum that is too large to be exact; also what those functions throw
 */
export function salesFigures(
  client: SalesClient,
  query: GroupedSummaryQuery,
  options?: SalesFiguresOptions,
): Promise<GroupedSummary>;
export function salesFigures(
  client: SalesClient,
  query: SummaryQuery,
  options?: SalesFiguresOptions,
): Promise<Summary>;
export async function salesFigures(
  client: SalesClient,
  query: SummaryQuery | GroupedSummaryQuery,
  options: SalesFiguresOptions = {},
): Promise<Summary | GroupedSummary> {
  let checked: SalesFiguresOptions;
  try {
    checkOptions({ client }, { client: objectWith("summary", "groupedSummary") });
    const { text, callback } = optionKinds();
    checked = checkOptions(options, { ...callFields(), timeZone: text, onWarning: callback });
    // Adds any dimension to a query without one, so that one schema checks both queries.
    const { group_by = "day" }: Partial<GroupedSummaryQuery> = isObject(query) ? query : {};
    checkInput(querySchemas().groupedQuery, isObject(query) ? { ...query, group_by } : query);
  } catch (error) {
    throw inputError(error, { id: "salesFigures" });
  }
  return (await import("./span-figures.js")).figuresOfSpan(client, query, checked);
}
