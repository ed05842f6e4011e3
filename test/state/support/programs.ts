/** Bundles the programs of test/state/programs, because Node 20 can't run TypeScript. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build, type BuildOptions } from "esbuild";
import { beforeAll } from "vitest";

import { temporaryFolder } from "../../support/resources.js";

/** The options of esbuild for a program that imports comanda's sources, as in `.config/build.mjs`. */
const bundling: BuildOptions = {
  loader: { ".css": "text", ".md": "text", ".sql": "text", ".txt": "text" },
  // Packages that are loaded by name at run time are resolved from here.
  define: { "import.meta.dirname": JSON.stringify(path.resolve(import.meta.dirname, "../../../src")) },
  ...{ bundle: true, platform: "node", target: "node20.18", format: "cjs", logLevel: "error" },
};

/**
 * Bundles a program before the tests of the file, and removes it afterwards. Must be called outside of tests and hooks.
 *
 * @param external the packages that aren't bundled
 * @returns a function that returns the bundle's path in tests
 */
export function bundledProgram(source: URL, external = ["pg"]): () => string {
  const folder = temporaryFolder();
  let bundle = "";
  beforeAll(async () => {
    const entry = fileURLToPath(source);
    bundle = path.join(folder, `${path.basename(entry, ".ts")}.cjs`);
    await build({ ...bundling, entryPoints: [entry], outfile: bundle, external });
  });
  return () => bundle;
}

/** The environment without a variable that slows down each start of Node. */
export const nodeEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== "NODE_EXTRA_CA_CERTS"),
);

/** Resolves with a process's exit code, or with the signal that ended it. */
export async function ended(child: ChildProcess): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode ?? child.signalCode ?? "?";
}
