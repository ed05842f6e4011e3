/** The help of every command, built from the command tree. */
import type { Command } from "../../src/cli/command.js";
import { createProgram } from "../../src/cli/main.js";
import { useLanguage, type Language } from "../../src/languages/language.js";

import { Sink, testContext } from "./context.js";

/** @returns the text that `--help` and `comanda help` print, by the command's words */
export async function helpsOfAll(
  language: Language = "en",
  columns = 80,
): Promise<ReadonlyMap<string, string>> {
  await useLanguage(language);
  const helps = helpsBelow(await createProgram(testContext({ stdout: new Sink(columns) })), "");
  await useLanguage("en");
  return new Map(helps);
}

function helpsBelow(command: Command, words: string): (readonly [words: string, help: string])[] {
  return [
    [words, command.helpInformation()],
    ...command.commands.flatMap((member) => helpsBelow(member, `${words} ${member.name()}`.trim())),
  ];
}
