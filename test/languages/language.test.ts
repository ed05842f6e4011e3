import { expect, test } from "vitest";

import { inLanguage, t, translated, type Words } from "../../src/languages/language.js";

const hello = (name: string, count: number) => t`Hello ${name}, ${count} orders`;
const catalogue = { "Hello {0}, {1} orders": "{1} pedidos, olá {0}", Store: "Loja" };
const words: Words = { language: "pt-BR", catalogue };

test("A translation puts the values in its own order, and a text without one stays English", () => {
  const texts = () => ({
    ordered: hello("{1}", 2),
    word: translated("Store"),
    missing: t`Bye ${"Ana"}`,
    inherited: translated<string>("constructor"),
  });
  const shown = { ordered: "2 pedidos, olá {1}", word: "Loja" };
  expect(inLanguage(words, texts)).toEqual({ ...shown, missing: "Bye Ana", inherited: "constructor" });
});
