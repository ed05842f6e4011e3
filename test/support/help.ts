/** The help of every command, made of the command tree. */
import { createProgram } from "../../src/cli/command-tree.js";
import { commandsByWords, wholeHelp } from "../../src/cli/commander.js";
import { useLanguage } from "../../src/languages/language.js";
import type { Language } from "../../src/languages/language.js";

import { testContext } from "./context.js";

/** @returns by the command's words: the screen that `--help` prints, and the whole that `comanda help` prints */
export async function helpsOfAll(
  language: Language = "en",
): Promise<ReadonlyMap<string, { readonly screen: string; readonly whole: string }>> {
  await useLanguage(language);
  const helps = commandsByWords(await createProgram(testContext())).map(
    ([words, command]) => [words, { screen: command.helpInformation(), whole: wholeHelp(command) }] as const,
  );
  await useLanguage("en");
  return new Map(helps);
}
