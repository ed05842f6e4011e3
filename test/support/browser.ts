/** A real Chromium for the tests that need one. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type * as playwright from "playwright-core";
import type { Browser, Page } from "playwright-core";

import { isSearch } from "./soak.js";

const require = createRequire(import.meta.url);

const executablePath = "/usr/bin/chromium";

/** Tests with a browser run in the search, if it is installed: `describe.skipIf(!chromiumAvailable)`. */
export const chromiumAvailable = isSearch && existsSync(executablePath);

/** Starts a browser that can reach only this machine. */
export async function openChromium(): Promise<Browser> {
  const { chromium } = require("playwright-core") as typeof playwright;
  const offline = "--disable-quic --disable-background-networking --disable-component-update --disable-sync";
  const args = ["--no-sandbox", "--disable-gpu", "--no-first-run", ...offline.split(" ")];
  return chromium.launch({ executablePath, args });
}

// This code for the browser is a string because the project's types don't include the DOM.
const findings = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`;

/** Returns axe's findings of every severity in a page: rule and element. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  return page.evaluate<string[]>(findings);
}

/**
 * Finds words of the page that are split over two lines, for `page.evaluate`. A line may end after a hyphen, a slash or a question
 * mark, and longer words such as addresses fit on no line. The code is a string because the project's types don't include the DOM.
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
