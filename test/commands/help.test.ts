import { describe, expect, test } from "vitest";

import { createProgram } from "../../src/cli/command-tree.js";
import { helpPages } from "../../src/cli/commander.js";
import { helpCommand } from "../../src/commands/help/index.js";
import { testContext } from "../support/context.js";
import { openMachine, run } from "../support/machine.js";
import { parse } from "../support/parse.js";

const help = helpCommand(helpPages(await createProgram(testContext())));

describe("parse", () => {
  test.each([
    [[], { kind: "command", words: [] }],
    [["orders"], { kind: "command", words: ["orders"] }],
    [["orders", "cancel"], { kind: "command", words: ["orders", "cancel"] }],
    [["exit-codes"], { kind: "topic", topic: "exit-codes" }],
    [["environment"], { kind: "topic", topic: "environment" }],
  ])("help with %j", async (words, options) => {
    await expect(parse(help, ...words)).resolves.toEqual(options);
  });

  test.each([
    [
      ["oders"],
      "Did you mean orders? Topics: periods, filters, figures, output, sign-in, cron, schedulers, chain, journal, testing, library, exit-codes, environment, json, sales-db, files. Commands: comanda --help",
    ],
    [
      ["orders", "dispach"],
      "Did you mean dispatch? Topics: periods, filters, figures, output, sign-in, cron, schedulers, chain, journal, testing, library, exit-codes, environment, json, sales-db, files. Commands: comanda --help",
    ],
    [
      ["exit-code"],
      "Did you mean exit-codes? Topics: periods, filters, figures, output, sign-in, cron, schedulers, chain, journal, testing, library, exit-codes, environment, json, sales-db, files. Commands: comanda --help",
    ],
    [
      ["nothing"],
      "Topics: periods, filters, figures, output, sign-in, cron, schedulers, chain, journal, testing, library, exit-codes, environment, json, sales-db, files. Commands: comanda --help",
    ],
    [
      ["orders", "cancel", "1"],
      "Topics: periods, filters, figures, output, sign-in, cron, schedulers, chain, journal, testing, library, exit-codes, environment, json, sales-db, files. Commands: comanda --help",
    ],
  ])("help with %j is refused with a hint", async (words, hint) => {
    await expect(parse(help, ...words)).rejects.toMatchObject({
      code: "usage",
      message: `There is no command or topic "${words.join(" ")}".`,
      hint,
    });
  });
});

test.each([
  ["exit-codes", /^Exit codes\n/],
  ["environment", /^Environment variables\n/],
])("help prints the topic %s", async (topic, text) => {
  expect((await run(help, await openMachine(), { kind: "topic", topic })).stdout).toMatch(text);
});

test.each([
  [[], /^Usage: comanda \[options\] \[command\]\n/],
  [["orders"], /^Usage: comanda orders \[options\] \[command\] <id\.\.\.>\n/],
  [["orders", "cancel"], /^Usage: comanda orders cancel \[options\] \[id...\]\n[^]*\nExamples:\n/],
])("help prints what --help prints of the command %j", async (words, text) => {
  expect((await run(help, await openMachine(), { kind: "command", words })).stdout).toMatch(text);
});
