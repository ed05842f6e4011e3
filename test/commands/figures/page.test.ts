/** The report's page: its language, and its layout in Chromium on a phone, in the dark and on paper. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { reportPage } from "../../../src/commands/figures/page.js";
import { reportSections } from "../../../src/commands/figures/report.js";
import type { FiguresResult, StoreFigures } from "../../../src/core/figures.js";
import type { Row } from "../../../src/sales/figures.js";
import { daysOf } from "../../../src/sales/period.js";
import { axeFindings, chromiumAvailable, cutWords, openChromium } from "../../support/browser.js";
import { rowsInSearch } from "../../support/soak.js";
import { figuresOf, missing, result, row, store } from "../../sales/sample.js";
import { temporaryFolder } from "../../support/resources.js";

const script = "<script>alert(1)</script>";
const hostile = [script, "\u202eevil\u0000", "a".repeat(90), " ", "Ana", "Ana", '"><img src=x>'];
const months = { current: ["2026-10-01", "2026-10-31"], previous: ["2026-09-01", "2026-09-30"] } as const;

function rowsBy(by: string | undefined, [first, last]: readonly [string, string]): Row[] {
  const sold = (place: number) => [10 + ((place * 7) % 23), 1_000_00 + ((place * 7_919) % 1_234_56)] as const;
  if (by === undefined) return [row(null, 812, 38_123_45)];
  if (by === "day") return daysOf({ first, last }).map((day, place) => row(day, ...sold(place), day));
  const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);
  if (by === "hour")
    return hours.map((label, hour) => row(hour, ...sold(hour), label, daysOf({ first, last }).length));
  if (by === "day_of_week")
    return ["Domingo", "Segunda-feira", "Terça-feira", "Quarta-feira"].map((name, place) =>
      row(place, ...sold(place), name, place < 3 ? 4 : 5),
    );
  if (by === "customer_origin") return hostile.map((label, place) => row(place, ...sold(place), label));
  if (by === "driver_id") return hours.map((label, place) => row(place, ...sold(place), `Driver ${label}`));
  return [row("a", ...sold(1), "Delivery"), row("b", 0, 0, "Balcão")];
}

type More = Partial<Pick<StoreFigures, "currency" | "locale">>;

function results(
  stores: readonly (readonly [name: string, more: More])[],
  broken: readonly string[] = [],
): FiguresResult[] {
  return reportSections.map((section) => {
    const { by, isCompared = true } = section;
    const of = (name: string | null, more: More) =>
      store(
        name,
        figuresOf(...months.current, rowsBy(by, months.current)),
        isCompared ? figuresOf(...months.previous, rowsBy(by, months.previous)) : undefined,
        { ...section, ...more },
      );
    const figures = stores.map(([name, more]) => of(name, more));
    const several = stores.length > 1;
    const isAdded =
      several && by !== "driver_id" && new Set(figures.map(({ currency }) => currency)).size === 1;
    const total = isAdded ? { total: of(null, stores[0]?.[1] ?? {}) } : {};
    return result([...figures, ...broken.map(missing)], { by, several, ...total });
  });
}

const brazilian = { locale: "pt-BR" };
const shops = [1, 2, 3, 4, 5].map((place) => [`Loja ${place} com um nome comprido`, brazilian] as const);
const lisbon = ["Porto", { locale: "pt-PT", currency: "EUR" }] as const;
const pages = {
  one: results([["Centro", brazilian]]),
  english: results([["Downtown", { locale: "en-US", currency: "USD" }]]),
  chain: results(shops, ["Velha"]),
  currencies: results([["Centro", brazilian], lisbon]),
};

const textOf = (name: keyof typeof pages) =>
  reportPage({ results: pages[name], now: Date.parse("2026-11-20T15:00:00Z") });

test("the page says what each section compares, with the weekdays of both days", async () => {
  const text = await textOf("one");
  const words = text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  const first = "Os dias são comparados em ordem: 01/10/2026 qui. com 01/09/2026 ter., e assim por diante.";
  expect(words.split(first)).toHaveLength(2);
  expect(words.split("São comparadas as médias por dia.")).toHaveLength(3);
  // The legends of two charts by day, by hour and by weekday name both periods.
  expect(words.split("01/10/2026 a 31/10/2026 01/09/2026 a 30/09/2026")).toHaveLength(7);
  expect(words).toMatch(/02\/10\/2026 sex\. .* 02\/09\/2026 qua\. /);
  expect(words).toContain("00:00 (31 dias, 30 no período anterior)");
  // A change of totals and one per day have different headings.
  expect(words.split("Faturamento anterior Var./dia")).toHaveLength(3);
  expect(words.split("Faturamento anterior Var. %")).toHaveLength(2);
  // 24 labels don't fit on a phone in any font.
  const [, byHour = ""] = text.split('aria-labelledby="hour"');
  const [axis = ""] = /<div class="axis".*?<\/div>/.exec(byHour) ?? [];
  expect(axis.match(/(?<=>)\d+(?=<)/g)).toEqual(["0", "4", "8", "12", "16", "20"]);
});

test("the page is in one language with its numbers and dates, whatever the process's language", async () => {
  const portuguese = await textOf("one");
  const shown = ['<html lang="pt-BR">', "R$\u00a038.123,45", "em 20/11/2026 12:00 (America/Sao_Paulo)."];
  for (const words of [...shown, "01/10/2026 a 31/10/2026", "Segunda-feira"])
    expect(portuguese).toContain(words);
  const body = portuguese.slice(portuguese.indexOf("<body>")).replaceAll(/<[^>]*>/g, " ");
  expect(body.match(/\b(?:Revenue|Orders|Average|Change|before|with|days?)\b/gi)).toBeNull();
  const english = await textOf("english");
  const inEnglish = ['<html lang="en">', "$38,123.45", "on 2026-11-20 12:00 (America/Sao_Paulo)."];
  for (const words of [...inEnglish, "Monday"]) expect(english).toContain(words);
});

// This code runs in the browser, whose types the project doesn't have.
/** Finds elements that extend beyond the page or don't fit into their box. */
const cutOff = `[document.documentElement, ...document.querySelectorAll("body *:not(.hidden)")]
  .filter((element) => !element.closest("svg"))
  .filter((element) => getComputedStyle(element).display !== "inline")
  .filter((element) => element.scrollWidth > element.clientWidth + 1
    || element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.cloneNode().outerHTML + element.textContent.slice(0, 40))`;

describe.skipIf(!chromiumAvailable)("the page in a browser", () => {
  const folder = temporaryFolder();
  const requested: string[] = [];
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    for (const name of Object.keys(pages) as (keyof typeof pages)[]) {
      const text = await textOf(name);
      writeFileSync(path.join(folder, `${name}.html`), text);
      // An older browser ignores a color that a function returns if it doesn't have that function.
      writeFileSync(path.join(folder, `${name}-2023.html`), text.replaceAll("light-dark(", "unknown("));
    }
    browser = await openChromium();
    const context = await browser.newContext({ bypassCSP: true });
    page = await context.newPage();
    page.on("console", (message) => requested.push(message.text()));
    page.on("request", (request) => {
      if (!request.url().startsWith("file:")) requested.push(request.url());
    });
  });
  afterAll(async () => {
    await browser.close();
  });

  async function open(name: string, width: number, colorScheme: "light" | "dark"): Promise<void> {
    await page.emulateMedia({ colorScheme, media: "screen" });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(pathToFileURL(path.join(folder, `${name}.html`)).href);
  }

  test.each([
    ["one", "light"],
    ...rowsInSearch([
      ["chain", "dark"],
      ["english", "dark"],
      ["currencies", "dark"],
    ] as const),
  ] as const)("of %s in %s fits every width, passes axe, and loads nothing", async (name, scheme) => {
    for (const width of [390, ...rowsInSearch([320, 1280])]) {
      await open(name, width, scheme);
      expect({ width, cut: await page.evaluate<string[]>(cutOff) }).toEqual({ width, cut: [] });
      const words = await page.evaluate<string[]>(cutWords);
      expect({ width, words: words.filter((word) => !/^a+$/.test(word)) }).toEqual({ width, words: [] });
      if (width === 390) expect(await axeFindings(page)).toEqual([]);
    }
    expect(await page.evaluate<number>("document.scripts.length + document.images.length")).toBe(0);
    expect(requested).toEqual([]);
  });

  test.each([
    ["light", ["rgb(11, 107, 93)", "rgb(163, 91, 0)", "rgb(217, 222, 219)", "rgb(244, 245, 243)"]],
    ["dark", ["rgb(79, 209, 184)", "rgb(240, 180, 90)", "rgb(45, 57, 53)", "rgb(16, 22, 20)"]],
  ] as const)("has bars and a ground in %s colors, also without light-dark()", async (scheme, colors) => {
    await open("one-2023", 800, scheme);
    const fills = [".revenue", ".orders", ".before"].map((bar) => `fill("rect${bar}")`);
    const code = `{ const fill = (bar) => getComputedStyle(document.querySelector(bar)).fill;
      [${fills.join()}, getComputedStyle(document.body).backgroundColor] }`;
    expect(await page.evaluate<string[]>(code)).toEqual(colors);
  });

  test("pairs days by position, and is complete and light on paper", async () => {
    await open("one", 800, "dark");
    const rows = page.getByRole("table", { name: "Por dia", exact: true }).getByRole("row");
    expect(await rows.count()).toBe(32);
    expect(await rows.nth(28).innerText()).toMatch(/^28\/10\/2026.*28\/09\/2026/s);
    expect(await rows.nth(31).innerText()).not.toMatch(/2026.*2026/s);
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate<string>("getComputedStyle(document.body).color")).toBe("rgb(27, 36, 33)");
    const hidden = `[...document.querySelectorAll("tbody tr")].filter((row) => !row.checkVisibility() || row.offsetHeight === 0).length`;
    expect(await page.evaluate<number>(hidden)).toBe(0);
  });
});
