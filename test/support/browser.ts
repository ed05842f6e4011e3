/** A real Chromium for the tests that need one. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type * as playwright from "playwright-core";
import type { Browser, Page } from "playwright-core";
import { inject } from "vitest";

import { executablePath } from "./chromium-server.js";

const require = createRequire(import.meta.url);
/** The names of what a large CommonJS package exports take Node as long to find as the package to load. */
const { chromium } = require("playwright-core") as typeof playwright;
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Tests with a browser skip where it isn't installed: `describe.skipIf(!chromiumAvailable)`. */
export const chromiumAvailable = existsSync(executablePath);

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
