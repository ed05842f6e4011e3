/** Questions as a person at a terminal sees and answers them. */
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";

import { afterEach, describe, expect, test } from "vitest";

import { useLanguage, type Language } from "../../src/languages/language.js";
import { askSecret, askText, askYesNo, type PromptStreams } from "../../src/cli/prompts.js";

afterEach(() => useLanguage("en"));

const enter = "\r";

class Person {
  readonly #input = new PassThrough();
  seen = "";
  get text(): string {
    return plain(this.seen);
  }
  readonly streams: PromptStreams;
  /** @param answers each is typed once what stands before it is seen */
  constructor(answers: readonly (readonly [question: string | RegExp, typed: string])[]) {
    const left = [...answers];
    const output = new PassThrough();
    output.on("data", (text: Buffer) => {
      this.seen += text.toString();
      const [next] = left;
      if (next === undefined || this.text.search(patternOf(next[0])) < 0) return;
      left.shift();
      setImmediate(() => this.#input.write(next[1]));
    });
    this.streams = { input: this.#input, output, signal: new AbortController().signal };
  }
}

const plain = (text: string) => stripVTControlCharacters(text).replaceAll("\r\n", "\n");

const patternOf = (question: string | RegExp) =>
  typeof question === "string" ? question.replaceAll(/[()?]/g, "\\$&") : question;

test("a terminal of 0 columns is one of 80", async () => {
  const person = new Person([["one?", `Ana${enter}`]]);
  Object.assign(person.streams.output, { columns: 0 });
  await askText("Which is one?", person.streams);
  expect(person.text).toContain("Which is one?");
});

describe("yes or no", () => {
  const answerTo = async (language: Language, ...typed: readonly string[]) => {
    await useLanguage(language);
    const person = new Person(
      typed.map((answer, index) => [new RegExp(`(?:/N\\)[^]*){${index + 1}}`), `${answer}${enter}`]),
    );
    return askYesNo("Cancel?", (question) => askText(question, person.streams));
  };

  test.each<[Language, string, boolean]>([
    ...["y", "YES"].map((typed): [Language, string, boolean] => ["en", typed, true]),
    ...["s", "Sim", "y", "yes"].map((typed): [Language, string, boolean] => ["pt-BR", typed, true]),
    ...["", "n", "No"].map((typed): [Language, string, boolean] => ["en", typed, false]),
    ...["", "n", "não"].map((typed): [Language, string, boolean] => ["pt-BR", typed, false]),
  ])("in %s %j is %s", async (language, typed, answer) => {
    await expect(answerTo(language, typed)).resolves.toBe(answer);
  });

  test.each<[Language, string]>([
    ["en", "s"],
    ["en", "yankee"],
    ["pt-BR", "talvez"],
  ])("in %s %j is neither, and asked again", async (language, typed) => {
    await expect(answerTo(language, typed, "y")).resolves.toBe(true);
  });
});

test("a secret is shown at no key", async () => {
  const person = new Person([["Chave", `seg\u0014redo${enter}`]]);
  await expect(askSecret("Chave:", person.streams)).resolves.toBe("segredo");
  expect(person.seen).toContain("Chave:");
  expect(person.seen).not.toMatch(/seg|ctrl/);
});

test.each([
  ["a line of text", askText],
  ["a secret", askSecret],
])("on a phone no word of a question for %s is cut in two", async (_, ask) => {
  const person = new Person([["tela):", enter]]);
  Object.assign(person.streams.output, { columns: 40 });
  await ask("Ou cole o endereço em que o navegador terminou (ele não aparece na tela):", person.streams);
  expect(stripVTControlCharacters(person.seen)).toContain("navegador\nterminou");
});
