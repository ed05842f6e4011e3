/** Prompts as a user on a terminal sees and answers them. */
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";

import { beforeEach, expect, test, vi } from "vitest";

import { useLanguage, type Language } from "../../src/languages/language.js";
import { askSecret, askText, askYesNo } from "../../src/cli/prompts.js";

// On a terminal called "dumb", Node's line editor edits nothing.
beforeEach(() => vi.stubEnv("TERM", "xterm"));

const enter = "\r";

class Person {
  readonly #input = new PassThrough();
  seen = "";
  readonly streams: Parameters<typeof askText>[0];
  /** @param answers each is typed when its question is seen */
  constructor(answers: readonly (readonly [question: string | RegExp, typed: string])[], columns = 80) {
    const left = [...answers];
    const output = Object.assign(new PassThrough(), { columns });
    output.on("data", (text: Buffer) => {
      this.seen += text.toString();
      const [next] = left;
      if (next === undefined || plain(this.seen).search(patternOf(next[0])) < 0) return;
      left.shift();
      setImmediate(() => this.#input.write(next[1]));
    });
    const stderr = { stream: output, write: (text: string) => output.write(text), columns: columns || 80 };
    this.streams = { stdin: () => this.#input, stderr, signal: new AbortController().signal };
  }
}

const plain = (text: string) => stripVTControlCharacters(text).replaceAll("\r\n", "\n");

const patternOf = (question: string | RegExp) =>
  typeof question === "string" ? question.replaceAll(/[()?]/g, "\\$&") : question;

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
  const person = new Person(typed.map((text, index) => [questions(index + 1), `${text}${enter}`]));
  expect(await askYesNo(person.streams, "Cancel?")).toBe(answer);
});

test("A secret is never shown while it is typed", async () => {
  const person = new Person([["Chave", `seg\u0014redo${enter}`]]);
  await expect(askSecret(person.streams, "Chave:")).resolves.toBe("segredo");
  expect(person.seen).toContain("Chave:");
  expect(person.seen).not.toMatch(/seg|ctrl/);
});

test.each([
  ["a line of text", askText],
  ["a secret", askSecret],
])("On a narrow terminal, a prompt for %s is wrapped between words", async (_, ask) => {
  const person = new Person([["tela):", enter]], 40);
  await ask(person.streams, "Ou cole o endereço em que o navegador terminou (ele não aparece na tela):");
  expect(stripVTControlCharacters(person.seen)).toContain("navegador\nterminou");
});
