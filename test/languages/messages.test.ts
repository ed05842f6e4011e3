/** What the source says to people, and what the catalogue has of it. */
import { describe, expect, test } from "vitest";

import { portuguese } from "../../src/languages/pt-BR/index.js";
import { sentencesOfSource } from "./support/sentences.js";

/** Everything else is read by programs: the wire, the documents of the API, what the library's own programs see. */
const spoken = /^src\/(auth|cli|client|commands|shared|state|summary|terminal)\//;
const sentences = sentencesOfSource((file) => spoken.test(file));
const templates = sentences.filter(({ isTemplate }) => isTemplate);

test("no sentence is made while its module loads, when the language isn't known", () => {
  expect(templates.filter(({ isAtModuleLevel }) => isAtModuleLevel)).toEqual([]);
});

describe("the catalogue of Brazilian Portuguese", () => {
  test("has every sentence", () => {
    const missing = templates.filter(({ key }) => !Object.hasOwn(portuguese, key));
    expect(missing.map(({ place, key }) => `${place} ${key}`)).toEqual([]);
  });

  test("has the same placeholders in each text and its translation", () => {
    const placeholders = (text: string) => new Set(text.match(/\{\d+\}/g));
    const unequal = Object.entries(portuguese).filter(
      ([key, translation]) =>
        [...placeholders(key)].sort().join() !== [...placeholders(translation)].sort().join(),
    );
    expect(unequal).toEqual([]);
  });
});
