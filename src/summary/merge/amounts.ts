/** Amounts of an answer, in cents. The specification promises at most two decimals; a service may break that. */
import { type Cents, centsFromNumber } from "../../contract/money.js";
import { ComandaError } from "../../errors/index.js";

/** The shortest decimal that stands for a number, in parts: digits before and after the point, exponent. */
const shortest = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

export interface ReadAmount {
  readonly cents: Cents;
  /** False where there were more than two decimals: the amount is then rounded half up. */
  readonly exact: boolean;
}

/**
 * @throws {ComandaError} `unexpected_answer` for an amount too large to be counted exactly in cents
 */
export function readAmount(amount: number): ReadAmount {
  const cents = centsFromNumber(amount);
  if (cents !== undefined) return { cents: cents === 0 ? 0 : cents, exact: true };
  return { cents: roundHalfUp(amount), exact: false };
}

/**
 * Adds in cents.
 *
 * @throws {ComandaError} `unexpected_answer` where the sum is too large to be exact
 */
export function addCents(one: Cents, other: Cents): Cents {
  const sum = one + other;
  if (!Number.isSafeInteger(sum)) throw tooLarge(sum / 100);
  return sum;
}

function roundHalfUp(amount: number): Cents {
  const [, whole = "", fraction = "", exponent = "0"] = shortest.exec(String(Math.abs(amount))) ?? [];
  // JavaScript writes an exponent below zero only for less than a millionth.
  if (exponent.startsWith("-")) return 0;
  if (whole === "" || exponent !== "0") throw tooLarge(amount);
  const third = Number(fraction[2] ?? 0);
  const rest = /[1-9]/.test(fraction.slice(3));
  // Half up means towards more, so below zero a plain half goes towards zero.
  const up = amount < 0 ? third > 5 || (third === 5 && rest) : third >= 5;
  const cents = Number(whole + fraction.slice(0, 2).padEnd(2, "0")) + (up ? 1 : 0);
  if (!Number.isSafeInteger(cents)) throw tooLarge(amount);
  return amount < 0 && cents > 0 ? -cents : cents;
}

function tooLarge(amount: number): ComandaError {
  return new ComandaError("unexpected_answer", `The amount ${amount} is too large to be counted in cents.`, {
    hint: "Ask for a shorter period, or report the answer to the service's support.",
  });
}
