/** Amounts are exact: from the input to the output, they are integers in cents. */

/** An amount in hundredths of the store's currency, always a safe integer. */
export type Cents = number;

/** A decimal: its whole part and its places. */
const amountPattern = /^(\d+)(?:\.(\d{1,2}))?$/;

/** Returns whether the text is a non-negative decimal with at most two places. It may be too large for {@link Cents}. */
export function isAmount(text: string): boolean {
  return amountPattern.test(text);
}

/** Parses a non-negative decimal such as `7`, `7.5` or `7.50`; `undefined` if it isn't one, or is too large. */
export function parseAmount(text: string): Cents | undefined {
  const [, whole = "none", fraction = ""] = amountPattern.exec(text) ?? [];
  const cents = Number(whole + fraction.padEnd(2, "0"));
  return Number.isSafeInteger(cents) ? cents : undefined;
}

/**
 * Parses an amount as people type it, with a decimal point or comma. One with both, or with more than two digits after either, may contain
 * a thousands separator and is rejected.
 *
 * @returns the amount as it is sent, with a point and without leading zeros: `07,50` is `7.50`
 */
export function typedAmount(text: string): string | undefined {
  const plain = text.replace(/^0+(?=\d)/, "").replace(",", ".");
  return isAmount(plain) ? plain : undefined;
}

/** Returns the amount of a JSON number by its shortest decimal, which the sender wrote; `undefined` like {@link parseAmount}. */
export function centsFromNumber(amount: number): Cents | undefined {
  const cents = parseAmount(String(Math.abs(amount)));
  return cents !== undefined && amount < 0 ? -cents : cents;
}

/** Returns whether the number's shortest decimal has at most two places. */
export function hasAtMostTwoDecimals(amount: unknown): boolean {
  return Number.isInteger(amount) || isAmount(String(Math.abs(Number(amount))));
}

/** Formats an amount with two decimals and a point, for example `-7.50`. */
export function formatCents(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Returns the JSON number of an amount, for example `7.5` for 750. */
export function numberFromCents(cents: Cents): number {
  return cents / 100;
}

/** Divides a sum by a count exactly, rounded half up to the cent; returns 0 for a count of 0. */
export function averageCents(sum: Cents, count: number): Cents {
  return count === 0 ? 0 : quotient(BigInt(sum), BigInt(count));
}

/** Divides by a positive number and rounds half up, also below zero: floor((2 * dividend + divisor) / (2 * divisor)). */
export function quotient(dividend: bigint, divisor: bigint): number {
  const [doubled, whole] = [2n * dividend + divisor, 2n * divisor];
  const cut = doubled / whole;
  return Number(doubled % whole < 0n ? cut - 1n : cut);
}
