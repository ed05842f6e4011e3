import { expect, test } from "vitest";

import {
  currentLanguage,
  inLanguage,
  t,
  translated,
  useLanguage,
  type Words,
} from "../../src/languages/language.js";

const hello = (name: string, count: number) => t`Hello ${name}, ${count} orders`;
const words: Words = {
  language: "pt-BR",
  catalogue: { "Hello {0}, {1} orders": "{1} pedidos, olá {0}", Store: "Loja" },
};

test("a translation has the values where it wants them, and a text without one stays English", () => {
  const said = () => [
    hello("{1}", 2),
    translated("Store"),
    t`Bye ${"Ana"}`,
    translated<string>("constructor"),
  ];
  expect(inLanguage(words, said)).toEqual(["2 pedidos, olá {1}", "Loja", "Bye Ana", "constructor"]);
});

test("the process's language is loaded", async () => {
  await useLanguage("pt-BR");
  expect([currentLanguage(), t`Order ${"x"} ${"y"}.`]).toEqual(["pt-BR", "Pedido x y."]);
});
