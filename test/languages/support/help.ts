/** The texts of the help, as they stand in the code. */
import type { Command } from "commander";

import { createProgram } from "../../../src/cli/command-tree.js";
import { DescribedCommand } from "../../../src/cli/commander.js";
import { testContext } from "../../support/context.js";

import { headingsOfSource, sentencesOfSource } from "./sentences.js";

/** What no command says while it works: options, and all of a command but its summary. */
export async function helpAlone(): Promise<ReadonlySet<string>> {
  const said = new Set([
    ...allBelow(await createProgram(testContext())).map(
      (command) => describedBy(command)?.summary ?? command.summary(),
    ),
    ...sentencesOfSource(() => true).map(({ isTemplate, key }) => (isTemplate ? key : undefined)),
    ...headingsOfSource(),
  ]);
  return new Set([...(await helpTextsOf())].filter((text) => !said.has(text)));
}

/** In English: the summary, each paragraph and each option of every command. */
export async function helpTextsOf(): Promise<ReadonlySet<string>> {
  return new Set(allBelow(await createProgram(testContext())).flatMap(textsOf));
}

export function allBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allBelow)];
}

function textsOf(command: Command): string[] {
  const described = describedBy(command);
  return [
    described?.summary ?? command.summary(),
    ...(described?.description ?? (described ? "" : command.summary())).split("\n\n"),
    ...command.options.flatMap(({ description, helpGroupHeading = "" }) => [description, helpGroupHeading]),
  ].filter((text) => text !== "");
}

function describedBy(command: Command): DescribedCommand["details"] | undefined {
  return command instanceof DescribedCommand ? command.details : undefined;
}
