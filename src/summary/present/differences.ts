/** In words: by how much a report's section differs from the headline. */
import { t } from "../../shared/language.js";
import type { Difference } from "../report/differences.js";
import type { NumberFormat } from "./number-format.js";

/** A sentence. */
export function differenceText(
  { of, total_order_count, total_revenue }: Difference,
  { countChange, amountChange }: NumberFormat,
): string {
  const [orders, revenue] = [countChange(total_order_count), amountChange(total_revenue)];
  return of === "current"
    ? t`This differs from the headline by ${orders} in orders and ${revenue} in revenue: orders changed while they were asked for.`
    : t`The period before differs from its headline by ${orders} in orders and ${revenue} in revenue: orders changed while they were asked for.`;
}
