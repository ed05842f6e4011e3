/** Bundles and runs the programs of test/state/programs, because Node 20 can't run TypeScript. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { beforeAll } from "vitest";

import { bundling } from "../../support/bundling.js";
import { temporaryFolder } from "../../support/cleanup.js";

/**
 * Bundles a program before the tests of the file, and removes it afterwards. Must be called outside of tests and hooks.
 *
 * @param external the packages that aren't bundled
 * @returns a function that returns the bundle's path in tests
 */
export function bundledProgram(source: URL, external = bundling.external): () => string {
  const folder = temporaryFolder();
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
  return () => bundle;
}

/** The environment without a variable that slows down each start of Node. */
export const nodeEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== "NODE_EXTRA_CA_CERTS"),
);

export function start(program: string, ...parameters: string[]): ChildProcess {
  return spawn(process.execPath, [program, ...parameters], {
    env: nodeEnvironment,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Resolves with a process's exit code, or with the signal that ended it. */
export async function ended(child: ChildProcess): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode ?? child.signalCode ?? "?";
}
