/** A real Chromium for the tests that need one. */
import { existsSync } from "node:fs";

import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { inject } from "vitest";

import { executablePath } from "./chromium-server.js";

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
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  return page.evaluate<string[]>(findings);
}
