import { expect, test } from "vitest";

import { textDigest } from "../../src/languages/text-digest.js";
import { currentLanguage, plural, setLanguage, t, translated } from "../../src/shared/language.js";

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

test("a catalogue that the build has made has digests in the place of English texts", () => {
  const built = Object.fromEntries(Object.entries(catalogue).map(([text, said]) => [textDigest(text), said]));
  setLanguage("pt-BR", built, textDigest);
  expect([hello("Ana", 2), translated("Store"), translated("Stores")]).toEqual([
    "2 pedidos, olá Ana",
    "Loja",
    "Stores",
  ]);
  expect(Object.keys(built)).toEqual([expect.stringMatching(/^\w{7}$/), expect.stringMatching(/^\w{7}$/)]);
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
