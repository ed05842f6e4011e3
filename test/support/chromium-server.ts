/**
 * One Chromium for all test files of a run: each start costs a second of the processor. It starts when the first of them
 * asks for it, and every test has a context of its own in it, as separate as the profiles of two people.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";

import type * as playwright from "playwright-core";
import type { BrowserServer } from "playwright-core";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** An address that tells where the browser listens. */
    chromium: string;
  }
}

export const executablePath = "/usr/bin/chromium";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let browser: Promise<BrowserServer> | undefined;
  const server = createServer((_request, response) => {
    browser ??= launch();
    browser.then(
      (started) => response.end(started.wsEndpoint()),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  server.unref();
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  project.provide("chromium", `http://127.0.0.1:${address.port}`);
  return async () => {
    server.close();
    await (await browser)?.close();
  };
}

/**
 * Chromium prepares two pages of its address bar for each new context, which nobody here types into: half a second of the
 * processor. Of two such arguments the last one holds, so that Playwright's own are here too.
 */
const disabledFeatures = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
  ...["AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"],
  ...["DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"],
  ...["MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding"],
  ...["PreconnectToSearch", "TcpPortRandomizationWin", "ThirdPartyStoragePartitioning"],
];

/** A browser that stays on this machine. */
function launch(): Promise<BrowserServer> {
  const { chromium } = createRequire(import.meta.url)("playwright-core") as typeof playwright;
  return chromium.launchServer({
    executablePath,
    host: "127.0.0.1",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--disable-features=${disabledFeatures.join(",")}`,
    ],
  });
}
