/** A real Chromium for the tests that need one. */
import { existsSync } from "node:fs";

import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";

const executablePath = "/usr/bin/chromium";

/** Tests with a browser skip where it isn't installed: `describe.skipIf(!chromiumAvailable)`. */
export const chromiumAvailable = existsSync(executablePath);

/** Starts a browser that stays on this machine; the caller closes it. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

// The browser's own code is text here: the project's types know of no document.
const findings = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`;

/** What axe finds to complain of in a page, of whatever weight: rule and element. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(findings);
}
