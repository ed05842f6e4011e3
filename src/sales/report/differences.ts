/**
 * What a report's sections have more or less than its headline. Every order is in one group of each section, so that they
 * are the same sum, unless orders changed while they were asked for.
 */
import { numberFromCents } from "../../contract/money.js";
import type { Dimension } from "../../contract/enums.js";
import {
  addSums,
  addToSum,
  emptySum,
  isNothing,
  subtractSum,
  type Metrics,
  type Sum,
} from "../merge/sums.js";
import type { Pivot } from "../pivot/pivot.js";
import type { Canceled } from "../results.js";
import type { ReportFigures } from "./plan.js";

/** A section less its headline. */
export interface Difference extends Canceled {
  readonly of: "current" | "previous";
  readonly section: Dimension | "heatmap";
}

/** None where all sections equal their headline. */
export function differencesOf({ summary, groups, previous, heatmap }: ReportFigures): readonly Difference[] {
  const against = (headline: Metrics, of: Difference["of"], section: Difference["section"], sum: Sum) => {
    const more = subtractSum(sum, addToSum(emptySum, headline));
    if (isNothing(more)) return [];
    return [{ of, section, total_order_count: more.orders, total_revenue: numberFromCents(more.revenue) }];
  };
  const sections = (headline: Metrics, of: Difference["of"], lists: ReportFigures["groups"]) =>
    [...lists].flatMap(([dimension, { grouped }]) => against(headline, of, dimension, sumOf(grouped.groups)));
  const current = summary.current.figures;
  return [
    ...sections(current, "current", groups),
    ...(heatmap ? against(current, "current", "heatmap", sumOfCells(heatmap)) : []),
    ...(summary.previous ? sections(summary.previous.figures, "previous", previous) : []),
  ];
}

function sumOf(groups: readonly Metrics[]): Sum {
  return groups.reduce((sum, group) => addToSum(sum, group), emptySum);
}

function sumOfCells({ cells }: Pivot): Sum {
  return cells.map(({ sum }) => sum).reduce(addSums, emptySum);
}
