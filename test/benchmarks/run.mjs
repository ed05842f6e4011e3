// @ts-check
/** Bundles the benchmarks and runs them, after `npm run build`; `node test/benchmarks/run.mjs startup` runs one part. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";

import { build } from "esbuild";

const here = import.meta.dirname;
const root = path.resolve(here, "../..");
// Below node_modules, so that what isn't bundled is found from there.
const cache = path.join(root, "node_modules", ".cache");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(path.join(cache, "comanda-bench-"));

try {
  /** @type {import("esbuild").BuildOptions} */
  const common = {
    ...{ bundle: true, platform: "node", outdir: folder, logLevel: "warning" },
    loader: { ".css": "text", ".md": "text", ".sql": "text" },
    external: ["pg"],
  };
  await build({
    ...common,
    entryPoints: [path.join(here, "benchmarks.ts")],
    outExtension: { ".js": ".mjs" },
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "hono/jsx",
  });
  const programs = readdirSync(path.join(here, "programs")).filter((name) => !name.endsWith(".d.ts"));
  await build({
    ...common,
    entryPoints: programs.map((name) => path.join(here, "programs", name)),
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    define: { "import.meta.dirname": "__dirname" },
    packages: "external",
  });
  // More certificates, a Node option, a proxy: what the machine asks of every Node would hide what is measured.
  const unwanted = /^(NODE_.*|COMANDA_(?!TEST_NODE).*|.*_proxy)$/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.test(name)));
  const bundle = path.join(folder, "benchmarks.mjs");
  const { status } = spawnSync(process.execPath, [bundle, ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
