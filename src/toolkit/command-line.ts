/** The words after a command's name, as its `parse` reads them. */
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { GlobalOptions as Globals } from "../cli/global-options.js";

export type { GlobalOptions as Globals, RestrictedOption } from "../cli/global-options.js";
export { oneStore } from "../cli/global-options.js";

export interface CommandLine {
  /** The arguments. */
  readonly words: readonly string[];
  /** The options that every command knows. */
  readonly globals: Globals;
  /** The value of an option, named as it is typed: `--reason`. */
  text(option: string): string | undefined;
  /** Every value of an option that may be given more than once. */
  list(option: string): readonly string[];
  /** Was the option given? */
  flag(option: string): boolean;
}

/** @param values by the option as it is typed; an option that was not typed has a value only if it has a default */
export function createCommandLine(
  words: readonly string[],
  globals: Globals,
  values: ReadonlyMap<string, string | boolean | readonly string[]>,
): CommandLine {
  return {
    words,
    globals,
    text(option) {
      const value = values.get(option);
      return typeof value === "string" ? value : undefined;
    },
    list(option) {
      const value = values.get(option);
      return typeof value === "object" ? value : [];
    },
    flag: (option) => values.get(option) === true,
  };
}

/** A person's answers, which count as if they had been typed. */
export interface Answers {
  /** Further arguments. */
  readonly words?: readonly string[];
  /** Values by their option: `--by`. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly store?: string;
}

export function withAnswers(line: CommandLine, { words = [], texts = {}, store }: Answers): CommandLine {
  return {
    ...line,
    words: [...line.words, ...words],
    globals: store === undefined ? line.globals : { ...line.globals, stores: [store] },
    text: (option) => (Object.hasOwn(texts, option) ? texts[option] : line.text(option)),
  };
}

/** @throws {ComandaError} `usage` where the option's value isn't a number in this range */
export function wholeNumber(
  line: CommandLine,
  option: string,
  { least, most, usual }: { readonly least: number; readonly most: number; readonly usual?: number },
): number {
  const text = line.text(option) ?? String(usual ?? "");
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new ComandaError("usage", t`${option} can't be "${text}".`, {
    hint: t`It takes a whole number from ${least} to ${most}.`,
  });
}
