import { expect, test } from "vitest";

import { typedWishes } from "../../src/cli/main.js";
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

const brazilian = { LANG: "pt_BR.UTF-8" };

test.each<[string, string, Record<string, string>, string]>([
  ["English by default", "", {}, "en"],
  ["Portuguese for a Brazilian locale", "", brazilian, "pt-BR"],
  ["English for another locale", "", { LANG: "ptx_XX" }, "en"],
  ["that of LC_MESSAGES before LANG", "", { LC_MESSAGES: "pt_BR", LANG: "en_US" }, "pt-BR"],
  ["that of LC_ALL before both", "", { LC_ALL: "C", LC_MESSAGES: "pt_BR", LANG: "pt_BR" }, "en"],
  ["that of COMANDA_LANG before the locale", "", { ...brazilian, COMANDA_LANG: "en" }, "en"],
  ["English for JSON", "status --json", { COMANDA_LANG: "pt-BR" }, "en"],
  ["English for CSV", "summary --format csv", brazilian, "en"],
  ["English for --format=json", "summary --format=json", brazilian, "en"],
  ["the user's for an unknown format", "summary --format excel", brazilian, "pt-BR"],
  ["the user's if --json is for another program", "emulator exec -- x --json", brazilian, "pt-BR"],
])("The language is %s", (_, line, env, language) => {
  const host = { ...process, platform: "linux" } as const;
  expect(typedWishes(line.split(" "), { env, host }).language).toBe(language);
});

test("Options in the text of another option don't choose the format of an error", () => {
  const line = ["orders", "cancel", "1", "--reason", "diz --json e --no-color"];
  expect(typedWishes(line, { env: brazilian, host: process })).toEqual({
    language: "pt-BR",
    format: "table",
    color: true,
  });
});
