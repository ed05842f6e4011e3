/** A report has one pivot: weekdays by hours. */
import type { Group } from "../../contract/models.js";
import type { GroupList } from "../merge/groups.js";
import { pivotPlan } from "../pivot/pivot.js";
import { filtersOf } from "../pivot/values.js";
import { chooseWay } from "../pivot/way.js";
import type { PeriodSpan, SalesRequest, Question } from "../plan/request.js";

const pair = { rows: "day_of_week", cols: "hour" } as const;

export function heatmapPlan({ dateField }: Pick<SalesRequest, "dateField">) {
  return pivotPlan({ ...pair, dateField });
}

/** Lists what it asks whatever the answers are: each of few days by hour. */
export function daysByHour(
  span: PeriodSpan,
  { dateField }: Pick<SalesRequest, "dateField">,
): readonly Question[] {
  const way = chooseWay(pair, span, dateField);
  return way.kind === "parts" ? way.parts.map((part) => ({ span: part.span, dimension: pair.cols })) : [];
}

/**
 * Lists what it asks beside that: each hour that has orders, by weekday.
 *
 * @param hours is `undefined` where it isn't known yet which these are; then all are listed
 */
export function hoursByDay(
  span: PeriodSpan,
  { dateField }: Pick<SalesRequest, "dateField">,
  hours: GroupList | undefined,
): readonly Question[] {
  if (chooseWay(pair, span, dateField).kind === "parts") return [];
  const keys: readonly Group["key"][] =
    hours?.grouped.groups.map(({ key }) => key) ?? Array.from({ length: 24 }, (_, hour) => hour);
  return keys.flatMap((key) => {
    const filters = filtersOf(pair.cols, key);
    return filters ? [{ span, dimension: pair.rows, filters }] : [];
  });
}
