// @ts-check
/**
 * What `--jq` runs, src/terminal/jq-engine.ts, as one script that gives it the name `engine`: the program hands its text to
 * a context and to a thread, and so it is wherever the program is (dist, an executable, the tests).
 */
import { readFileSync } from "node:fs";
import path from "node:path";

import { build } from "esbuild";

/**
 * What jq's own lexer does and jqjs 1.6.0's doesn't: `1e11` is a number. And jqjs writes what `scan` finds to stdout, as its
 * author must have done to look for a mistake; see `drop` for that.
 *
 * @type {import("esbuild").Plugin}
 */
const withExponents = {
  name: "with-exponents",
  setup({ onLoad }) {
    onLoad({ filter: /\/@michaelhomer\/jqjs\/jq\.js$/ }, ({ path: file }) => {
      const digits = "while (isDigit(str[i]) || str[i] == '.')\n                tok += str[i++]\n";
      const parts = readFileSync(file, "utf8").split(digits);
      if (parts.length !== 2) throw new Error("jqjs reads a number in another way than it did");
      const exponent =
        "const e = /^e[+-]?\\d+/i.exec(str.slice(i)); if (e) { tok += e[0]; i += e[0].length }\n";
      return { contents: parts.join(digits + exponent) };
    });
  },
};

/** @returns {Promise<Record<string, string>>} esbuild's and Vite's `define` */
export async function jqEngine() {
  const { outputFiles } = await build({
    absWorkingDir: path.resolve(import.meta.dirname, ".."),
    entryPoints: ["src/terminal/jq-engine.ts"],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "engine",
    platform: "node",
    target: "node20.18",
    minify: true,
    drop: ["console"],
    legalComments: "none",
    plugins: [withExponents],
  });
  return { __JQ_ENGINE__: JSON.stringify(outputFiles[0]?.text ?? "") };
}
