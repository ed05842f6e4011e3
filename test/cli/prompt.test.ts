/** Prompts as a user on a terminal sees and answers them. */
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";

import { beforeEach, expect, test, vi } from "vitest";

import { useLanguage, type Language } from "../../src/languages/language.js";
import { askSecret, askText, askYesNo } from "../../src/cli/prompts.js";
import { Sink } from "../support/context.js";

// On a terminal called "dumb", Node's line editor edits nothing.
beforeEach(() => vi.stubEnv("TERM", "xterm"));

const enter = "\r";

/** @param answers each is typed when its question is seen */
function terminal(answers: readonly (readonly [question: RegExp, typed: string])[], columns = 80) {
  const keyboard = new PassThrough();
  const left = [...answers];
  const stderr = new Sink(columns, () => {
    const [next] = left;
    if (!next?.[0].test(stripVTControlCharacters(stderr.text))) return;
    left.shift();
    setImmediate(() => keyboard.write(next[1]));
  });
  return { stdin: () => keyboard, stderr, signal: new AbortController().signal };
}

test.each<[Language, boolean, ...string[]]>([
  ["en", true, "y"],
  ["en", false, ""],
  ["pt-BR", true, "Sim"],
  ["pt-BR", true, "s"],
  ["pt-BR", false, "não"],
  // Any other answer repeats the question.
  ["en", true, "s", "y"],
  ["en", false, "yankee", "n"],
])("In %s, a question is answered %s by %j %j", async (language, answer, ...typed) => {
  await useLanguage(language);
  const questions = (count: number) => new RegExp(`(?:/N\\)[^]*){${count}}`);
  const streams = terminal(typed.map((text, index) => [questions(index + 1), `${text}${enter}`]));
  expect(await askYesNo(streams, "Cancel?")).toBe(answer);
});

test("A secret is never shown while it is typed", async () => {
  const streams = terminal([[/Chave/, `seg\u0014redo${enter}`]]);
  await expect(askSecret(streams, "Chave:")).resolves.toBe("segredo");
  expect(streams.stderr.text).toContain("Chave:");
  expect(streams.stderr.text).not.toMatch(/seg|ctrl/);
});

test.each([
  ["a line of text", askText],
  ["a secret", askSecret],
])("On a narrow terminal, a prompt for %s is wrapped between words", async (_, ask) => {
  const streams = terminal([[/tela\):/, enter]], 40);
  await ask(streams, "Ou cole o endereço em que o navegador terminou (ele não aparece na tela):");
  expect(stripVTControlCharacters(streams.stderr.text)).toMatch(/navegador\r?\nterminou/);
});
