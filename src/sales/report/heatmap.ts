/** Weekdays by hours: the one pivot that a report has. */
import type { Group } from "../../contract/models.js";
import type { GroupList } from "../merge/groups.js";
import type { NonEmpty } from "../merge/stores.js";
import { addCents } from "../merge/sums.js";
import { pivotPlan, type Pivot } from "../pivot/pivot.js";
import type { Member, PivotCell } from "../pivot/table.js";
import { filtersOf } from "../pivot/values.js";
import { chooseWay } from "../pivot/way.js";
import type { PeriodSpan, SalesRequest, Question } from "../plan/request.js";
import { oldest } from "../results.js";

const pair = { rows: "day_of_week", cols: "hour" } as const;

export function heatmapPlan({ dateField }: Pick<SalesRequest, "dateField">) {
  return pivotPlan({ ...pair, dateField });
}

/** What it asks whatever the answers are: each of few days by hour. */
export function daysByHour(
  span: PeriodSpan,
  { dateField }: Pick<SalesRequest, "dateField">,
): readonly Question[] {
  const way = chooseWay(pair, span, dateField);
  return way.kind === "parts" ? way.parts.map((part) => ({ span: part.span, dimension: pair.cols })) : [];
}

/**
 * What it asks beside that: each hour that has orders, by weekday.
 *
 * @param hours `undefined` where it isn't known yet which these are: then all
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

/** The cells of several stores, added up. */
export function addHeatmaps(stores: NonEmpty<Pivot>): Pivot {
  const [first] = stores;
  const cells = new Map<string, PivotCell>();
  for (const cell of stores.flatMap((pivot) => pivot.cells)) {
    const place = JSON.stringify([cell.row.identity, cell.col.identity]);
    const before = cells.get(place)?.sum ?? { orders: 0, revenue: 0 };
    const sum = {
      orders: before.orders + cell.sum.orders,
      revenue: addCents(before.revenue, cell.sum.revenue),
    };
    cells.set(place, { ...cell, sum });
  }
  return {
    ...first,
    differences: stores.flatMap(({ differences }) => differences),
    age: oldest(stores.map(({ age }) => age)),
    rowMembers: allMembers(stores.flatMap(({ rowMembers }) => rowMembers)),
    colMembers: allMembers(stores.flatMap(({ colMembers }) => colMembers)),
    cells: [...cells.values()],
  };
}

/** Gives each member once, in the order of the keys. A member without a key stands last. */
function allMembers(members: readonly Member[]): readonly Member[] {
  const rank = ({ key }: Member) =>
    key === null ? Number.POSITIVE_INFINITY : Number.parseInt(String(key), 10);
  return [...new Map(members.map((member) => [member.identity, member])).values()].toSorted((a, b) =>
    rank(a) < rank(b) ? -1 : 1,
  );
}
