import { numberFromCents, type Cents } from "../../../contract/money.js";

/** An amount as the pages show it, in the store's currency. */
export function amountText(cents: Cents, currency: string): string {
  // Quantities have no upper limit: beyond what is exact no figure is shown.
  if (!Number.isSafeInteger(cents)) return "more than can be shown";
  return new Intl.NumberFormat("en", { style: "currency", currency }).format(numberFromCents(cents));
}
