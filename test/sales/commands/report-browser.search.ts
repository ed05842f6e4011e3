/** The report in real Chromium: it looks as it should, for everybody. */
import path from "node:path";
import { pathToFileURL } from "node:url";

import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { startEmulator } from "../../support/emulators.js";
import { axeFindings, chromiumAvailable, cutWords, openChromium } from "../../support/browser.js";
import { Desk, tokenFor } from "../../support/desk.js";
import { hostileLabels, startHostileService } from "./hostile-service.js";

if (!chromiumAvailable) console.warn("Chromium isn't installed: the report's browser tests are skipped.");

// The browser's own code is text here: the project's types know of no document.
/** What reaches beyond the page, or doesn't fit its box. */
const cutOff = `[document.documentElement, ...document.querySelectorAll("body *:not(.hidden)")]
  .filter((element) => !element.closest("svg"))
  .filter((element) => getComputedStyle(element).display !== "inline")
  .filter((element) => element.scrollWidth > element.clientWidth + 1
    || element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.cloneNode().outerHTML)`;
/** Texts of pictures that reach beyond their picture. */
const cutPictures = `[...document.querySelectorAll("svg text")]
  .filter((text) => text.getClientRects().length > 0)
  .filter((text) => {
    const [own, frame] = [text.getBoundingClientRect(), text.closest("svg").getBoundingClientRect()];
    return own.left < frame.left - 2 || own.right > frame.right + 2 || own.top < frame.top - 2 || own.bottom > frame.bottom + 2;
  })
  .map((text) => text.textContent)`;
const visiblePictures = `[...document.querySelectorAll("svg[role=img]")]
  .filter((svg) => svg.checkVisibility())
  .filter((svg) => svg.getBoundingClientRect().width > 200 && svg.querySelectorAll("path").length > 0).length`;

describe.skipIf(!chromiumAvailable)("the report in a browser", () => {
  const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
  const files: Record<string, string> = {};
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    const emulator = await startEmulator({ orders: 4_000, seed: 6, now: desk.clock, rateLimits: false });
    const stub = await startHostileService();
    await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
    await desk.signIn("norte", emulator.baseUrl, tokenFor(emulator, 502));
    await desk.signIn("hostil", stub.url, "token");
    await desk.signIn("velho", emulator.baseUrl, "nobody-gave-this");
    const write = async (name: string, flags: string, exit = 0) => {
      files[name] = path.join(desk.folder, `${name}.html`);
      const line = `report --tz America/Sao_Paulo --currency BRL --locale pt-BR --out ${files[name]} ${flags}`;
      const { code, stderr } = await desk.run(line);
      expect(code, stderr).toBe(exit);
    };
    await write("month", "--period 2026-10 -s centro --heatmap --compare-sections");
    await write("year", "--period last-year -s centro --compare year");
    await write("day", "--period 2026-10-07 -s centro");
    await write("stores", "--period 2026-10 --all-stores --filter status!=canceled", 10);
    await write("hostile", "--period 2026-10 -s hostil");
    const chain = Array.from({ length: 12 }, (_, index) => `loja-${index + 1}`);
    for (const [index, store] of chain.entries())
      await desk.signIn(store, emulator.baseUrl, tokenFor(emulator, 501 + (index % 3)));
    await write("chain", `--period 2026-10 ${chain.map((store) => `-s ${store}`).join(" ")}`);
    await write("empty", "--period 2026-10 -s centro --filter total>=999999");
    await Promise.all([emulator.close(), stub.close()]);
  });
  beforeAll(async () => {
    browser = await openChromium();
    // One for all that can: a new one costs more than a look at a report.
    page = await newPage();
    return () => browser.close();
  });
  afterAll(() => desk.remove());

  const complaints: string[] = [];
  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: at(1280), bypassCSP: true, ...options });
    const opened = await context.newPage();
    opened.on("console", (message) => complaints.push(message.text()));
    opened.on("pageerror", (error) => complaints.push(error.message));
    opened.on("request", (request) => {
      if (!request.url().startsWith("file:")) complaints.push(request.url());
    });
    return opened;
  }
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });

  async function open(name: string, colorScheme: "light" | "dark" = "light", to = page): Promise<void> {
    await to.emulateMedia({ colorScheme, media: "screen" });
    await to.setViewportSize(at(1280));
    await to.goto(pathToFileURL(files[name] ?? "").href);
  }

  const at = (width: number) => ({ width, height: 900 });
  const widths = [320, 768, 1280];
  /** Each report with one look of axe's: they have the same parts in the same style, in different numbers. */
  const all: readonly (readonly [name: string, width: number, colorScheme: "light" | "dark"])[] = [
    ["month", 320, "light"],
    ["year", 1280, "dark"],
    ["day", 768, "light"],
    ["stores", 320, "dark"],
    ["hostile", 1280, "light"],
    ["empty", 320, "dark"],
  ];

  /** Two for each section; those of several stores are folded. */
  const pictures: Readonly<Record<string, number>> = { empty: 0, stores: 0 };

  test.each(all)(
    "In the report %s nothing is cut, every picture is there, axe finds nothing at %i in %s",
    async (name, axeWidth, colorScheme) => {
      await open(name, colorScheme);
      for (const width of widths) {
        await page.setViewportSize(at(width));
        const cut = await page.evaluate<string[]>(cutOff);
        const cutTexts = await page.evaluate<string[]>(cutPictures);
        // What strangers call themselves may be longer than any line.
        const words = name === "hostile" ? [] : await page.evaluate<string[]>(cutWords);
        expect({ width, cut, cutTexts, words }).toEqual({ width, cut: [], cutTexts: [], words: [] });
        expect(await page.evaluate<number>(visiblePictures)).toBe(pictures[name] ?? 18);
        if (width === axeWidth) expect(await axeFindings(page)).toEqual([]);
      }
    },
  );

  test("A chain's month is one page of a phone: a line for each store, and no picture twice", async () => {
    await open("chain");
    await page.setViewportSize(at(390));
    expect(await page.evaluate<number>("document.documentElement.scrollHeight")).toBeLessThanOrEqual(2_500);
    expect(await page.evaluate<string[]>(cutOff)).toEqual([]);
    expect(await page.evaluate<string[]>(cutWords)).toEqual([]);
    const rows = page.getByRole("table", { name: "Orders and revenue by store" }).getByRole("row");
    // With the names of the columns and the total.
    expect(await rows.count()).toBe(14);
    const lines = page.getByRole("img", { name: /^Revenue day by day, from / });
    expect(await lines.count()).toBe(13);
    const drawn = `[...document.querySelectorAll("svg[role=img]")].filter((svg) => svg.checkVisibility()).length`;
    expect(await page.evaluate<number>(drawn)).toBe(13);
    await page.evaluate(`document.querySelectorAll("summary").forEach((summary) => summary.click())`);
    expect(await page.evaluate<number>(visiblePictures)).toBe(18);
  });

  test("In the report on a phone every hour and every weekday has its label, which stands alone", async () => {
    await open("month");
    await page.setViewportSize(at(375));
    const labels = (section: string) =>
      page.evaluate<readonly { text: string; left: number; right: number }[]>(
        `[...document.querySelectorAll('svg.narrow[aria-labelledby^="${section}-revenue"] text')]
          .filter((text) => text.getAttribute("text-anchor") === "middle")
          .map((text) => ({ text: text.textContent, ...text.getBoundingClientRect().toJSON() }))`,
      );
    const [hours, weekdays] = [await labels("hour"), await labels("day_of_week")];
    const numbers = hours.map(({ text }) => Number(text));
    expect(numbers.length).toBeGreaterThan(12);
    expect(numbers).toEqual(numbers.map((_, place) => ((numbers[0] ?? 0) + place) % 24));
    expect(weekdays.map(({ text }) => text)).toEqual(["Dom", "Seg", "Ter", "Qua", "Qui", "Sex", "Sáb"]);
    for (const [index, { left, text }] of hours.entries())
      expect(left, text).toBeGreaterThanOrEqual(hours[index - 1]?.right ?? 0);
  });

  test("The report is whole without scripts, and in the accessibility tree", async () => {
    const plain = await newPage({ javaScriptEnabled: false });
    await open("month", "light", plain);
    await plain.getByRole("heading", { name: "By hour", exact: true }).waitFor();
    expect(await plain.getByRole("img", { name: /^Revenue by day/ }).count()).toBe(1);
    expect(await plain.getByRole("table", { name: "Orders and revenue by driver" }).count()).toBe(1);
  });

  test("The report runs nothing of what a label says", async () => {
    await open("hostile");
    expect(await page.evaluate<number>("document.scripts.length + document.images.length")).toBe(0);
    const row = page.getByRole("table", { name: "Orders and revenue by origin" }).getByRole("row");
    expect(await row.count()).toBe(hostileLabels.length + 1);
  });

  test("The report is whole on paper", async () => {
    await open("year", "dark");
    await page.setViewportSize(at(800));
    await page.emulateMedia({ media: "print" });
    const ground = "getComputedStyle(document.documentElement).getPropertyValue('--text')";
    expect((await page.evaluate<string>(ground)).trim()).toBe("#1b2421");
    const rows = `[...document.querySelectorAll("tbody tr")]`;
    const shown = `${rows}.filter((row) => row.checkVisibility({ contentVisibilityAuto: true }) && row.offsetHeight > 0)`;
    expect(await page.evaluate<number>(`${shown}.length`)).toBe(
      await page.evaluate<number>(`${rows}.length`),
    );
  });
});
