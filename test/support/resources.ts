/**
 * Folders, ports and servers of tests. What tests open is closed after the test, or after the tests of the file or block that opened
 * it while it was collected.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, onTestFinished, TestRunner } from "vitest";

/** Must not be called in `beforeAll`, which belongs to neither. */
export function afterwards(work: () => unknown): void {
  const end = async () => {
    await work();
  };
  if (TestRunner.getCurrentTest()) onTestFinished(end);
  else afterAll(end);
}

/** Returns the opened thing, which is closed afterwards. */
export function closing<Opened extends { readonly close: () => unknown }>(opened: Opened): Opened {
  afterwards(() => opened.close());
  return opened;
}

/** Creates a folder, which is removed afterwards. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-test-"));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Returns a port that was free a moment ago, for an address that must be known before a server listens there. It is above 10080, the
 * highest port that `fetch` refuses (Fetch Standard, port blocking), and below those that systems choose for outgoing connections.
 */
export async function freePort(host = "127.0.0.1", attempts = 20): Promise<number> {
  const server = createServer();
  try {
    const port = await listening(server, 11_000 + Math.floor(Math.random() * 20_000), host);
    await new Promise((resolve) => server.close(resolve));
    return port;
  } catch (error) {
    // Another program uses it, or this machine doesn't have the address.
    if (attempts === 1) throw error;
    return freePort(host, attempts - 1);
  }
}

/** Stops a server and ends its connections. */
export async function stopServer(server: HttpServer): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Starts a server. @returns its port */
export async function listening(server: Server, port = 0, host = "127.0.0.1"): Promise<number> {
  await once(server.listen(port, host), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("a TCP server has a port");
  return address.port;
}
