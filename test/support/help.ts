/** The help and the options of every command, from the command tree. */
import type { Command } from "../../src/cli/command.js";
import { createProgram } from "../../src/cli/main.js";
import { useLanguage, type Language } from "../../src/languages/language.js";

import { Sink, testContext } from "./context.js";

/** Creates the program with the options of all its commands. */
export async function wholeProgram(context = testContext()): Promise<Command> {
  const program = createProgram(context);
  for (const command of program.commands) await command.load?.();
  return program;
}

/** @returns the text that `--help` and `comanda help` print, by the command's words */
export async function helpsOfAll(
  language: Language = "en",
  columns = 80,
): Promise<ReadonlyMap<string, string>> {
  await useLanguage(language);
  const helps = helpsBelow(await wholeProgram(testContext({ stdout: new Sink(columns) })), "");
  await useLanguage("en");
  return new Map(helps);
}

function helpsBelow(command: Command, words: string): (readonly [words: string, help: string])[] {
  return [
    [words, command.helpInformation()],
    ...command.commands.flatMap((member) => helpsBelow(member, `${words} ${member.name()}`.trim())),
  ];
}

/** Returns the options that a text names but no command has. */
export function lacking(text: string, program: Command): readonly string[] {
  const known = new Set(allBelow(program).flatMap(({ options }) => options.map(({ long }) => long ?? "")));
  const named = text.match(/(?<![\w-])--[a-z][\w-]*/g) ?? [];
  // --global is an option of npm.
  return named.filter((flag) => !known.has(flag) && flag !== "--help" && flag !== "--global");
}

export function allBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allBelow)];
}
