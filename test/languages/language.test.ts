import { expect, test } from "vitest";

import {
  currentLanguage,
  inLanguage,
  plural,
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

test("without a language that was set, a text is English", () => {
  expect([currentLanguage(), hello("Ana", 2), translated("Store")]).toEqual([
    "en",
    "Hello Ana, 2 orders",
    "Store",
  ]);
});

test("a translation has the values where it wants them, and a text without one stays English", () => {
  const said = () => [hello("{1}", 2), translated("Store"), t`Bye ${"Ana"}`, translated("constructor")];
  expect(inLanguage(words, said)).toEqual(["2 pedidos, olá {1}", "Loja", "Bye Ana", "constructor"]);
});

test("the process's language is loaded", async () => {
  await useLanguage("pt-BR");
  expect([currentLanguage(), t`Order ${"x"} ${"y"}.`]).toEqual(["pt-BR", "Pedido x y."]);
});

test.each([
  [0, "orders"],
  [1, "order"],
  [2, "orders"],
])("of %i there are %s", (count, form) => {
  expect(plural(count, { one: "order", other: "orders" })).toBe(form);
});
