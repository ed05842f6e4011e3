/** Loads the program's own files with their compiled code. */
import path from "node:path";
import { Script } from "node:vm";

import { openCodeCache, type CodeCache } from "./code-cache.js";
import { readProgramFile } from "./program-files.js";
import type * as startModule from "./start.js";

/** The build asks for both when it makes its own cache. */
export { cacheFolder, writeCodeCache } from "./code-cache.js";

/** This file is built as CommonJS. */
declare const require: NodeJS.Require;
/** Is this the code of the executable that `npm run binary` makes? */
declare const __EXECUTABLE__: boolean;

type Program = typeof startModule;

type Wrapper = (
  exports: object,
  require: NodeJS.Require,
  module: object,
  file: string,
  folder: string,
) => void;

/** The build packs several files into one, which gives each by its name. */
type Pack = (name: string) => unknown;

export function loadProgram(
  cache: CodeCache = __EXECUTABLE__ ? codeInside : openCodeCache(__dirname),
): Program {
  return (createLoader(cache)("start.js") as Pack)("start.js") as Program;
}

/** The executable's code needs no check: it was made with the Node that the executable contains. */
const codeInside: CodeCache = {
  read: (name) => {
    try {
      return readProgramFile(`${name}.cache`);
    } catch {
      // A rare command has none.
      return undefined;
    }
  },
  add: () => undefined,
};

/** A smaller file is compiled in the time that reading another one takes. */
const minCachedBytes = 4096;

/** The function that Node wraps a CommonJS module in. */
const head = Buffer.from("(function (exports, require, module, __filename, __dirname) { ");
const tail = Buffer.from("\n});");

/** `require` for the files of this folder, which has none below it; Node's own for everything else. */
function createLoader(cache: CodeCache): (name: string) => unknown {
  const modules = new Map<string, { exports: object }>();
  const load = (name: string): unknown => {
    const loadedModule = modules.get(name);
    if (loadedModule) return loadedModule.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const source = readProgramFile(name);
    const isWorthCaching = source.length >= minCachedBytes;
    const cachedData = isWorthCaching ? cache.read(name, source) : undefined;
    const wrappedSource = Buffer.concat([head, source, tail]).toString("utf8");
    // The name becomes part of the code, so it has no folder. V8 compiles the source where it refuses the code.
    const script = new Script(wrappedSource, { filename: name, ...(cachedData && { cachedData }) });
    if (isWorthCaching && !cachedData) cache.add({ name, source, script });
    const wrapper = script.runInThisContext() as Wrapper;
    const resolve = (id: string): unknown => (id.startsWith("./") ? load(id.slice(2)) : require(id));
    wrapper(module.exports, Object.assign(resolve, require), module, path.join(__dirname, name), __dirname);
    return module.exports;
  };
  return load;
}
