/** Money is exact: from the moment it is read until it is printed an amount is an integer number of cents. */

/** An amount is counted in hundredths of the store's currency; it is always a safe integer. */
export type Cents = number;

/** Checks for a non-negative decimal with at most two places. It may have more digits than {@link Cents} holds. */
export function isAmount(text: string): boolean {
  return /^\d+(?:\.\d{1,2})?$/.test(text);
}

/** Reads a non-negative decimal such as `7`, `7.5` or `7.50`; `undefined` where there are no such {@link Cents}. */
export function parseAmount(text: string): Cents | undefined {
  const [, whole = "none", fraction = ""] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const cents = Number(whole + fraction.padEnd(2, "0"));
  return Number.isSafeInteger(cents) ? cents : undefined;
}

/**
 * Reads an amount as a person types it: the decimals stand after a point or a comma. A text with both, or with more
 * than two digits after either, may hold a thousands separator and is refused.
 *
 * @returns the amount as it goes out, with a point and no leading zeros: `07,50` is `7.50`
 */
export function typedAmount(text: string): string | undefined {
  const plain = text.replace(/^0+(?=\d)/, "").replace(",", ".");
  return isAmount(plain) ? plain : undefined;
}

/** Reads an amount out of JSON by the shortest decimal that stands for it, which the sender wrote; as {@link parseAmount}. */
export function centsFromNumber(amount: number): Cents | undefined {
  const cents = parseAmount(String(Math.abs(amount)));
  return cents !== undefined && amount < 0 ? -cents : cents;
}

/** Looks at the shortest decimal that means the number. Every whole number passes. */
export function hasAtMostTwoDecimals(amount: unknown): boolean {
  return Number.isInteger(amount) || isAmount(String(Math.abs(Number(amount))));
}

/** Writes the amount as a decimal with two places and a point, for example `-7.50`. */
export function formatCents(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Makes the number that JSON carries, for example `7.5` for 750: the quotient is the nearest to the decimal. */
export function numberFromCents(cents: Cents): number {
  return cents / 100;
}

/** Divides a sum by a count, exactly, rounded half up to the cent; 0 where there is nothing to divide. */
export function averageCents(sum: Cents, count: number): Cents {
  return count === 0 ? 0 : quotient(BigInt(sum), BigInt(count));
}

/** Divides by a positive number, rounded half up, also below zero: floor((2 * dividend + divisor) / (2 * divisor)). */
export function quotient(dividend: bigint, divisor: bigint): number {
  const [doubled, whole] = [2n * dividend + divisor, 2n * divisor];
  const cut = doubled / whole;
  return Number(doubled % whole < 0n ? cut - 1n : cut);
}
