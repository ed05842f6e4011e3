/** Compares the texts of the source with the Portuguese catalogue, and with the commands and options. */
import { describe, expect, test } from "vitest";

import { statusChanges } from "../../src/api/operations.js";
import { dimensions, orderStatuses } from "../../src/api/values.js";
import { outcomes } from "../../src/base/errors.js";
import type { Command } from "commander";
import portuguese from "../../src/languages/pt-BR.json" with { type: "json" };
import { allBelow, lacking, wholeProgram } from "../support/help.js";
import { headings, literals, notesOfExample, templates } from "./support/sentences.js";

const program = await wholeProgram();
/** The English summary, paragraphs and options of every command. */
const helpTexts = new Set(allBelow(program).flatMap(textsOf));

test("No text is created while its module loads, when the language isn't known", () => {
  expect(templates.filter(({ isAtModuleLevel }) => isAtModuleLevel)).toEqual([]);
});

/** commander's headings of the help. */
const commanderTexts: readonly string[] = ["Usage:", "Options:", "Commands:"];

describe("The catalogue of Brazilian Portuguese", () => {
  test("contains no unused text", () => {
    const said = new Set([
      ...commanderTexts,
      ...dimensions,
      ...literals,
      ...notesOfExample,
      ...templates.map(({ key }) => key),
      ...helpTexts,
    ]);
    const unsaid = Object.keys(portuguese).filter((key) => !said.has(key));
    expect(unsaid).toEqual([]);
  });

  test("contains every text of the source", () => {
    const missing = templates.filter(({ key }) => !Object.hasOwn(portuguese, key));
    expect(commanderTexts.filter((text) => !Object.hasOwn(portuguese, text))).toEqual([]);
    expect(missing.map(({ place, key }) => `${place} ${key}`)).toEqual([]);
  });

  const changes = [...Object.keys(statusChanges), "assign", "prefill"];

  test.each<[string, readonly string[], atLeast: number]>([
    ["description of a command or option", [...helpTexts], 100],
    ["heading of a column", headings, 10],
    ["note of the example of an order", notesOfExample, 10],
    ["value that tables show as a word", [...outcomes, ...changes, ...orderStatuses], 10],
  ])("contains every %s", (_, texts, atLeast) => {
    expect(texts.length).toBeGreaterThan(atLeast);
    expect(texts.filter((text) => !Object.hasOwn(portuguese, text))).toEqual([]);
  });

  test("uses the same placeholders in each text and its translation", () => {
    const placeholders = (text: string) => new Set(text.match(/\{\d+\}/g));
    const unequal = Object.entries(portuguese).filter(
      ([key, translation]) =>
        [...placeholders(key)].sort().join() !== [...placeholders(translation)].sort().join(),
    );
    expect(unequal).toEqual([]);
  });
});

test("A text names only existing options, in both languages", () => {
  const said = [...templates.map(({ key }) => key), ...Object.values(portuguese)];
  expect(said.flatMap((text) => lacking(text, program))).toEqual([]);
});

test("A text that the library shares with the command line contains no command and no flag", () => {
  const names = program.commands.map((command) => command.name());
  const named = new RegExp(String.raw`\bcomanda (?:${names.join("|")})\b|--[a-z]`);
  const shared = templates.filter(({ place }) => /^src\/(?:api|auth|base|client|state)\//.test(place));
  expect(shared.length).toBeGreaterThan(100);
  expect(shared.filter(({ key }) => named.test(key)).map(({ place, key }) => `${place} ${key}`)).toEqual([]);
});

function textsOf(command: Command): readonly string[] {
  // The summary is the first sentence of the description.
  const [, ...paragraphs] = command.description().split("\n\n");
  const texts = [command.summary(), ...paragraphs, ...command.options.map(({ description }) => description)];
  return texts.filter((text) => text !== "");
}
