/** The figures of a store's orders: sections 4.6 and 4.7. */
import type { Group, GroupedSummary, Summary } from "../../../contract/summary.js";
import type { OrderRecord } from "../orders.js";
import { type Condition, conditionOf } from "./filters.js";
import { groupOrders, type Names } from "./groups.js";
import type { FiguresPeriod } from "./period.js";
import type { FiguresQuery, GroupedFiguresQuery } from "./query.js";
import { Totals } from "./totals.js";
import type { WallClock } from "./wall-clock.js";

/** Section 4.6. */
export function summarize(orders: Iterable<OrderRecord>, query: FiguresQuery, clock: WallClock): Summary {
  const totals = new Totals();
  for (const order of selected(orders, query, clock)) totals.add(order);
  return totals.metrics();
}

/** Section 4.7. */
export function summarizeGrouped(
  orders: Iterable<OrderRecord>,
  query: GroupedFiguresQuery,
  clock: WallClock,
  names: Names,
): GroupedSummary {
  const { groupBy, period } = query;
  const groups: Group[] = groupOrders(
    selected(orders, query, clock),
    groupBy,
    period.dateField,
    clock,
    names,
  );
  return { group_by: groupBy, groups };
}

function* selected(
  orders: Iterable<OrderRecord>,
  { period, filters }: FiguresQuery,
  clock: WallClock,
): Generator<OrderRecord> {
  const isInPeriod = periodCondition(period, clock);
  const conditions = filters.map((filter) => conditionOf(filter, clock));
  for (const order of orders) {
    if (isInPeriod(order) && conditions.every((holds) => holds(order))) yield order;
  }
}

function periodCondition(period: FiguresPeriod, clock: WallClock): Condition {
  if (period.dateField === "created_at") {
    const { start, end } = period;
    return ({ createdAt }) => createdAt >= start && createdAt <= end;
  }
  const { firstDay, lastDay } = period;
  return ({ scheduledStart }) => {
    if (scheduledStart === null) return false;
    const day = clock.dayAt(scheduledStart);
    return day >= firstDay && day <= lastDay;
  };
}
