import { expect, test } from "vitest";

import { runLine } from "../../src/cli/main.js";
import { inLanguage, t, translated, type Words } from "../../src/languages/language.js";
import { Sink, testContext } from "../support/context.js";

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
  ["English for an unknown format and --json", "summary --format excel --json", brazilian, "en"],
  ["the user's if --json is for another program", "emulator exec -- x --json", brazilian, "pt-BR"],
  ["the user's if --json is an option's value", "orders cancel 1 --reason=--json", brazilian, "pt-BR"],
])("The language of an error is %s", async (_, line, env, language) => {
  const stderr = new Sink();
  const host = { ...process, platform: "linux" } as const;
  await runLine(testContext({ stderr, env, host }), `--wrong ${line}`.trim().split(" "));
  expect(stderr.text).toMatch(language === "en" ? /Unknown option/ : /^erro: /);
});
