/** The pages of HTML, read in a browser as a person reads them: those of a sign-in, and the report. */
import path from "node:path";
import { pathToFileURL } from "node:url";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { callbackPage } from "../../src/auth/listener.js";
import { createProgram } from "../../src/cli/program.js";
import { useLanguage } from "../../src/languages/language.js";
import type { Emulator } from "../../src/emulator/index.js";
import type { Language } from "../../src/languages/language.js";
import { chromiumAvailable, cutWords, openChromium } from "../support/browser.js";
import { testContext } from "../support/context.js";
import { Desk, tokenFor } from "../support/desk.js";
import { startEmulator } from "../support/emulators.js";
import { lacking } from "./support/command-lines.js";
import { englishIn, portugueseIn } from "./support/ear.js";

if (!chromiumAvailable) console.warn("Chromium isn't installed: nobody reads the pages of HTML.");

// The browser's own code is text here: the project's types know of no document.
/** What reaches beyond the page, or doesn't fit its box. */
const cutOff = `[document.documentElement, ...document.querySelectorAll("body *:not(.hidden)")]
  .filter((element) => !element.closest("svg"))
  .filter((element) => getComputedStyle(element).display !== "inline")
  .filter((element) => element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.cloneNode().outerHTML ?? element.tagName)`;
/** What is read, and what a screen reader says; the texts of pictures too. */
const read = `[document.title, document.body.innerText, ...[...document.querySelectorAll("svg text, [aria-label], [title]")]
  .filter((element) => element.checkVisibility())
  .flatMap((element) => [element.getAttribute("aria-label"), element.getAttribute("title"), element.closest("svg") && element.textContent])]
  .filter(Boolean).join("\\n")`;

/** Names of made-up people, stores and groups are Portuguese in every language. */
function portugueseAround(text: string): readonly string[] {
  return portugueseIn(text.replaceAll(/São João|Não informado/g, "")).filter(
    (said) => !/\([ãõç]\)$/.test(said),
  );
}

describe.skipIf(!chromiumAvailable)("a page of HTML", () => {
  const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
  let browser: Browser;
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ orders: 2_000, seed: 6, now: desk.clock, rateLimits: false });
    await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
    browser = await openChromium();
  });
  afterAll(async () => {
    await useLanguage("en");
    await browser.close();
    await emulator.close();
    desk.remove();
  });

  const reportIn = async (language: Language): Promise<string> => {
    const file = path.join(desk.folder, `${language}.html`);
    const settings = "--tz America/Sao_Paulo --currency BRL";
    await useLanguage(language);
    await desk.run(`stores set centro --locale ${language} ${settings}`);
    const line = `report --period 2026-10 --out ${file}`;
    const { code, stderr } = await desk.run(line);
    expect(code, stderr).toBe(0);
    return pathToFileURL(file).href;
  };

  test.each<[Language, number]>([
    ["en", 375],
    ["en", 1280],
    ["pt-BR", 375],
    ["pt-BR", 1280],
  ])(
    "in %s at %i pixels has no word that is cut, none of the other language, and no command that isn't",
    async (locale, width) => {
      const program = await createProgram(testContext());
      const context = await browser.newContext({ locale, viewport: { width, height: 800 }, bypassCSP: true });
      const page = await context.newPage();
      const faults: string[] = [];
      const look = async (name: string) => {
        const text = await page.evaluate<string>(read);
        const cut = await page.evaluate<string[]>(cutOff);
        const foreign = locale === "en" ? portugueseAround(text) : englishIn(text);
        const words = await page.evaluate<string[]>(cutWords);
        faults.push(
          ...[...cut, ...words, ...foreign, ...lacking(text, program)].map((fault) => `${name}: ${fault}`),
        );
      };
      for (const name of ["signed_in", "access_denied", "failed", "unrelated"] as const) {
        await useLanguage(locale);
        await page.setContent(callbackPage(name));
        await look(`callback ${name}`);
      }
      await page.goto(await reportIn(locale));
      await look("report");
      await context.close();
      expect([...new Set(faults)]).toEqual([]);
    },
  );
});
