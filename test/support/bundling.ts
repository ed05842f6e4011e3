/** What esbuild has to know to bundle a program of comanda's sources, as `.config/build.mjs` has it. */
import path from "node:path";

import type { BuildOptions } from "esbuild";

const root = path.resolve(import.meta.dirname, "../..");

export const bundling = {
  loader: { ".css": "text", ".md": "text", ".sql": "text" },
  external: ["pg"],
  // Packages that are loaded by their names are found from here.
  define: { "import.meta.dirname": JSON.stringify(path.join(root, "src")) },
} satisfies BuildOptions;
