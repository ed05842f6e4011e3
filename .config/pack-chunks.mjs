// @ts-check
/**
 * Puts the chunks that are always loaded together into one file: to find, open and read forty small ones takes a
 * fifth of the time that Node needs to start.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * The sources whose chunks go into a pack, with all that they import at their top. `importsOf` leaves out the sources
 * themselves; `sharedBy` has what the first imports as well as any of the others.
 *
 * @typedef {readonly string[] | { readonly importsOf: readonly string[] } | { readonly sharedBy: readonly [string, ...string[]] }} PackContent
 */

/**
 * A pack is asked for a chunk by its name: there is one instance of it whoever loads it.
 *
 * @param {import("esbuild").Metafile} metafile of the build that made the chunks, all in one folder
 * @param {string} folder where they lie by now as CommonJS
 * @param {Readonly<Record<string, PackContent>>} packs what an earlier pack has is in no later one
 * @returns the names of the chunks that are in a pack
 */
export function packChunks({ outputs }, folder, packs) {
  /** @type {Map<string, string>} */
  const packOf = new Map();
  for (const [pack, content] of Object.entries(packs)) {
    for (const file of chunksOf(outputs, content)) {
      const name = path.basename(file);
      if (!packOf.has(name)) packOf.set(name, pack);
    }
  }
  const texts = Object.keys(packs).map((pack) => {
    const own = [...packOf].filter(([, other]) => other === pack).map(([name]) => name);
    return [`${pack}.js`, packText(folder, own, packOf)];
  });
  for (const file of Object.keys(outputs)) {
    const name = path.basename(file);
    if (!name.endsWith(".js")) continue;
    const pack = packOf.get(name);
    const target = path.join(folder, name);
    if (pack === undefined) writeFileSync(target, askingPacks(readFileSync(target, "utf8"), packOf));
    else rmSync(target);
  }
  // A pack may have the name of a chunk that is in it.
  for (const [name = "", text = ""] of texts) writeFileSync(path.join(folder, name), text);
  return new Set(packOf.keys());
}

/**
 * @param {import("esbuild").Metafile["outputs"]} outputs
 * @param {PackContent} content
 * @returns {readonly string[]}
 */
function chunksOf(outputs, content) {
  /** @param {string} source */
  const imports = (source) => {
    const [file] =
      Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ??
      Object.entries(outputs).find(([, { inputs }]) => source in inputs) ??
      [];
    if (file === undefined) throw new Error(`there is no chunk of ${source}`);
    return closure(outputs, file);
  };
  if ("importsOf" in content) return content.importsOf.flatMap((source) => imports(source).slice(1));
  if (!("sharedBy" in content)) return content.flatMap(imports);
  const [first, ...others] = content.sharedBy.map(imports);
  return (first ?? []).filter((file) => others.some((other) => other.includes(file)));
}

/**
 * @param {string} code
 * @param {ReadonlyMap<string, string>} packOf
 */
function askingPacks(code, packOf) {
  return code.replaceAll(/\brequire\("\.\/([\w-]+\.js)"\)/g, (whole, name) => {
    const pack = packOf.get(name);
    return pack === undefined ? whole : `require("./${pack}.js")("${name}")`;
  });
}

/**
 * @param {import("esbuild").Metafile["outputs"]} outputs
 * @param {string} file
 * @param {{ withLater?: boolean }} options `withLater`: what it loads while it runs, too
 * @param {string[]} seen
 */
export function closure(outputs, file, { withLater = false } = {}, seen = []) {
  if (seen.includes(file)) return seen;
  seen.push(file);
  for (const { path: imported, kind, external } of outputs[file]?.imports ?? []) {
    if (external || (kind !== "import-statement" && !withLater)) continue;
    closure(outputs, imported, { withLater }, seen);
  }
  return seen;
}

/**
 * The parentheses around each function tell V8 to compile it at once: it is about to be called. Each `require` has a name
 * that stands there, so that a bundler of somebody's program finds what the library needs.
 *
 * @param {string} folder
 * @param {readonly string[]} names
 * @param {ReadonlyMap<string, string>} packOf
 */
function packText(folder, names, packOf) {
  const own = new Set(names);
  const others = new Map([...packOf].filter(([name]) => !own.has(name)));
  const parts = names.map((name) => {
    const code = askingPacks(readFileSync(path.join(folder, name), "utf8"), others);
    return `${JSON.stringify(name)}: (function (module, exports) {\n${askingItself(code, own)}\n})`;
  });
  return `// Made by .config/pack-chunks.mjs.
const parts = {\n${parts.join(",\n")}\n};
const made = new Map();
function loadPart(name) {
  let module = made.get(name);
  if (module === undefined) {
    module = { exports: {} };
    made.set(name, module);
    parts[name](module, module.exports);
  }
  return module.exports;
}
module.exports = loadPart;
`;
}

/**
 * @param {string} code
 * @param {ReadonlySet<string>} own
 */
function askingItself(code, own) {
  return code.replaceAll(/\brequire\("\.\/([\w-]+\.js)"\)/g, (whole, name) =>
    own.has(name) ? `loadPart("${name}")` : whole,
  );
}
