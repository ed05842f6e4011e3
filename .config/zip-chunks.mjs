// @ts-check
/** What few command lines load is kept compressed: that halves the package, and to unpack a chunk takes a millisecond. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

import { closure } from "./pack-chunks.mjs";

const compress = promisify(brotliCompress);

/** Bytes of a chunk: less than this isn't worth a second file. */
const worthZipping = 8000;

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
    Object.keys(outputs).filter((file) => sources.includes(outputs[file]?.entryPoint ?? ""));
  const kept = new Set([
    ...filesOf(usual).flatMap((file) => closure(outputs, file)),
    ...filesOf(programs).flatMap((file) => closure(outputs, file, { withLater: true })),
  ]);
  const rare = Object.keys(outputs).filter((file) => !kept.has(file) && !packed.has(path.basename(file)));
  const chunks = rare
    .map((file) => path.join(folder, path.basename(file)))
    .filter((file) => file.endsWith(".js"));
  await Promise.all(chunks.map(zip));
}

/**
 * A few lines in its place load it.
 *
 * @param {string} file
 */
async function zip(file) {
  const code = readFileSync(file);
  if (code.length < worthZipping) return;
  writeFileSync(`${file}.br`, await compress(code));
  writeFileSync(
    file,
    `const code = require("node:zlib").brotliDecompressSync(require("node:fs").readFileSync(__filename + ".br")).toString();
const names = ["module", "exports", "require", "__filename", "__dirname"];
require("node:vm").compileFunction(code, names, { filename: __filename })(module, exports, require, __filename, __dirname);
`,
  );
}
