/** Makes texts of the command tree for the build: .config/build.mjs writes them beside the program. */
import type { Command } from "commander";

import { t, type Language } from "../shared/language.js";

import { createProgram } from "./command-tree.js";
import { commandsByWords, wholeHelp } from "./commander.js";
import type { CompletionTable } from "./complete.js";
import { completionTable } from "./completion-table.js";
import { createProcessContext } from "./process-context.js";
import { useLanguage } from "./program.js";
import { manualPage } from "./reference/manual.js";
import { referencePages } from "./reference/pages.js";

declare const __VERSION__: string;

/** Help texts by the words of the command, for example `orders dispatch`. The program's key is empty. */
type HelpTexts = Readonly<Record<string, string>>;

/** @returns the texts of `--help`, and those of `comanda help <command>` */
export async function helpTexts(language: Language): Promise<{ screens: HelpTexts; whole: HelpTexts }> {
  const all = commandsByWords(await wholeTree(language));
  return {
    screens: Object.fromEntries(all.map(([words, command]) => [words, command.helpInformation()])),
    whole: Object.fromEntries(all.map(([words, command]) => [words, wholeHelp(command)])),
  };
}

export async function tableForCompletion(language: Language): Promise<CompletionTable> {
  return completionTable(await wholeTree(language));
}

/** These are printed before a catalogue is loaded; each `{name}` in them is replaced. */
export type StartWords = Awaited<ReturnType<typeof startWords>>;

export async function startWords(language: Language) {
  await useLanguage(language);
  return {
    noStore: t`No store is signed in yet. Begin with: comanda demo`,
    stores: t`Stores on this machine: ${"{stores}"}. Are they ready? comanda status`,
    keyAlone: t`${"{store}"} (API key only)`,
    unwritten: `${t`error:`} ${t`The output can't be written (${"{code}"}).`}`,
  };
}

/** @returns the manual's files by their names and sections */
export async function manual(language: Language): Promise<Readonly<Record<string, string>>> {
  const pages = referencePages(await wholeTree(language));
  return Object.fromEntries(
    pages.map((page) => [`${page.name}.${page.section}`, manualPage(page, pages, __VERSION__)]),
  );
}

async function wholeTree(language: Language): Promise<Command> {
  await useLanguage(language);
  const processContext = createProcessContext(__VERSION__);
  const program = await createProgram(processContext.context);
  processContext.end();
  return program;
}
