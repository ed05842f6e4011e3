/** Programs ask here for the sales figures of any span. What cuts a span is loaded where it is called. */
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../api/models.js";
import { isObject } from "../base/basics.js";
import { querySchemas } from "../api/input.js";
import { ComandaError } from "../base/errors.js";
import { checkInput, inputError } from "../client/explain.js";
import { callOptionKinds, checkOptions } from "../client/options.js";
import type { SalesClient, SalesFiguresOptions } from "./span-figures.js";

export type { SalesClient, SalesFiguresOptions };

/**
 * Gives orders, revenue and average of any span: what the service would answer, were it not for its limit of 6 months
 * (section 8). A longer span is asked for in parts, one after another within the client's rate limit, and added up in
 * exact cents. The query is that of `client.summary`, or with `group_by` that of `client.groupedSummary` (sections
 * 4.6 and 4.7). Groups of the same key are added up; no week and no month is torn. A failed call fails the whole: there
 * are no figures of half a span.
 *
 * @throws {ComandaError} `invalid_input` for a query that `summary` or `groupedSummary` rejects, and for a zone that isn't known; `unexpected_answer` for an answer that can't be
 * right, or a sum that is too large to be exact; also what `summary` and `groupedSummary` throw
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
  checkArguments(client, query, options);
  return (await import("./span-figures.js")).figuresOfSpan(client, query, options);
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
    checkInput(querySchemas().groupedQuery, isObject(query) ? { ...query, group_by } : query);
  } catch (error) {
    throw inputError(error, { id: "salesFigures" });
  }
}
