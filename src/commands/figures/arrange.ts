/** Groups of one period, or of two that are compared, in the order and number that was asked for. */
import type { Dimension, Group } from "../../contract/summary.js";
import { ComandaError } from "../../errors/index.js";
import { compareMetrics, type GroupChange, type MetricsChange } from "../../summary/compare/metrics.js";
import { groupChange, pairGroups } from "../../summary/compare/groups.js";
import { parseSort, parseTop, sortGroups, type Rest, type Sort } from "../../summary/present/ranking.js";
import { addTotals, metricsOf, nothing, totalsOf, type Metrics } from "../../summary/merge/sums.js";

import type { GroupedOptions } from "./options.js";
import type { Preferences } from "./preferences.js";
import type { AskedPeriods } from "./request.js";
import type { GroupFigures } from "./results.js";

/** What `--sort`, `--top` and `--rest` ask for. */
export interface Ranking {
  readonly sort: Sort | undefined;
  readonly top: number | undefined;
  readonly rest: boolean;
}

/** @throws {ComandaError} `invalid_input` for another field or number, `usage` for `--rest` without `--top` */
export function parseRanking({ sort, top, rest = false }: GroupedOptions): Ranking {
  if (rest && top === undefined) {
    throw new ComandaError("usage", "--rest is about what --top leaves out.", { hint: "Add --top 10, say." });
  }
  const usual = top === undefined ? undefined : "revenue";
  const field = sort ?? usual;
  return {
    sort: field === undefined ? undefined : parseSort(field),
    top: top === undefined ? undefined : parseTop(top),
    rest,
  };
}

/** A group with its figures in both periods; a side that doesn't have it counts as nothing. */
export interface ArrangedGroup {
  readonly key: Group["key"];
  readonly label: Group["label"];
  /** As the service gave it. */
  readonly current: Group | undefined;
  readonly previous: Group | undefined;
  readonly change: GroupChange | undefined;
}

export interface ArrangedRest {
  readonly current: Rest;
  readonly previous: Rest | undefined;
  readonly change: MetricsChange | undefined;
}

export interface Arranged {
  readonly groupBy: string;
  readonly compared: boolean;
  readonly groups: readonly ArrangedGroup[];
  /** `null` where nothing was left out, or nobody asked. */
  readonly rest: ArrangedRest | null;
}

interface ArrangeContext {
  readonly asked: AskedPeriods;
  readonly dimension: Dimension;
  readonly ranking: Ranking;
  readonly preferences: Pick<Preferences, "locale">;
}

export function arrange(figures: GroupFigures, context: ArrangeContext): Arranged {
  const { sort, top, rest } = context.ranking;
  const all = arrangedGroups(figures, context);
  const sorted = sort === undefined ? all : sortGroups(all.map(sortable), sort, context.preferences.locale);
  const [groups, others] = [sorted.slice(0, top), top === undefined ? [] : sorted.slice(top)];
  const compared = figures.previous !== undefined;
  return {
    groupBy: figures.current.grouped.group_by,
    compared,
    groups,
    rest: rest && others.length > 0 ? restOf(others, compared) : null,
  };
}

function arrangedGroups(
  { current, previous }: GroupFigures,
  { asked, dimension }: ArrangeContext,
): readonly ArrangedGroup[] {
  if (!previous || !asked.previous) {
    return current.placed.map(({ group }) => ({
      ...{ key: group.key, label: group.label, current: group, previous: undefined, change: undefined },
    }));
  }
  const pairs = pairGroups(
    { period: asked.current.period, groups: current },
    { period: asked.previous.period, groups: previous },
    dimension,
  );
  return pairs.map((pair) => {
    const change = groupChange(pair);
    const { key, label } = change;
    return { key, label, current: pair.current?.group, previous: pair.previous?.group, change };
  });
}

const none: Metrics = { total_order_count: 0, total_revenue: 0, average_order_value: 0 };

/** Ranking goes by the current period. */
function sortable(group: ArrangedGroup): ArrangedGroup & Metrics {
  const { total_order_count, total_revenue, average_order_value } = group.current ?? none;
  return { ...group, total_order_count, total_revenue, average_order_value };
}

function restOf(others: readonly ArrangedGroup[], compared: boolean): ArrangedRest {
  const sum = (side: "current" | "previous"): Rest => {
    const groups = others.flatMap((one) => one[side] ?? []);
    const totals = groups.map((group) => totalsOf(group)).reduce(addTotals, nothing);
    return { group_count: groups.length, ...metricsOf(totals) };
  };
  const current = sum("current");
  if (!compared) return { current, previous: undefined, change: undefined };
  const previous = sum("previous");
  return { current, previous, change: compareMetrics(current, previous) };
}
