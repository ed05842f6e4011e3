/** What commands show at a terminal, at 40 columns and at 80, in both languages: read as a person would. */
import { stripVTControlCharacters } from "node:util";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { runLine } from "../../src/cli/program.js";
import { useLanguage } from "../../src/languages/language.js";
import { startEmulator, type Emulator } from "../../src/library/emulator.js";
import { systemClock } from "../../src/client/clock.js";
import { Sink, testContext } from "../support/context.js";
import { Machine } from "../support/program.js";

const machine = new Machine({
  COMANDA_RATE_LIMITS: "off",
  NO_COLOR: "1",
  TZ: "America/Sao_Paulo",
  LC_ALL: "C",
});
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({
    orders: 300,
    seed: 7,
    rateLimits: false,
  });
});
afterAll(async () => {
  await useLanguage("en");
  await emulator.close();
  machine.remove();
});

const lines = [
  "summary --period last-7-days --compare previous",
  "grouped --by day --period last-7-days",
  "grouped --by day_of_week --period last-30-days --compare previous",
  "grouped --by hour --period yesterday --chart",
  "orders dispatch 999999 999998",
  "history",
  "status",
  "stores list",
  "env list",
  "doctor",
  "summary --dry-run",
  "sync --dry-run",
  "summary --period nonsense",
  "orders cancel",
];

async function screenOf(line: string, language: string, columns: number): Promise<string> {
  const [stdout, stderr] = [new Sink(columns), new Sink(columns)];
  const env = {
    ...machine.env,
    COMANDA_LANG: language,
    COMANDA_BASE_URL: emulator.baseUrl,
    COMANDA_ACCESS_TOKEN: emulator.signIn().accessToken,
  };
  await runLine(testContext({ stdout, stderr, clock: systemClock, env }), line.split(" "));
  // What a progress bar writes over was a line of its own.
  const written = `${stdout.text}${stderr.text}`.replaceAll("\r", "\n").replaceAll("\u001b[2K", "\n");
  return stripVTControlCharacters(written);
}

describe.each(["en", "pt-BR"])("a screen in %s", (language) => {
  test.each(lines)("%s fits 40 columns and 80", async (line) => {
    for (const columns of [40, 80]) {
      const screen = await screenOf(line, language, columns);
      expect(screen).not.toBe("");
      const wide = screen
        .split("\n")
        // What is to be copied stays whole: a command line, an address, a path.
        .filter((text) => text.length > columns && !/^\s*(?:comanda |(?:\d+ ){2}\* |\S+$|\$ )/.test(text));
      expect(wide, `${columns}`).toEqual([]);
    }
  });
});
