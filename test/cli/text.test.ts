/** Texts as a terminal receives them: escaped, wrapped, colored. */
import { stripVTControlCharacters } from "node:util";

import fc from "fast-check";
import { expect, test } from "vitest";

import { createOutput } from "../../src/cli/output.js";
import { createStyle, plainStyle, printable, safeJson, safeJsonText, wrapWords } from "../../src/cli/text.js";
import { ComandaError } from "../../src/base/errors.js";
import { anyText } from "../support/any-text.js";
import { Sink } from "../support/context.js";

// eslint-disable-next-line no-control-regex -- the pattern finds controls
const harmful = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
const texts = anyText({ maxLength: 60 });

test("No terminal control remains in any text, and JSON keeps its value", () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(texts, texts)), texts, (value, text) => {
      expect(printable(text)).not.toMatch(harmful);
      expect(printable(text).isWellFormed()).toBe(true);
      expect(safeJson(value)).not.toMatch(harmful);
      expect(JSON.parse(safeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  const sent = '{"id":12345678901234567890,"total":7.50,"name":"\u009b\u202e"}';
  const kept = String.raw`{"id":12345678901234567890,"total":7.50,"name":"\u009b\u202e"}`;
  expect(safeJsonText(sent)).toBe(kept);
  expect(printable("São João 🍕 \u001b[31m\u202etxt.exe")).toBe(
    String.raw`São João 🍕 \x1b[31m\u202etxt.exe`,
  );
});

test.each([
  ["a line without a terminal", "two words", undefined, "two words"],
  ["a sentence", "one two three", 8, "one two\nthree"],
  ["the indentation of a hint", "  one two three", 9, "  one two\n  three"],
  ["a long word whole", "see https://example.com/a now", 8, "see\nhttps://example.com/a\nnow"],
  ["colors, which have no width", "\u001b[33mw:\u001b[39m it is so", 8, "\u001b[33mw:\u001b[39m it is\nso"],
  ["a label in a separate column", "May:  read, write all", 16, "May:  read,\n      write all"],
  ["a command line whole", "  Sign in: comanda login -s a", 12, "  Sign in:\n  comanda login -s a"],
])("Wrapping preserves %s", (_, line, width, wrapped) => {
  expect(wrapWords(line, width)).toBe(wrapped);
});

test("Wrapping preserves all words, and no line is longer than the terminal", () => {
  const words = fc.array(fc.stringMatching(/^[a-zç]{1,12}$/), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(words, fc.integer({ min: 12, max: 60 }), (said, width) => {
      const lines = wrapWords(said.join(" "), width).split("\n");
      expect(lines.join(" ")).toBe(said.join(" "));
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    }),
  );
});

test("Warnings, notices and errors are wrapped on a terminal, and are one line each in a pipe", async () => {
  const said = async (columns?: number) => {
    const stderr = new Sink(columns);
    const streams = { stdout: new Sink(), stderr, env: {} };
    const output = await createOutput(streams, { format: "table", quiet: false, color: true });
    output.warn("The days of centro are counted in this machine's time zone.");
    output.notice("09/11/2026 to 15/11/2026 (America/Sao_Paulo), compared with 02/11/2026");
    const hint = "Give something else that is right.";
    output.error(new ComandaError("usage", "It is not what it should be at all.", { hint }));
    return stripVTControlCharacters(stderr.text).trimEnd().split("\n");
  };
  expect(await said()).toHaveLength(4);
  const lines = await said(30);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
  expect(lines.slice(-2)).toEqual(["  Give something else that is", "  right."]);
});

test.each<[string, boolean, Record<string, string>, boolean, boolean]>([
  ["a terminal", true, {}, true, true],
  ["a file", false, {}, true, false],
  ["a terminal, NO_COLOR", true, { NO_COLOR: "1" }, true, false],
  ["a terminal, empty NO_COLOR", true, { NO_COLOR: "" }, true, true],
  ["a file, FORCE_COLOR", false, { FORCE_COLOR: "1" }, true, true],
  ["a terminal, FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, true, false],
  ["a file, FORCE_COLOR and NO_COLOR", false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true, true],
  ["a terminal, --no-color", true, { FORCE_COLOR: "1" }, false, false],
])("Colors are chosen for %s", async (_, isTTY, env, choice, expected) => {
  expect((await createStyle({ isTTY }, env, choice)) !== plainStyle).toBe(expected);
});
