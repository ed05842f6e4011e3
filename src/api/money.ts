/**
 * Money is exact: an amount is an integer number of cents from the moment it is read until it is printed. Over the
 * wire it is a JSON number with at most two decimal places (specification, section 1).
 */

/** An amount is counted in hundredths of the store's currency; it is always a safe integer. */
export type Cents = number;

const decimal = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/**
 * Reads a non-negative decimal such as `7`, `7.5` or `7.50`.
 *
 * @returns the amount in cents, or `undefined` where the text is not an amount with at most two decimals, or not a safe integer of cents
 */
export function parseAmount(text: string): Cents | undefined {
  const match = decimal.exec(text);
  if (!match) return undefined;
  const [, whole = "0", fraction = ""] = match;
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return Number.isSafeInteger(cents) ? cents : undefined;
}

/**
 * Checks that the text is a non-negative decimal with at most two places. It may have more digits than {@link Cents}
 * holds.
 */
export function isAmount(text: string): boolean {
  return /^\d+(?:\.\d{1,2})?$/.test(text);
}

/** Says in words what {@link typedAmount} takes. */
export const typedAmountForm = "an amount without a thousands separator, with at most two decimals";

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

/**
 * Reads an amount that arrived as a JSON number. The shortest decimal that stands for the number is taken,
 * which is what the sender wrote as long as it has at most 15 digits.
 *
 * @returns the amount in cents, or `undefined` where the number has more than two decimals, or is not a safe integer of cents
 */
export function centsFromNumber(amount: number): Cents | undefined {
  const cents = parseAmount(String(Math.abs(amount)));
  if (cents === undefined) return undefined;
  return amount < 0 ? -cents : cents;
}

/**
 * Looks at the shortest decimal that means the number. Every whole number passes, also beyond what {@link Cents}
 * holds.
 */
export function hasAtMostTwoDecimals(amount: number): boolean {
  return Number.isInteger(amount) || /^-?\d+\.\d{1,2}$/.test(String(amount));
}

/** Writes the amount as a decimal with two places and a point, for example `-7.50`. */
export function formatCents(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Makes the number that JSON carries, for example `7.5` for 750. */
export function numberFromCents(cents: Cents): number {
  return Number(formatCents(cents));
}

/**
 * Divides a sum by a count, rounded half up to the cent; 0 where there is nothing to divide. It is exact for every
 * safe integer.
 */
export function averageCents(sum: Cents, count: number): Cents {
  if (count === 0) return 0;
  const [total, parts] = [BigInt(sum), BigInt(count)];
  // floor((2 * total + parts) / (2 * parts)) rounds half up, also below zero.
  const [numerator, denominator] = [2n * total + parts, 2n * parts];
  const quotient = numerator / denominator;
  return Number(numerator % denominator < 0n ? quotient - 1n : quotient);
}
