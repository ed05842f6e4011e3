/**
 * Finds and says by how much a report's section differs from its headline, and a pivot's row from its total. Every
 * order is in one group of each section, so they have the same sum, unless orders changed while they were asked for.
 */
import type { Dimension } from "../../contract/enums.js";
import { numberFromCents } from "../../contract/money.js";
import { t } from "../../shared/language.js";
import { totalOf } from "../merge/members.js";
import { addSums, emptySum, isNothing, subtractSum, sumOf, type Sum } from "../merge/sums.js";
import type { Pivot } from "../pivot/pivot.js";
import type { ReportFigures } from "../report/plan.js";
import type { Canceled, Display } from "../results.js";
import { headingOf, localLabels } from "./labels.js";
import { createNumberFormat } from "./number-format.js";

/** The sums are a section's less its headline's. */
export interface Difference extends Canceled {
  readonly of: "current" | "previous";
  readonly section: Dimension | "heatmap";
}

/** Lists the differences; the list is empty where all sections equal their headline. */
export function differencesOf({ summary, sections, heatmap }: ReportFigures): readonly Difference[] {
  const differenceTo = (of: Difference["of"], section: Difference["section"], sum: Sum | undefined) => {
    const headline = summary[of]?.figures;
    const more = sum && headline ? subtractSum(sum, sumOf(headline)) : emptySum;
    if (isNothing(more)) return [];
    return [{ of, section, total_order_count: more.orders, total_revenue: numberFromCents(more.revenue) }];
  };
  const side = (of: Difference["of"]) =>
    [...sections].flatMap(([dimension, section]) =>
      differenceTo(of, dimension, section[of]?.figures.grouped.groups.map(sumOf).reduce(addSums, emptySum)),
    );
  const cells = heatmap && totalOf(heatmap.cells);
  return [...side("current"), ...differenceTo("current", "heatmap", cells), ...side("previous")];
}

/** Makes a sentence for each difference of a report, those within its heat map included. */
export function reportDifferences(
  figures: ReportFigures,
  display: Display,
): readonly { readonly section: Difference["section"]; readonly text: string }[] {
  const { countChange, amountChange } = createNumberFormat(display);
  const ofHeatmap = figures.heatmap ? pivotDifferenceTexts(figures.heatmap, display) : [];
  return [
    ...differencesOf(figures).map(({ of, section, total_order_count, total_revenue }) => {
      const [orders, revenue] = [countChange(total_order_count), amountChange(total_revenue)];
      const text =
        of === "current"
          ? t`This differs from the headline by ${orders} in orders and ${revenue} in revenue: orders changed while they were asked for.`
          : t`The period before differs from its headline by ${orders} in orders and ${revenue} in revenue: orders changed while they were asked for.`;
      return { section, text };
    }),
    ...ofHeatmap.map((text) => ({ section: "heatmap" as const, text })),
  ];
}

/** Makes a sentence for each row and column that isn't its total. */
export function pivotDifferenceTexts(
  { differences }: Pick<Pivot, "differences">,
  display: Display,
): readonly string[] {
  const { countChange, amountChange } = createNumberFormat(display);
  return differences.map(({ dimension, member, sum }) => {
    const [orders, revenue] = [countChange(sum.orders), amountChange(numberFromCents(sum.revenue))];
    const [name = ""] = localLabels([member], { dimension, locale: display.locale });
    return t`${headingOf(dimension)} ${name} differs from its total by ${orders} in orders and ${revenue} in revenue: orders changed while they were asked for.`;
  });
}
