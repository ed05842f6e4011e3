/** Runs the programs of test/state/programs as processes of their own: the Node that we support runs no TypeScript. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

import { bundling } from "../../support/bundling.js";

/**
 * Bundles a program before the tests of the file, and removes it after them. To be called outside of tests and hooks.
 *
 * @param external what isn't put into the bundle, and not found beside it
 * @returns what tells its path, from the first test on
 */
export function bundledProgram(source: URL, external = bundling.external): () => string {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-program-"));
  let bundle = "";
  beforeAll(async () => {
    const entry = fileURLToPath(source);
    bundle = path.join(folder, `${path.basename(entry, ".ts")}.cjs`);
    await build({
      entryPoints: [entry],
      outfile: bundle,
      bundle: true,
      platform: "node",
      target: "node20.18",
      format: "cjs",
      ...bundling,
      external,
      logLevel: "error",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => bundle;
}

/** Without what makes every start of Node slow on some machines. */
export const nodeEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== "NODE_EXTRA_CA_CERTS"),
);

export function start(program: string, ...parameters: string[]): ChildProcess {
  return spawn(process.execPath, [program, ...parameters], {
    env: nodeEnvironment,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** How a process ended: its exit code, or the signal that ended it. */
export async function ended(child: ChildProcess): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode ?? child.signalCode ?? "?";
}
