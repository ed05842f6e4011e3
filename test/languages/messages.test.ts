/** What the source says to people, and what the catalogue has of it. */
import { describe, expect, test } from "vitest";

import { createProgram } from "../../src/cli/command-tree.js";
import { dimensions } from "../../src/api/enums.js";
import { describedReadings } from "../../src/emulator/readings.js";
import { help } from "../../src/languages/pt-BR/help.js";
import { portuguese } from "../../src/languages/pt-BR/index.js";
import { messages } from "../../src/languages/pt-BR/messages.js";
import { testContext } from "../support/context.js";
import { lacking } from "./support/command-lines.js";
import { helpAlone, helpTextsOf } from "./support/help.js";
import { headingsOfSource, literalsOfSource, sentencesOfSource } from "./support/sentences.js";

/** Everything else is read by programs: the wire, the documents of the API, what the library's own programs see. */
const spoken = /^src\/(auth|cli|client|commands|sales|shared|state|terminal|toolkit)\//;
const sentences = sentencesOfSource((file) => spoken.test(file));
const templates = sentences.filter(({ isTemplate }) => isTemplate);

/** Headings of what figures are split by. */
const dimensionTexts = dimensions.map((name) => name.replaceAll("_", " ").replace(/ id$/, ""));

test("no sentence is made while its module loads, when the language isn't known", () => {
  expect(templates.filter(({ isAtModuleLevel }) => isAtModuleLevel)).toEqual([]);
});

/** What commander writes around the help. */
const commanderTexts: readonly string[] = ["Usage:", "Global Options:", "default:", "choices:"];

describe("the catalogue of Brazilian Portuguese", () => {
  test("has nothing that no one says", async () => {
    const said = new Set([
      ...commanderTexts,
      ...dimensionTexts,
      ...literalsOfSource(),
      ...templates.map(({ key }) => key),
      ...(await helpTextsOf()),
    ]);
    const unsaid = Object.keys(portuguese).filter((key) => !said.has(key));
    expect(unsaid).toEqual([]);
  });

  test("has every sentence", () => {
    const missing = templates.filter(({ key }) => !Object.hasOwn(portuguese, key));
    expect(missing.map(({ place, key }) => `${place} ${key}`)).toEqual([]);
  });

  test("has what help alone says apart from the messages, which every command loads", async () => {
    const shownByHelp = await helpAlone();
    expect(Object.keys(messages).filter((text) => shownByHelp.has(text))).toEqual([]);
    expect(Object.keys(help).filter((text) => !shownByHelp.has(text))).toEqual([]);
  });

  test("has the heading of every column", () => {
    const headings = headingsOfSource();
    expect(headings).not.toEqual([]);
    expect(headings.filter((heading) => !Object.hasOwn(portuguese, heading))).toEqual([]);
  });

  test("has the text of every reading", () => {
    expect(describedReadings.filter(({ text }) => !Object.hasOwn(portuguese, text))).toEqual([]);
  });

  test("has the same placeholders in each text and its translation", () => {
    const placeholders = (text: string) => new Set(text.match(/\{\d+\}/g));
    const unequal = Object.entries(portuguese).filter(
      ([key, translation]) =>
        [...placeholders(key)].sort().join() !== [...placeholders(translation)].sort().join(),
    );
    expect(unequal).toEqual([]);
  });
});

test("a sentence names no command and no option that comanda lacks, in either language", async () => {
  const said = new Set([
    ...templates.map(({ key }) => key),
    ...literalsOfSource(),
    ...Object.values(portuguese),
  ]);
  const program = await createProgram(testContext());
  expect([...said].flatMap((text) => lacking(text, program))).toEqual([]);
});
