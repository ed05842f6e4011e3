/** All that comanda's helps and sentences say, read as a person would, at 40 columns and at 80, in both languages. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createProgram } from "../../src/cli/program.js";
import { commandPath } from "../../src/cli/command.js";
import { useLanguage } from "../../src/languages/language.js";
import { helpTopics } from "../../src/commands/help.js";
import portuguese from "../../src/languages/pt-BR.json" with { type: "json" };
import { wrapWords } from "../../src/cli/text.js";
import { Sink, testContext } from "../support/context.js";
import { englishIn, portugueseIn } from "./support/ear.js";
import { allBelow, lacking } from "./support/command-lines.js";

interface Page {
  readonly name: string;
  readonly text: string;
}

async function pagesIn(language: "en" | "pt-BR", columns = 80): Promise<readonly Page[]> {
  await useLanguage(language);
  const tree = await createProgram(testContext({ stdout: new Sink(columns) }));
  return [
    ...allBelow(tree).map((command) => ({
      name: `${commandPath(command)} --help`,
      text: command.helpInformation(),
    })),
    // The topics are in English in every language.
    ...(language === "en" ? helpTopics : []).map(({ name, text }) => ({
      name: `help ${name}`,
      text: text
        .split("\n")
        .map((line) => wrapWords(line, columns))
        .join("\n"),
    })),
  ];
}

const program = await createProgram(testContext());
const english = await pagesIn("en");
const inPortuguese = await pagesIn("pt-BR");
beforeAll(() => useLanguage("en"));
afterAll(() => useLanguage("en"));

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "" && word !== "\\");

describe.each([
  ["English", "en", english],
  ["Portuguese", "pt-BR", inPortuguese],
] as const)("a help in %s", (_, language, pages) => {
  test.each([40, 80])("has no line wider than %i columns, and no word that is cut", async (width) => {
    const narrow = await pagesIn(language, width);
    await useLanguage("en");
    for (const [index, { name, text }] of pages.entries()) {
      const page = narrow[index]?.text ?? "";
      const wide = page
        .split("\n")
        // An address and what is to be copied have no place to be broken at.
        .filter((line) => line.length > width && line.trim().replace(/ \\$/, "").includes(" "));
      expect(wide, name).toEqual([]);
      expect(wordsOf(page), name).toEqual(wordsOf(text));
    }
  });

  test("names no command and no option that comanda lacks", () => {
    const faults = pages.flatMap(({ name, text }) =>
      lacking(text, program).map((fault) => `${name}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});

/** An example that goes on in a second line is one command. */
const joined = (text: string) => text.replaceAll(/ \\\n +/g, " ");

test("a help in Portuguese has no English, and one in English no Portuguese", () => {
  const faults = [
    ...inPortuguese.flatMap(({ name, text }) => englishIn(joined(text)).map((said) => `${name}: ${said}`)),
    ...english.flatMap(({ name, text }) => portugueseIn(joined(text)).map((said) => `${name}: ${said}`)),
  ];
  expect([...new Set(faults)]).toEqual([]);
});

test("a sentence in Portuguese has no English in it, and is none that was left as it was", () => {
  const catalogue = Object.entries(portuguese);
  const faults = catalogue.flatMap(([key, said]) =>
    [...englishIn(said), ...(key === said && englishIn(key).length > 0 ? [key] : [])].map(
      (fault) => `${key}: ${fault}`,
    ),
  );
  expect(faults).toEqual([]);
});
