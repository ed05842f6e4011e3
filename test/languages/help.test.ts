/** Every sentence of the help has a translation. */
import { Help, type Command } from "commander";
import { expect, test } from "vitest";

import { createProgram } from "../../src/cli/command-tree.js";
import { useLanguage } from "../../src/cli/program.js";
import { testContext } from "../support/context.js";

const program = await createProgram(testContext());

test("the help in Portuguese has the same commands, options and examples", async () => {
  await useLanguage("pt-BR");
  const translated = await createProgram(testContext());
  const [english, other] = [allBelow(program), allBelow(translated)];
  expect(other.map(flagsOf)).toEqual(english.map(flagsOf));
});

function allBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allBelow)];
}

function flagsOf(command: Command): readonly string[] {
  return [command.name(), ...new Help().visibleOptions(command).map(({ flags }) => flags)];
}
