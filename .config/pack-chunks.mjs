// @ts-check
/**
 * Puts the chunks that are always loaded together into one file: to find, open and read forty small ones takes a
 * fifth of the time that Node needs to start.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * A pack is asked for a chunk by its name. What is left of the chunk's own file asks the pack too, so that there is
 * one instance of it whoever loads it.
 *
 * @param {import("esbuild").Metafile} metafile of the build that made the chunks, all in one folder
 * @param {string} folder where they lie by now as CommonJS
 * @param {Readonly<Record<string, readonly string[] | { readonly importsOf: readonly string[] }>>} packs for each pack
 *   the sources whose chunks go into it, with all that they import at their top; `importsOf` leaves out the sources
 *   themselves. An earlier pack is loaded before a later one
 */
export function packChunks({ outputs }, folder, packs) {
  /** @type {Map<string, string>} */
  const packOf = new Map();
  for (const [pack, content] of Object.entries(packs)) {
    const [sources, without] = "importsOf" in content ? [content.importsOf, true] : [content, false];
    const chunks = sources.flatMap((source) => {
      const [file] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
      if (file === undefined) throw new Error(`there is no chunk of ${source}`);
      return closure(outputs, file).slice(without ? 1 : 0);
    });
    const own = [...new Set(chunks.map((file) => path.basename(file)))].filter((name) => !packOf.has(name));
    for (const name of own) packOf.set(name, pack);
    const others = Object.fromEntries([...packOf].filter(([, other]) => other !== pack));
    writeFileSync(path.join(folder, `${pack}.js`), packText(folder, own, others));
    for (const name of own) {
      writeFileSync(path.join(folder, name), `module.exports = require("./${pack}.js")("${name}");\n`);
    }
  }
}

/**
 * @param {import("esbuild").Metafile["outputs"]} outputs
 * @param {string} file
 * @param {string[]} seen
 */
function closure(outputs, file, seen = []) {
  if (seen.includes(file)) return seen;
  seen.push(file);
  for (const { path: imported, kind, external } of outputs[file]?.imports ?? []) {
    if (kind === "import-statement" && !external) closure(outputs, imported, seen);
  }
  return seen;
}

/**
 * The parentheses around each function tell V8 to compile it at once: it is about to be called.
 *
 * @param {string} folder
 * @param {readonly string[]} names
 * @param {Readonly<Record<string, string>>} others the packs of chunks that are in none of these
 */
function packText(folder, names, others) {
  const parts = names.map((name) => {
    const code = readFileSync(path.join(folder, name), "utf8");
    return `${JSON.stringify(name)}: (function (module, exports, require) {\n${code}\n})`;
  });
  return `// Made by .config/pack-chunks.mjs.
const parts = {\n${parts.join(",\n")}\n};
const others = ${JSON.stringify(others)};
const made = new Map();
function load(name) {
  let module = made.get(name);
  if (module === undefined) {
    module = { exports: {} };
    made.set(name, module);
    parts[name](module, module.exports, find);
  }
  return module.exports;
}
function find(request) {
  const name = request.startsWith("./") ? request.slice(2) : "";
  if (Object.hasOwn(parts, name)) return load(name);
  return Object.hasOwn(others, name) ? require("./" + others[name] + ".js")(name) : require(request);
}
module.exports = load;
`;
}
