/** Lines that name the right thing in the wrong place are told where it belongs. */
import { afterEach, expect, test } from "vitest";

import { runLine } from "../../src/cli/program.js";
import { useLanguage } from "../../src/languages/language.js";
import { Sink, testContext } from "../support/context.js";

async function hintOf(line: string): Promise<string> {
  const stderr = new Sink();
  expect(await runLine(testContext({ stderr }), line.split(" "))).toBe(2);
  return stderr.text.split("\n")[1]?.trim() ?? "";
}

afterEach(() => useLanguage("en"));

test.each([
  ["summary --by day", "--by is an option of: grouped"],
  ["orders dispatch 4711 --fee 3", "--fee is an option of: driver assign"],
  ["status --reason closed", "--reason is an option of: orders cancel"],
  ["summary yesterday", "Did you mean --period yesterday?"],
  ["summary 2025", "Did you mean --period 2025?"],
  ["grouped day", "Did you mean --by day?"],
  ["grouped day-of-week", "Did you mean --by day-of-week?"],
  ["summary --last-month", "Did you mean --period last-month?"],
  ["summary --peroid today", "Did you mean --period?"],
  ["summary --frobnicate", "Add --help to see what the command takes."],
  ["summary frobnicate", "Add --help to see what the command takes."],
])("%j is told: %s", async (line, hint) => {
  expect(await hintOf(line)).toContain(hint);
});
