import { describe, expect, test } from "vitest";

import { createProgram, helpPages } from "../../src/cli/command-tree.js";
import { helpCommand } from "../../src/commands/help/index.js";
import { filterFields } from "../../src/api/filter-fields.js";
import { testContext } from "../support/context.js";
import { openMachine, run } from "../support/machine.js";
import { parse } from "../support/parse.js";

const pages = helpPages(await createProgram(testContext()));
const help = helpCommand(() => pages);

describe("parse", () => {
  test.each([
    [[], ""],
    [["orders"], "orders"],
    [["orders", "cancel"], "orders cancel"],
    [["exit-codes"], "exit-codes"],
    [["commands"], "commands"],
  ])("help with %j", async (words, page) => {
    await expect(parse(help, ...words)).resolves.toBe(page);
  });

  test.each([
    [
      ["oders"],
      "Did you mean orders? Topics: periods, filters, figures, output, sign-in, cron, schedulers, chain, journal, testing, library, exit-codes, environment, json, sales-db, files. Commands: comanda --help",
    ],
    [
      ["orders", "dispach"],
      "Did you mean orders dispatch? Topics: periods, filters, figures, output, sign-in, cron, schedulers, chain, journal, testing, library, exit-codes, environment, json, sales-db, files. Commands: comanda --help",
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
      "Did you mean orders cancel? Topics: periods, filters, figures, output, sign-in, cron, schedulers, chain, journal, testing, library, exit-codes, environment, json, sales-db, files. Commands: comanda --help",
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
  expect((await run(help, await openMachine(), topic)).stdout).toMatch(text);
});

test.each([
  [[], /^Usage: comanda \[options\] \[command\]\n/],
  [["orders"], /^Usage: comanda orders \[options\] \[command\]\n/],
  [["orders", "cancel"], /^Usage: comanda orders cancel \[options\] <id\.\.\.>\n[^]*\nExamples:\n/],
])("help prints what --help prints of the command %j", async (words, text) => {
  expect((await run(help, await openMachine(), words.join(" "))).stdout).toMatch(text);
});

test("help filters names every field that orders can be filtered by, and their section", async () => {
  const { stdout } = await run(help, await openMachine(), "filters");
  const fields = stdout.slice(stdout.indexOf("Fields (section 4.8"));
  expect(
    Object.keys(filterFields).filter(
      (field) => !fields.includes(`${field} `) && !fields.includes(`${field},`),
    ),
  ).toEqual([]);
});

test.each([
  ["driver assign", "--fee", "in the store's currency, at least 0, with at most two decimals (section 4.1)"],
  ["orders cancel", "--reason", "(section 4.2)"],
  ["summary", "--date-field", "(section 4.6"],
  ["grouped", "--by", "(section 4.7"],
  ["summary", "--filter", "(section 4.8"],
  ["prefill", "--order-type", "(section 4.9)"],
  ["prefill", "--customer-name", "(section 4.9)"],
  ["prefill", "--customer-phone", "digits only (section 4.9)"],
  ["prefill", "--item", "a whole quantity and a note to the kitchen (section 4.9"],
  ["prefill", "--address", "(sections 2.2 and 4.9"],
])("the help of %s says of %s which rule it has, and where it stands", async (command, flag, rule) => {
  const { stdout } = await run(help, await openMachine(), command);
  const text = stdout.slice(stdout.search(new RegExp(`^ .*${flag} `, "m"))).replaceAll(/\s+/g, " ");
  expect(text.slice(0, text.indexOf(" --", text.indexOf(flag) + flag.length))).toContain(rule);
});
