/** The help of every command and every topic at 40 and 80 columns, in both languages. */
import { describe, expect, test } from "vitest";

import { useLanguage } from "../../src/languages/language.js";
import { topicNames, topicText } from "../../src/cli/help/topics.js";
import { wrapWords } from "../../src/cli/text.js";
import { allBelow, helpsOfAll, lacking, wholeProgram } from "../support/help.js";

async function pagesIn(language: "en" | "pt-BR", columns = 80) {
  const helps = await helpsOfAll(language, columns);
  // The topics are in English in every language.
  const topics = language === "en" ? topicNames : [];
  return [
    ...[...helps].map(([words, text]) => ({ name: `comanda ${words} --help`, text })),
    ...(await Promise.all(
      topics.map(async (name) => ({
        name: `help ${name}`,
        text: ((await topicText(name)) ?? "").replaceAll(/^.*$/gm, (line) => wrapWords(line, columns)),
      })),
    )),
  ];
}

const program = await wholeProgram();

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "");

describe.each([
  ["English", "en"],
  ["Portuguese", "pt-BR"],
] as const)("The help in %s", async (_, language) => {
  const pages = await pagesIn(language);

  test.each([40, 80])("has no line wider than %i columns, and no broken word", async (width) => {
    const narrow = await pagesIn(language, width);
    for (const [index, { name, text }] of pages.entries()) {
      const page = narrow[index]?.text ?? "";
      const wide = page
        .split("\n")
        // Addresses, commands to copy, texts in quotes, and an option with its value aren't broken.
        .filter((line) => line.length > width && !/^(?: {2}\$ )?comanda /.test(line))
        .filter((line) =>
          line
            .trim()
            .replaceAll(/^--?[a-z-]+ |"[^"]*"|'[^']*'| \\$/g, "")
            .includes(" "),
        );
      expect(wide, name).toEqual([]);
      expect(wordsOf(page), name).toEqual(wordsOf(text));
    }
  });

  test("describes each command and option in a line of at most 60 characters", async () => {
    await useLanguage(language);
    const help = program.createHelp();
    const lines = allBelow(program).flatMap((command) => [
      help.subcommandDescription(command),
      ...command.options.map((option) => help.optionDescription(option)),
    ]);
    expect(lines.filter((line) => line.length > 60 || /^\p{Lu}\p{Ll}|\.$/u.test(line))).toEqual([]);
  });

  test("names only existing options", () => {
    const faults = pages.flatMap(({ name, text }) =>
      lacking(text, program).map((fault) => `${name}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});
