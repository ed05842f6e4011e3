/** The help of every command, for the build alone: .config/build.mjs writes it beside the program. */
import type { Command } from "commander";

import type { Language } from "../shared/language.js";

import { createProgram } from "./command-tree.js";
import { wholeHelp } from "./commander.js";
import type { CompletionTable } from "./complete.js";
import { completionTable } from "./completion-table.js";
import { createProcessContext } from "./process-context.js";
import { useLanguage } from "./program.js";

declare const __VERSION__: string;

/** By the words that a person types, for example `orders dispatch`; the program's own by none. */
type HelpTexts = Readonly<Record<string, string>>;

/** @returns what `--help` prints, and what `comanda help <command>` does */
export async function helpTexts(language: Language): Promise<{ screens: HelpTexts; whole: HelpTexts }> {
  const all = allBelow(await wholeTree(language), "");
  return {
    screens: Object.fromEntries(all.map(([words, command]) => [words, command.helpInformation()])),
    whole: Object.fromEntries(all.map(([words, command]) => [words, wholeHelp(command)])),
  };
}

/** What completion is answered from. */
export async function tableForCompletion(): Promise<CompletionTable> {
  return completionTable(await wholeTree("en"));
}

async function wholeTree(language: Language): Promise<Command> {
  await useLanguage(language);
  const world = createProcessContext(__VERSION__);
  const program = await createProgram(world.context);
  world.end();
  return program;
}

function allBelow(command: Command, words: string): (readonly [words: string, command: Command])[] {
  const members = command.commands.flatMap((member) => allBelow(member, `${words} ${member.name()}`.trim()));
  return [[words, command], ...members];
}
