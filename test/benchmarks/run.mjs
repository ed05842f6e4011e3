// @ts-check
/** Runs the benchmarks after `npm run build`, all or those that are named: `node test/benchmarks/run.mjs startup`. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";

import { build } from "esbuild";

const here = import.meta.dirname;
const root = path.resolve(here, "../..");
// The folder is in node_modules, so that the programs find undici.
const folder = mkdtempSync(path.join(root, "node_modules", "comanda-bench-"));
try {
  /** @type {import("esbuild").BuildOptions} */
  const common = { bundle: true, platform: "node", packages: "external" };
  const outfile = path.join(folder, "benchmarks.mjs");
  await build({ ...common, entryPoints: [path.join(here, "benchmarks.ts")], outfile, format: "esm" });
  const entryPoints = [path.join(here, "programs", "*.ts")];
  const outdir = path.join(folder, "programs");
  await build({ ...common, entryPoints, outdir, outExtension: { ".js": ".cjs" }, format: "cjs" });
  // Additional certificates, Node options and proxies of this machine would distort the figures.
  const unwanted = /^(NODE_.*|COMANDA_(?!TEST_NODE).*|.*_proxy)$/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.test(name)));
  const args = [outfile, ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, env, stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
