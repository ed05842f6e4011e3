/**
 * Is a list of orders whole? Who makes one and is stopped, or finds the disk full, leaves half a line at its end, and half an
 * id is an id too, perhaps another order's.
 */
import { ComandaError } from "../shared/errors.js";
import { plural, t } from "../shared/language.js";
import type { OptionDescription } from "./command.js";
import { wholeNumber, type CommandLine } from "./command-line.js";

export const expectOption: OptionDescription = {
  flags: "--expect <number>",
  description: "refuse a list of more or fewer orders before anything is sent",
};

/** @throws {ComandaError} `usage` where it is no number of orders */
export function parseExpected(line: CommandLine): number | undefined {
  if (line.text(expectName) === undefined) return undefined;
  return wholeNumber(line, expectName, { least: 1, most: Number.MAX_SAFE_INTEGER });
}

const expectName = "--expect";

/**
 * @param count orders, each counted once
 * @param expected absent where nobody said
 * @throws {ComandaError} `invalid_input` where they differ
 */
export function checkCount(count: number, expected: number | undefined): void {
  if (expected === undefined || count === expected) return;
  const message = plural(count, {
    one: t`The list has 1 order, and --expect says ${expected}; nothing was sent.`,
    other: t`The list has ${count} orders, and --expect says ${expected}; nothing was sent.`,
  });
  throw new ComandaError("invalid_input", message, {
    hint: t`See whether the list is whole. An order that stands in it twice counts once.`,
  });
}

/** @param count of its orders: a single one is often given without a line's end */
export function warnIfCut(text: string, count: number, warn: (text: string) => void): void {
  if (count < 2 || text.endsWith("\n")) return;
  warn(
    t`The list ends in the middle of a line, so it may have been cut off. See whether its last entry is whole; --expect refuses a list of more or fewer orders.`,
  );
}
