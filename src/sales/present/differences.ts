/** Says by how much a report's section differs from the headline, and a pivot's row from its total. */
import { numberFromCents } from "../../contract/money.js";
import { t } from "../../shared/language.js";
import type { Pivot } from "../pivot/pivot.js";
import type { Difference } from "../report/differences.js";
import type { Display } from "../results.js";
import { localLabels } from "./labels.js";
import { createNumberFormat, type NumberFormat } from "./number-format.js";
import { headingOf } from "./pivot-table.js";

export function differenceText(
  { of, total_order_count, total_revenue }: Difference,
  { countChange, amountChange }: NumberFormat,
): string {
  const [orders, revenue] = [countChange(total_order_count), amountChange(total_revenue)];
  return of === "current"
    ? t`This differs from the headline by ${orders} in orders and ${revenue} in revenue: orders changed while they were asked for.`
    : t`The period before differs from its headline by ${orders} in orders and ${revenue} in revenue: orders changed while they were asked for.`;
}

/** Makes a sentence for each row and column that isn't its total. */
export function pivotDifferenceTexts(
  { differences }: Pick<Pivot, "differences">,
  display: Display,
): readonly string[] {
  const { locale } = display;
  const { countChange, amountChange } = createNumberFormat(display);
  return differences.map(({ dimension, member, sum }) => {
    const [orders, revenue] = [countChange(sum.orders), amountChange(numberFromCents(sum.revenue))];
    const [name = ""] = localLabels([member], { dimension, locale, weekdays: "long" });
    return t`${headingOf(dimension)} ${name} differs from its total by ${orders} in orders and ${revenue} in revenue: orders changed while they were asked for.`;
  });
}
