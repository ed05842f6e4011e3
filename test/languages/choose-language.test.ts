import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { chooseLanguage, unknownLanguage } from "../../src/cli/choose-language.js";

const folder = mkdtempSync(path.join(tmpdir(), "comanda-language-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(path.join(folder, "settings.json"), '{ "version": 1, "language": "pt-BR" }');

const none = { COMANDA_CONFIG_DIR: path.join(folder, "none") };
const set = { COMANDA_CONFIG_DIR: folder };

describe("the language is", () => {
  test.each([
    ["English where nothing says another", [], {}, "en"],
    ["the locale's", [], { LANG: "pt_BR.UTF-8" }, "pt-BR"],
    ["that of Portugal's locale too", [], { LANG: "pt_PT" }, "pt-BR"],
    ["English for any other locale", [], { LANG: "ptx_XX" }, "en"],
    ["LC_MESSAGES before LANG", [], { LC_MESSAGES: "pt_BR", LANG: "en_US" }, "pt-BR"],
    ["LC_ALL before both", [], { LC_ALL: "C", LC_MESSAGES: "pt_BR", LANG: "pt_BR" }, "en"],
    ["an empty LC_ALL counts as none", [], { LC_ALL: "", LANG: "pt_BR" }, "pt-BR"],
    ["the setting before the locale", [], { ...set, LANG: "en_US" }, "pt-BR"],
    ["COMANDA_LANG before the setting", [], { ...set, COMANDA_LANG: "en" }, "en"],
    ["a COMANDA_LANG that comanda doesn't speak counts as none", [], { ...set, COMANDA_LANG: "fr" }, "pt-BR"],
    ["--lang before COMANDA_LANG", ["--lang", "pt-BR"], { COMANDA_LANG: "en" }, "pt-BR"],
    ["--lang= too", ["status", "--lang=pt-BR"], {}, "pt-BR"],
    ["English as JSON", ["--lang", "pt-BR", "status", "--json"], {}, "en"],
    ["English through jq", ["quota", "--jq", ".[0]"], set, "en"],
    ["English as CSV", ["summary", "--format", "csv"], set, "en"],
    ["English as --format=json", ["summary", "--format=json"], set, "en"],
    ["the person's as a format that there isn't", ["summary", "--format", "excel"], set, "pt-BR"],
    ["the person's as Markdown", ["summary", "--format", "markdown"], set, "pt-BR"],
    [
      "the person's where --json is another program's",
      ["emulator", "exec", "--", "x", "--json"],
      set,
      "pt-BR",
    ],
  ] as const)("%s", (_, argv, env, language) => {
    expect(chooseLanguage(argv, { ...none, ...env })).toBe(language);
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
    expect(chooseLanguage([], { ...none, ...env }, () => system)).toBe(language);
  });
});
