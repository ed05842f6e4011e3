import { expect, test } from "vitest";

import { wholeNumber } from "../../src/toolkit/command-line.js";
import type { CommandLine } from "../../src/toolkit/command-line.js";
import type { Command } from "../../src/toolkit/command.js";
import { parse } from "../support/parse.js";

/** A command that has an option of each kind. */
function commandWith<Options>(read: (line: CommandLine) => Options): Command<Options> {
  return {
    description: {
      usage: "try <id...>",
      summary: "try the options",
      takes: ["store"],
      options: [
        { flags: "-r, --reason <text>", description: "a text" },
        { flags: "--item <item>", description: "several", repeatable: true },
        { flags: "--count <number>", description: "a number", default: "16" },
        { flags: "--kind <kind>", description: "a choice", choices: ["a", "b"] },
        { flags: "-y, --yes", description: "a flag" },
        { flags: "--chart", description: "a flag" },
        { flags: "--no-browser", description: "a flag that takes something away" },
      ],
      examples: ["try 1"],
    },
    parse: read,
    run: () => Promise.resolve(),
  };
}

test("a command line gives arguments, texts, lists, flags and the options that all commands know", async () => {
  const read = (line: CommandLine) => ({
    words: line.words,
    reason: line.text("--reason"),
    items: line.list("--item"),
    count: wholeNumber(line, "--count", { least: 1, most: 256 }),
    yes: line.flag("--yes"),
    chart: line.flag("--chart"),
    noBrowser: line.flag("--no-browser"),
    stores: line.globals.stores,
  });
  const command = commandWith(read);

  await expect(parse(command, "4711")).resolves.toEqual({
    words: ["4711"],
    reason: undefined,
    items: [],
    count: 16,
    yes: false,
    chart: false,
    noBrowser: false,
    stores: [],
  });
  const given = "4711 4712 -r late --item x --item y --count 3 -y --chart --no-browser --store centro";
  await expect(parse(command, ...given.split(" "))).resolves.toEqual({
    words: ["4711", "4712"],
    reason: "late",
    items: ["x", "y"],
    count: 3,
    yes: true,
    chart: true,
    noBrowser: true,
    stores: ["centro"],
  });
});

test.each([
  ["a number that is none", "4711 --count x", '--count can\'t be "x"'],
  ["a number out of range", "4711 --count 257", '--count can\'t be "257"'],
  ["a choice that isn't there", "4711 --kind c", "Allowed choices are a, b"],
  ["an argument that is missing", "", "missing required argument"],
  ["an option that the command doesn't take", "4711 --dry-run", "doesn't take --dry-run"],
])("a command line is refused for %s", async (_, words, message) => {
  const command = commandWith((line) => wholeNumber(line, "--count", { least: 1, most: 256 }));
  await expect(parse(command, ...words.split(" ").filter(Boolean))).rejects.toThrow(message);
});
