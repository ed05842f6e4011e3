/** The options of esbuild for a program that imports comanda's sources, as in `.config/build.mjs`. */
import path from "node:path";

import type { BuildOptions } from "esbuild";

const root = path.resolve(import.meta.dirname, "../..");

export const bundling = {
  loader: { ".css": "text", ".md": "text", ".sql": "text", ".txt": "text" },
  external: ["pg"],
  // Packages that are loaded by name at run time are resolved from here.
  define: { "import.meta.dirname": JSON.stringify(path.join(root, "src")) },
} satisfies BuildOptions;
