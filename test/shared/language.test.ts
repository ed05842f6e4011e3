import { expect, test } from "vitest";

import { currentLanguage, plural, setLanguage, t, translated } from "../../src/languages/language.js";

const hello = (name: string, count: number) => t`Hello ${name}, ${count} orders`;
const catalogue = { "Hello {0}, {1} orders": "{1} pedidos, olá {0}", Store: "Loja" };

test("without a language that was set, a text is English", () => {
  expect([currentLanguage(), hello("Ana", 2), translated("Store")]).toEqual([
    "en",
    "Hello Ana, 2 orders",
    "Store",
  ]);
});

test("a translation has the values where it wants them", () => {
  setLanguage("pt-BR", catalogue);
  expect([currentLanguage(), hello("{1}", 2), translated("Store")]).toEqual([
    "pt-BR",
    "2 pedidos, olá {1}",
    "Loja",
  ]);
});

test("a text without a translation stays English", () => {
  setLanguage("pt-BR", catalogue);
  expect([t`Bye ${"Ana"}`, translated("constructor")]).toEqual(["Bye Ana", "constructor"]);
});

test.each([
  [0, "orders"],
  [1, "order"],
  [2, "orders"],
])("of %i there are %s", (count, form) => {
  expect(plural(count, { one: "order", other: "orders" })).toBe(form);
});
