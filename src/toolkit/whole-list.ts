/**
 * Is a list of orders whole? A program that is stopped, or finds the disk full, leaves half a line at its end, and half an
 * id may be another order's id.
 */
import { ComandaError } from "../shared/errors.js";
import { plural, t } from "../shared/language.js";
import type { OptionDescription } from "./command.js";
import { wholeNumber, type CommandLine } from "./command-line.js";

export const expectOption: OptionDescription = {
  flags: "--expect <number>",
  description: "refuse a list of more or fewer orders before anything is sent",
};

/** @throws {ComandaError} `usage` where the value is no number of orders */
export function parseExpectedCount(line: CommandLine): number | undefined {
  if (line.text(expectFlag) === undefined) return undefined;
  return wholeNumber(line, expectFlag, { least: 1, most: Number.MAX_SAFE_INTEGER });
}

const expectFlag = "--expect";

/**
 * @param count distinct orders
 * @param expectedCount absent without `--expect`
 * @throws {ComandaError} `invalid_input` where the two differ
 */
export function checkCount(count: number, expectedCount: number | undefined): void {
  if (expectedCount === undefined || count === expectedCount) return;
  const message = plural(count, {
    one: t`The list has 1 order, and --expect says ${expectedCount}; nothing was sent.`,
    other: t`The list has ${count} orders, and --expect says ${expectedCount}; nothing was sent.`,
  });
  throw new ComandaError("invalid_input", message, {
    hint: t`See whether the list is whole. An order that stands in it twice counts once.`,
  });
}

/** @param count orders of the list: a single order often comes without a line's end */
export function warnIfCut(text: string, count: number, warn: (text: string) => void): void {
  if (count < 2 || text.endsWith("\n")) return;
  warn(
    t`The list ends in the middle of a line, so it may have been cut off. See whether its last entry is whole; --expect refuses a list of more or fewer orders.`,
  );
}
