/**
 * Finds what a report's sections have more or less than its headline. Every order is in one group of each section, so
 * they have the same sum, unless orders changed while they were asked for.
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

/** The sums are a section's less its headline's. */
export interface Difference extends Canceled {
  readonly of: "current" | "previous";
  readonly section: Dimension | "heatmap";
}

/** Lists the differences; the list is empty where all sections equal their headline. */
export function differencesOf({ summary, sections, heatmap }: ReportFigures): readonly Difference[] {
  const differenceTo = (of: Difference["of"], section: Difference["section"], sum: Sum | undefined) => {
    const headline = summary[of]?.figures;
    const more = sum && headline ? subtractSum(sum, addToSum(emptySum, headline)) : emptySum;
    if (isNothing(more)) return [];
    return [{ of, section, total_order_count: more.orders, total_revenue: numberFromCents(more.revenue) }];
  };
  const side = (of: Difference["of"]) =>
    [...sections].flatMap(([dimension, section]) =>
      differenceTo(of, dimension, section[of] && sumOf(section[of].figures.grouped.groups)),
    );
  return [
    ...side("current"),
    ...(heatmap ? differenceTo("current", "heatmap", sumOfCells(heatmap)) : []),
    ...side("previous"),
  ];
}

function sumOf(groups: readonly Metrics[]): Sum {
  return groups.reduce((sum, group) => addToSum(sum, group), emptySum);
}

function sumOfCells({ cells }: Pivot): Sum {
  return cells.map(({ sum }) => sum).reduce(addSums, emptySum);
}
