/** The commands that hints, errors and notices name are valid as printed, in both languages. */
import { describe, expect, test } from "vitest";

import { hintFor } from "../../src/cli/hints.js";
import { useLanguage } from "../../src/languages/language.js";
import portuguese from "../../src/languages/pt-BR.json" with { type: "json" };
import { Bench } from "../support/bench.js";
import { everyHint } from "../support/hint-kinds.js";

const url = "https://api.example";
/** What a reader types instead of a placeholder. */
const typed: Readonly<Record<string, string>> = {
  "<alias>": "centro",
  "<apelido>": "centro",
  "<name>": "test",
  "<nome>": "test",
  "<url>": url,
  "<id>": "my-app",
  "<zone>": "America/Sao_Paulo",
  "<fuso>": "America/Sao_Paulo",
};
/** What the catalogue's numbered placeholders stand for, by the word before them; otherwise the store. */
const valueAfter: Readonly<Record<string, string>> = {
  "--env": "test",
  "--base-url": url,
  "--order": "4711",
  settle: "4711",
  login: "--api-key",
};

/** Returns the arguments of the command lines that follow a colon. */
function linesIn(text: string): readonly string[] {
  const filled = text
    // The emulator of this test has another port than the environment `local`.
    .replaceAll("--env local", "--env test")
    .replaceAll(/<[a-z]+>/g, (placeholder) => typed[placeholder] ?? placeholder)
    .replaceAll(/(\S+) \{\d+\}/g, (_, before: string) => `${before} ${valueAfter[before] ?? "centro"}`);
  return filled.split("\n").flatMap((line) => {
    const [, printed = ""] = /: comanda ([a-z].*)$/.exec(line) ?? [];
    return printed
      .replace(/\. .*/, "")
      .split(/, (?:then|depois) /)
      .filter((part) => part !== "")
      .map((part) => part.replace(/^comanda /, ""));
  });
}

async function printedLines(): Promise<readonly string[]> {
  const lines = [...Object.keys(portuguese), ...Object.values(portuguese)].flatMap(linesIn);
  for (const language of ["en", "pt-BR"] as const) {
    await useLanguage(language);
    for (const hintFacts of everyHint)
      // An option with its value, to add to a command, is tried with `summary`.
      lines.push(...linesIn(hintFor(hintFacts).replaceAll(": --", ": comanda summary --")));
  }
  await useLanguage("en");
  // A command that signs out comes last.
  return [...new Set(lines)].sort((one, other) => Number(signsOut.test(one)) - Number(signsOut.test(other)));
}

const signsOut = /^logout|^stores remove/;
const lines = await printedLines();

describe("A command that a text prints", async () => {
  const env = { COMANDA_RATE_LIMITS: "off", TZ: "America/Sao_Paulo" };
  const bench = await Bench.open({ rateLimits: false, env });
  await bench.signIn();

  test("is found for each kind of hint that has one", () => {
    const some = ["env list", "driver list", "history settle 4711 not-done"];
    expect(lines).toEqual(expect.arrayContaining(some));
    expect(lines.length).toBeGreaterThan(30);
  });

  test.each(lines)("doesn't exit with code 2: comanda %s", async (line) => {
    if (signsOut.test(line)) await bench.signIn();
    // Each line needs the store or the change that it names.
    if (line.includes("norte")) await bench.signIn("norte");
    if (line.includes("settle")) {
      bench.emulator.service.faults.set([{ reset: true, times: 1 }]);
      await bench.inProcess("orders dispatch 4711 --store centro");
    }
    const words = line.split(" ");
    const { code, stderr } = /^login(?!.*--(?:api|partner)-key)/.test(line)
      ? await bench.login(words.slice(1))
      : await bench.inProcess(words, { input: bench.keyOf() });
    expect(code, stderr).not.toBe(2);
  });
});
