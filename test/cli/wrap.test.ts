/** Sentences are broken between words at a terminal, and what is to be typed is never broken. */
import fc from "fast-check";
import { expect, test } from "vitest";

import { ComandaError } from "../../src/client/errors.js";
import { createOutput } from "../../src/cli/output.js";
import { wrapWords } from "../../src/cli/text.js";
import { Sink } from "../support/context.js";

test.each([
  ["what fits", "two words", 9, "two words"],
  ["what is no terminal's", "two words", undefined, "two words"],
  ["a sentence", "one two three", 8, "one two\nthree"],
  ["a hint, under its own blanks", "  one two three", 9, "  one two\n  three"],
  ["a word that is too long, whole", "see https://example.com/a now", 8, "see\nhttps://example.com/a\nnow"],
  [
    "colours, which take no room",
    "\u001b[33mwarning:\u001b[39m it is so",
    14,
    "\u001b[33mwarning:\u001b[39m it is\nso",
  ],
  [
    "words behind a label in a column of their own",
    "Permissions:  orders:read, orders:write",
    32,
    "Permissions:  orders:read,\n              orders:write",
  ],
  [
    "a command line, whole",
    "  Sign in: comanda login --store a",
    20,
    "  Sign in:\n  comanda login --store a",
  ],
])("wrapping keeps %s", (_, line, width, wrapped) => {
  expect(wrapWords(line, width)).toBe(wrapped);
});

test("nothing is lost, and no line is longer than the terminal but for a word that is", () => {
  const words = fc.array(fc.stringMatching(/^[a-zç]{1,12}$/), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(words, fc.integer({ min: 12, max: 60 }), (said, width) => {
      const lines = wrapWords(said.join(" "), width).split("\n");
      expect(lines.join(" ")).toBe(said.join(" "));
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    }),
  );
});

test("warnings, notices and errors are wrapped at a terminal, and are one line each in a pipe", async () => {
  const said = async (columns?: number) => {
    const stderr = new Sink(columns);
    const streams = { stdout: new Sink(), stderr, env: {} };
    const output = await createOutput(streams, { format: "table", quiet: false, color: false });
    output.warn("The days of centro are counted in this machine's time zone.");
    output.notice("09/11/2026 to 15/11/2026 (America/Sao_Paulo), compared with 02/11/2026");
    output.error(
      new ComandaError("usage", "It is not what it should be at all.", {
        hint: "Give something else that is right.",
      }),
    );
    return stderr.text.trimEnd().split("\n");
  };
  expect(await said()).toHaveLength(4);
  const lines = await said(30);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
  expect(lines.slice(-2)).toEqual(["  Give something else that is", "  right."]);
});
