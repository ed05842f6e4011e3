/** A real Chromium for the tests that need one. */
import { existsSync } from "node:fs";

import { type Browser, chromium } from "playwright-core";

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
