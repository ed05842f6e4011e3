// @ts-check
/** What few command lines load is kept compressed: that halves the package, and to unpack a chunk takes a millisecond. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

import { closure } from "./pack-chunks.mjs";

const compress = promisify(brotliCompress);

/** Bytes of a chunk: less than this isn't worth a second file. */
const worthZipping = 1500;

/** The file that unpacks the others. */
const unzip = "unzip.js";

/**
 * Reports and their pictures, jq, YAML, QR codes, and the commands that nobody runs each minute.
 *
 * @param {import("esbuild").Metafile} metafile of the build that made the chunks
 * @param {string} folder where they lie as CommonJS
 * @param {{ usual: readonly string[], programs: readonly string[], packed: ReadonlySet<string> }} kept the sources that
 *   run often; those that programs load, whose bundlers can't follow what is compressed; and the names of packed chunks
 */
export async function zipChunks({ outputs }, folder, { usual, programs, packed }) {
  /** @param {readonly string[]} sources */
  const filesOf = (sources) =>
    sources.map((source) => {
      const found = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === source);
      if (found === undefined) throw new Error(`there is no chunk that begins with ${source}`);
      return found;
    });
  const kept = new Set([
    ...filesOf(usual).flatMap((file) => closure(outputs, file)),
    ...filesOf(programs).flatMap((file) => closure(outputs, file, { withLater: true })),
  ]);
  const rare = Object.keys(outputs).filter((file) => !kept.has(file) && !packed.has(path.basename(file)));
  const chunks = rare
    .map((file) => path.join(folder, path.basename(file)))
    .filter((file) => file.endsWith(".js"));
  writeFileSync(
    path.join(folder, unzip),
    `module.exports = (file, folder, module, require) => {
const code = require("node:zlib").brotliDecompressSync(require("node:fs").readFileSync(file + ".br")).toString();
const names = ["module", "exports", "require", "__filename", "__dirname"];
require("node:vm").compileFunction(code, names, { filename: file })(module, module.exports, require, file, folder);
};
`,
  );
  await Promise.all(chunks.map(zip));
}

/**
 * A line in its place loads it.
 *
 * @param {string} file
 */
async function zip(file) {
  const code = readFileSync(file);
  if (code.length < worthZipping) return;
  writeFileSync(`${file}.br`, await compress(code));
  writeFileSync(file, `require("./${unzip}")(__filename, __dirname, module, require);\n`);
}
