import { describe, expect, test } from "vitest";

import { chooseLanguage, unknownLanguage } from "../../src/cli/choose-language.js";

const brazilian = { LANG: "pt_BR.UTF-8" };

describe("the language is", () => {
  test.each([
    ["English where nothing says another", [], {}, "en"],
    ["the locale's", [], { LANG: "pt_BR.UTF-8" }, "pt-BR"],
    ["that of Portugal's locale too", [], { LANG: "pt_PT" }, "pt-BR"],
    ["English for any other locale", [], { LANG: "ptx_XX" }, "en"],
    ["LC_MESSAGES before LANG", [], { LC_MESSAGES: "pt_BR", LANG: "en_US" }, "pt-BR"],
    ["LC_ALL before both", [], { LC_ALL: "C", LC_MESSAGES: "pt_BR", LANG: "pt_BR" }, "en"],
    ["an empty LC_ALL counts as none", [], { LC_ALL: "", LANG: "pt_BR" }, "pt-BR"],
    ["COMANDA_LANG before the locale", [], { ...brazilian, COMANDA_LANG: "en" }, "en"],
    [
      "a COMANDA_LANG that comanda doesn't speak counts as none",
      [],
      { ...brazilian, COMANDA_LANG: "fr" },
      "pt-BR",
    ],
    ["English as JSON", ["status", "--json"], { COMANDA_LANG: "pt-BR" }, "en"],
    ["English as CSV", ["summary", "--format", "csv"], brazilian, "en"],
    ["English as --format=json", ["summary", "--format=json"], brazilian, "en"],
    ["the person's as a format that there isn't", ["summary", "--format", "excel"], brazilian, "pt-BR"],
    ["the person's as Markdown", ["summary", "--format", "markdown"], brazilian, "pt-BR"],
    [
      "the person's where --json is another program's",
      ["emulator", "exec", "--", "x", "--json"],
      brazilian,
      "pt-BR",
    ],
  ] as const)("%s", (_, argv, env, language) => {
    expect(chooseLanguage(argv, env)).toBe(language);
  });

  test.each([
    ["fr", "fr"],
    ["xx_XX.UTF-8", "xx_XX.UTF-8"],
    ["pt", undefined],
    ["en_GB.UTF-8", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("COMANDA_LANG=%s names one that comanda doesn't speak: %s", (named, unspoken) => {
    expect(unknownLanguage({ COMANDA_LANG: named })).toBe(unspoken);
  });

  test.each([
    ["the system's, where no variable says it", {}, "pt-BR", "pt-BR"],
    ["the variable's before the system's", { LANG: "en_US" }, "pt-BR", "en"],
  ] as const)("%s", (_, env, system, language) => {
    expect(chooseLanguage([], env, () => system)).toBe(language);
  });
});
