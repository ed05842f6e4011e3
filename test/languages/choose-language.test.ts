import { expect, test } from "vitest";

import { typedWishes } from "../../src/cli/program.js";

const brazilian = { LANG: "pt_BR.UTF-8" };

test.each<[string, string, Record<string, string>, string]>([
  ["English where nothing says another", "", {}, "en"],
  ["the locale's", "", brazilian, "pt-BR"],
  ["that of Portugal's locale too", "", { LANG: "pt_PT" }, "pt-BR"],
  ["English for any other locale", "", { LANG: "ptx_XX" }, "en"],
  ["LC_MESSAGES before LANG", "", { LC_MESSAGES: "pt_BR", LANG: "en_US" }, "pt-BR"],
  ["LC_ALL before both", "", { LC_ALL: "C", LC_MESSAGES: "pt_BR", LANG: "pt_BR" }, "en"],
  ["an empty LC_ALL counts as none", "", { LC_ALL: "", LANG: "pt_BR" }, "pt-BR"],
  ["COMANDA_LANG before the locale", "", { ...brazilian, COMANDA_LANG: "en" }, "en"],
  ["English as JSON", "status --json", { COMANDA_LANG: "pt-BR" }, "en"],
  ["English as CSV", "summary --format csv", brazilian, "en"],
  ["English as --format=json", "summary --format=json", brazilian, "en"],
  ["the person's as a format that there isn't", "summary --format excel", brazilian, "pt-BR"],
  ["the person's as Markdown", "summary --format markdown", brazilian, "pt-BR"],
  ["the person's where --json is another program's", "emulator exec -- x --json", brazilian, "pt-BR"],
])("the language is %s", (_, line, env, language) => {
  expect(typedWishes(line.split(" "), { env, host: { ...process, platform: "linux" } }).language).toBe(
    language,
  );
});
