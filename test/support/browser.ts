/** A real Chromium for the tests that need one. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type * as playwright from "playwright-core";
import type { Browser, Page } from "playwright-core";
import { inject } from "vitest";

import { executablePath } from "./chromium-server.js";
import { isSearch } from "./soak.js";

const require = createRequire(import.meta.url);
/** The names of what a large CommonJS package exports take Node as long to find as the package to load. */
const { chromium } = require("playwright-core") as typeof playwright;
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Tests with a browser are the search's, and skip where it isn't installed: `describe.skipIf(!chromiumAvailable)`. */
export const chromiumAvailable = isSearch && existsSync(executablePath);

/** The run's browser, started if it isn't yet; the caller closes what it gets, and with it its own contexts. */
export async function openChromium(): Promise<Browser> {
  const answer = await fetch(inject("chromium"));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return chromium.connect(text);
}

// The browser's own code is text here: the project's types know of no document.
const findings = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`;

/** What axe finds to complain of in a page, of whatever weight: rule and element. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  return page.evaluate<string[]>(findings);
}

/**
 * Words of the page that stand on two lines, for `page.evaluate`: a hyphen, a slash or a question mark may end one. Longer ones, such as
 * addresses, have no line that holds them. The browser's own code is text here: the project's types know of no document.
 */
export const cutWords = `[...document.querySelectorAll("body *:not(.hidden)")]
  .filter((element) => element.checkVisibility() && !element.closest("code"))
  .flatMap((element) => [...element.childNodes])
  .filter((node) => node.nodeType === 3)
  .flatMap((node) => [...node.data.matchAll(/[^\\s/?\\u2026-]{2,24}(?=[\\s/?\\u2026-]|$)/g)]
    .filter(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
      return new Set(tops).size > 1;
    })
    .map(([word]) => word))`;
