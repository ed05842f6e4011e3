/** Every sentence of the help has a translation. */
import { Help, type Command } from "commander";
import { expect, test } from "vitest";

import { createProgram } from "../../src/cli/command-tree.js";
import { DescribedCommand } from "../../src/cli/commander.js";
import { useLanguage } from "../../src/cli/program.js";
import { portuguese } from "../../src/languages/pt-BR/index.js";
import { testContext } from "../support/context.js";

const program = await createProgram(testContext());

test("every description of a command and of an option has a translation", () => {
  const texts = new Set(allBelow(program).flatMap(textsOf));
  expect(texts.size).toBeGreaterThan(100);
  expect([...texts].filter((text) => !Object.hasOwn(portuguese, text))).toEqual([]);
});

test("the help in Portuguese has the same commands, options and examples", async () => {
  await useLanguage("pt-BR");
  const translated = await createProgram(testContext());
  const [english, other] = [allBelow(program), allBelow(translated)];
  expect(other.map(flagsOf)).toEqual(english.map(flagsOf));
});

function allBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allBelow)];
}

function textsOf(command: Command): string[] {
  const described = command instanceof DescribedCommand ? command.described : undefined;
  return [
    described?.summary ?? command.summary(),
    ...(described?.description ?? (described ? "" : command.summary())).split("\n\n"),
    ...command.options.map(({ description }) => description),
  ].filter((text) => text !== "");
}

function flagsOf(command: Command): readonly string[] {
  return [command.name(), ...new Help().visibleOptions(command).map(({ flags }) => flags)];
}
