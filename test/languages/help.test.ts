/** Every sentence of the help has a translation. */
import { Help, type Command } from "commander";
import { expect, test } from "vitest";

import { createProgram } from "../../src/cli/command-tree.js";
import { useLanguage } from "../../src/cli/program.js";
import { portuguese } from "../../src/languages/pt-BR/index.js";
import { testContext } from "../support/context.js";
import { allBelow, helpTextsOf } from "./support/help.js";

test("every description of a command and of an option has a translation", async () => {
  const texts = await helpTextsOf();
  expect(texts.size).toBeGreaterThan(100);
  expect([...texts].filter((text) => !Object.hasOwn(portuguese, text))).toEqual([]);
});

test("the help in Portuguese has the same commands, options and examples", async () => {
  const english = allBelow(await createProgram(testContext()));
  await useLanguage("pt-BR");
  const translated = allBelow(await createProgram(testContext()));
  expect(translated.map(flagsOf)).toEqual(english.map(flagsOf));
});

function flagsOf(command: Command): readonly string[] {
  return [command.name(), ...new Help().visibleOptions(command).map(({ flags }) => flags)];
}
