// @ts-check
/**
 * `npm run dev -- <arguments>` runs comanda from its sources, without a build: what you changed is what runs, and the
 * stack that `--debug` shows names source lines.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { build } from "esbuild";

import { jqEngine } from "./jq-engine.mjs";

const root = path.resolve(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const folder = path.join(root, "node_modules", ".cache");
const bundle = path.join(folder, `comanda-dev-${process.pid}.cjs`);
mkdirSync(folder, { recursive: true });

process.setSourceMapsEnabled(true);
/** @type {{ main(argv: readonly string[]): Promise<void> }} */
let program;
try {
  await build({
    absWorkingDir: root,
    entryPoints: ["src/cli/program.ts"],
    outfile: bundle,
    bundle: true,
    platform: "node",
    target: "node20.18",
    format: "cjs",
    jsx: "automatic",
    jsxImportSource: "hono/jsx",
    sourcemap: "inline",
    loader: { ".sql": "text" },
    external: ["pg"],
    define: {
      ...(await jqEngine()),
      __VERSION__: JSON.stringify(`${version}-dev`),
      "import.meta.url": "undefined",
      "import.meta.dirname": "__dirname",
    },
    logLevel: "warning",
  });
  program = createRequire(import.meta.url)(bundle);
} finally {
  rmSync(bundle, { force: true });
}
await program.main(process.argv.slice(2));
