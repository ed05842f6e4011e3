/** Questions as a person at a terminal sees and answers them. */
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";

import { afterEach, describe, expect, test } from "vitest";

import { useLanguage, type Language } from "../../src/languages/language.js";
import { askSecret, askText, askYesNo, choose, type PromptStreams } from "../../src/cli/prompts.js";

afterEach(() => useLanguage("en"));

const choices = [
  { value: "11", name: "Ana Lima (11)" },
  { value: "12", name: "Inês (12)" },
  { value: "13", name: "Ana Prado (13)" },
  { value: "", name: "another one" },
];
const [down, enter, escape] = ["\u001b[B", "\r", "\u001b"];

class Person {
  readonly #input = new PassThrough();
  seen = "";
  readonly streams: PromptStreams;
  /** @param answers each is typed once what stands before it is seen */
  constructor(answers: readonly (readonly [question: string | RegExp, typed: string])[]) {
    const left = [...answers];
    const output = new PassThrough();
    output.on("data", (text: Buffer) => {
      this.seen += text.toString();
      const [next] = left;
      if (next === undefined || this.seen.search(patternOf(next[0])) < 0) return;
      left.shift();
      setImmediate(() => this.#input.write(next[1]));
    });
    this.streams = { input: this.#input, output, signal: new AbortController().signal };
  }
}

const patternOf = (question: string | RegExp) =>
  typeof question === "string" ? question.replaceAll(/[()?]/g, "\\$&") : question;

describe("one of several", () => {
  test.each<[Language, string]>([
    ["en", "↑↓ moves, typing filters, Enter chooses"],
    ["pt-BR", "↑↓ move, digitar filtra, Enter escolhe"],
  ])("is picked with the arrows, and in %s the keys are told", async (language, keys) => {
    await useLanguage(language);
    const person = new Person([[keys, down + enter]]);
    await expect(choose("Which driver?", choices, person.streams, false)).resolves.toBe("12");
    expect(person.seen).toContain("Which driver?");
  });

  test.each([
    ["a name", "ines", "12"],
    ["its beginning, in any order", "pra an", "13"],
    ["a number, which is the one that is shown, and no place in the list", "13", "13"],
    ["what leaves two, of which an arrow moves to the second", `ana${down}`, "13"],
  ])("is found by typing %s", async (_, typed, value) => {
    const person = new Person([
      ["Enter chooses", typed],
      ["❯", enter],
    ]);
    await expect(choose("Which driver?", choices, person.streams, false)).resolves.toBe(value);
  });

  test.each([
    ["12", "12"],
    ["Inês (12)", "12"],
    ["INES", "12"],
    ["another one", ""],
  ])("is typed for a screen reader, which hears all of them: %j", async (typed, value) => {
    const person = new Person([["another one:", `${typed}${enter}`]]);
    await expect(choose("Which driver?", choices, person.streams, true)).resolves.toBe(value);
    expect(person.seen).toContain("Which driver? Ana Lima (11); Inês (12); Ana Prado (13); another one:");
  });

  test("is asked for again where nothing, none of them or two are typed", async () => {
    const person = new Person([
      ["another one:", enter],
      [/another one:[^]*another one:/, `Caio${enter}`],
      ['"Caio" is none of them.', `ana${enter}`],
      ["Which driver? Ana Lima (11); Ana Prado (13):", `prado${enter}`],
    ]);
    await expect(choose("Which driver?", choices, person.streams, true)).resolves.toBe("13");
  });

  test("a name from the service moves nothing on the screen", async () => {
    const person = new Person([["Enter chooses", enter]]);
    await choose("Which driver?", [{ value: "1", name: `Ana${escape}[2J` }], person.streams, false);
    expect(person.seen).not.toContain(`${escape}[2J`);
  });
});

describe("yes or no", () => {
  const answerTo = async (language: Language, typed: string) => {
    await useLanguage(language);
    const person = new Person([["/N)", `${typed}${enter}`]]);
    return askYesNo("Cancel?", person.streams);
  };

  test.each<[Language, string]>([
    ...["y", "YES"].map((typed): [Language, string] => ["en", typed]),
    ...["s", "Sim", "y", "yes"].map((typed): [Language, string] => ["pt-BR", typed]),
  ])("in %s %j is yes", async (language, typed) => {
    await expect(answerTo(language, typed)).resolves.toBe(true);
  });

  test.each<[Language, string]>([
    ...["", "n", "s", "yankee"].map((typed): [Language, string] => ["en", typed]),
    ...["", "não", "talvez", "simples"].map((typed): [Language, string] => ["pt-BR", typed]),
  ])("in %s %j is no", async (language, typed) => {
    await expect(answerTo(language, typed)).resolves.toBe(false);
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
  ["one of several", (message: string, streams: PromptStreams) => choose(message, choices, streams, false)],
])("on a phone no word of a question for %s is cut in two", async (_, ask) => {
  const person = new Person([["tela):", enter]]);
  Object.assign(person.streams.output, { columns: 40 });
  await ask("Ou cole o endereço em que o navegador terminou (ele não aparece na tela):", person.streams);
  expect(stripVTControlCharacters(person.seen)).toContain("navegador\nterminou");
});
