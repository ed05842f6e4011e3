/** The texts of the help, as they stand in the code. */
import type { Command } from "commander";

import { createProgram } from "../../../src/cli/command-tree.js";
import { DescribedCommand } from "../../../src/cli/commander.js";
import { salesHelp } from "../../../src/sales/commands/sales-tables.js";
import { testContext } from "../../support/context.js";

/** In English: the summary, each paragraph and each option of every command; what is told of the schema. */
export async function helpTextsOf(): Promise<ReadonlySet<string>> {
  const ofSchema: string[] = [];
  salesHelp((text) => {
    ofSchema.push(text);
    return text;
  });
  return new Set([...allBelow(await createProgram(testContext())).flatMap(textsOf), ...ofSchema]);
}

export function allBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allBelow)];
}

function textsOf(command: Command): string[] {
  const described = command instanceof DescribedCommand ? command.described : undefined;
  return [
    described?.summary ?? command.summary(),
    ...(described?.description ?? (described ? "" : command.summary())).split("\n\n"),
    ...command.options.flatMap(({ description, helpGroupHeading = "" }) => [description, helpGroupHeading]),
  ].filter((text) => text !== "");
}
