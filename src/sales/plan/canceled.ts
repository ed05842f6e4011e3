/**
 * Finds out how many of a period's orders are canceled. Figures count every order, whatever its status, and nothing
 * in an answer says how many of them are canceled. The filters may say it, or the same orders split by status.
 */
import type { Filter } from "../../contract/filters.js";
import type { Group } from "../../contract/models.js";
import { addMetrics, type Metrics } from "../merge/sums.js";
import type { GroupList } from "../merge/groups.js";
import type { Canceled } from "../results.js";

const canceled = "canceled";

/** `--net` stands for this filter. */
export const withoutCanceled = "status!=canceled";

/** Tells which of the orders that the filters select are canceled; `unknown` where there may be both kinds. */
export function canceledByFilters(filters: readonly Filter[]): "none" | "all" | "unknown" {
  const byStatus = filters.filter(({ field }) => field === "status");
  const excludes = ({ operator, values }: Filter) => values.includes(canceled) === (operator === "not_in");
  if (byStatus.some(excludes)) return "none";
  return byStatus.some(({ operator, values }) => operator === "in" && values.length === 1)
    ? "all"
    : "unknown";
}

/**
 * @param byStatus holds the same orders split by status
 * @param all sums up these orders
 * @returns `null` where the two don't add up: then they are of different times, and say nothing of each other
 */
export function canceledByStatus(byStatus: readonly Group[], all: Metrics): Canceled | null {
  const sum = addMetrics(byStatus);
  if (sum.total_order_count !== all.total_order_count || sum.total_revenue !== all.total_revenue) return null;
  const { total_order_count, total_revenue } = addMetrics(byStatus.filter(({ key }) => key === canceled));
  return { total_order_count, total_revenue };
}

/**
 * @param byStatus holds the same orders split by status, where that is known
 * @returns `null` where nothing tells it
 */
export function canceledOf(
  figures: Metrics,
  filters: readonly Filter[],
  byStatus: GroupList | undefined,
): Canceled | null {
  const { total_order_count, total_revenue } = figures;
  const byFilters = canceledByFilters(filters);
  if (byFilters === "none") return { total_order_count: 0, total_revenue: 0 };
  if (byFilters === "all") return { total_order_count, total_revenue };
  return byStatus ? canceledByStatus(byStatus.grouped.groups, figures) : null;
}
