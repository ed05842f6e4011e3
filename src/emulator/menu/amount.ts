import { numberFromCents, type Cents } from "../../contract/money.js";

/** An amount as the pages show it, in the store's currency. */
export function amountText(cents: Cents, currency: string): string {
  return new Intl.NumberFormat("en", { style: "currency", currency }).format(numberFromCents(cents));
}
