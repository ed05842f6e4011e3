/**
 * One Chromium for all test files of a run, because each start costs a second of CPU. It starts at the first request for it. Every
 * test has its own context, as separate as the profiles of two users.
 */
import { createServer } from "node:http";
import { createRequire } from "node:module";

import type * as playwright from "playwright-core";
import type { BrowserServer } from "playwright-core";
import type { TestProject } from "vitest/node";

import { listening } from "./resources.js";

declare module "vitest" {
  interface ProvidedContext {
    /** An address that returns the browser's own address, and starts the browser at the first request. */
    chromium: string;
  }
}

export const executablePath = "/usr/bin/chromium";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await onDemand(launch, (started) => started.wsEndpoint());
  project.provide("chromium", browser.url);
  return () => browser.end((started) => started.close());
}

/** Serves an address that starts something at the first request and returns its address. Test files run in other processes. */
export async function onDemand<Started>(start: () => Promise<Started>, told: (started: Started) => string) {
  let starting: Promise<Started> | undefined;
  const server = createServer((_request, response) => {
    (starting ??= start()).then(
      (started) => response.end(told(started)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const port = await listening(server);
  server.unref();
  return {
    url: `http://127.0.0.1:${port}`,
    end: async (stop: (started: Started) => Promise<void>) => {
      server.close();
      if (starting) await stop(await starting);
    },
  };
}

/** Starts a browser that can reach only this machine. */
function launch(): Promise<BrowserServer> {
  const { chromium } = createRequire(import.meta.url)("playwright-core") as typeof playwright;
  const offline = "--disable-quic --disable-background-networking --disable-component-update --disable-sync";
  const args = ["--no-sandbox", "--disable-gpu", "--no-first-run", ...offline.split(" ")];
  return chromium.launchServer({ executablePath, host: "127.0.0.1", args });
}
