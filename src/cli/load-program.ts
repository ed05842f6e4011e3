/**
 * Loads the program's own files with the compiled code that the build has put beside them: compiling takes V8 a sixth of
 * the time of a call. The code is for the version of Node that made the build; any other compiles the files. An installed
 * package has no such code: there Node keeps what it compiles, where it can (22.8 and later).
 */
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readSync } from "node:fs";
import type * as nodeModule from "node:module";
import path from "node:path";
import type * as v8 from "node:v8";
import { Script } from "node:vm";

import { readProgramFile } from "./program-files.js";
import type * as startModule from "./start.js";

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

export interface CodeCache {
  readonly file: string;
  /** @returns the functions that V8 has compiled so far */
  make(): Buffer;
}

/** The build packs several files into one, which gives each by its name. */
type Pack = (name: string) => unknown;

/** @param onCompiled lets the build cache each file that is worth it; no cache is read then */
export function loadProgram(onCompiled?: (cache: CodeCache) => void): Program {
  const cache = codeCacheFolder(__dirname);
  const hasNoCache = !__EXECUTABLE__ && !onCompiled && !existsSync(cache);
  if (hasNoCache) keepCompiledCode(__dirname);
  const load = hasNoCache ? requireProgramFile : createLoader(cache, onCompiled);
  return (load("start.js") as Pack)("start.js") as Program;
}

function requireProgramFile(name: string): unknown {
  return require(path.join(__dirname, name));
}

/** Each version of Node and each kind of processor has code of its own. */
function codeCacheFolder(programFolder: string): string {
  return path.join(programFolder, "code-cache", `${process.version}-${process.platform}-${process.arch}`);
}

/**
 * V8 checks the length of the source but not its text, and nothing of the code at all: one changed bit crashes the
 * process. So the cache holds its source, and the code twice. Comparing them costs a twentieth of a digest, and a checksum
 * would load `node:zlib`, a tenth of the time that Node takes to start. The length of
 * the code comes first, since asking the system for the file's length takes longer.
 */
function toCodeCache(source: Buffer, code: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(code.length);
  return Buffer.concat([length, code, source, code]);
}

const lengthBytes = 4;

/** A smaller file is compiled in the time that reading another one takes. */
const minCachedBytes = 4096;

/** The function that Node wraps a CommonJS module in. */
const head = Buffer.from("(function (exports, require, module, __filename, __dirname) { ");
const tail = Buffer.from("\n});");

/** `require` for the files of this folder, which has none below it; Node's own for everything else. */
function createLoader(
  cacheFolder: string,
  onCompiled?: (cache: CodeCache) => void,
): (name: string) => unknown {
  const modules = new Map<string, { exports: object }>();
  const load = (name: string): unknown => {
    const loadedModule = modules.get(name);
    if (loadedModule) return loadedModule.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const file = path.join(__dirname, name);
    const source = readProgramFile(name);
    const cache = source.length < minCachedBytes ? undefined : path.join(cacheFolder, `${name}.cache`);
    const cachedData = cache === undefined || onCompiled ? undefined : codeOf(name, cache, source);
    const wrappedSource = Buffer.concat([head, source, tail]).toString("utf8");
    // The name becomes part of the code, so it has no folder. V8 compiles the source where it refuses the code.
    const script = new Script(wrappedSource, { filename: name, ...(cachedData && { cachedData }) });
    if (cache !== undefined) {
      onCompiled?.({
        file: cache,
        make: () =>
          toCodeCache(
            source,
            withUsualFlags(() => script.createCachedData()),
          ),
      });
    }
    const wrapper = script.runInThisContext() as Wrapper;
    const resolve = (id: string): unknown => (id.startsWith("./") ? load(id.slice(2)) : require(id));
    wrapper(module.exports, Object.assign(resolve, require), module, file, __dirname);
    return module.exports;
  };
  return load;
}

/** The executable's code needs no check: it was made with the Node that the executable contains. */
function codeOf(name: string, cacheFile: string, source: Buffer): Buffer | undefined {
  if (!__EXECUTABLE__) return readCode(cacheFile, source);
  try {
    return readProgramFile(`${name}.cache`);
  } catch {
    return undefined;
  }
}

/** @returns `undefined` where there is no code, as for a rare command, or it is of another source, or damaged */
function readCode(cacheFile: string, source: Buffer): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(cacheFile, "r");
    if (readSync(descriptor, window, 0, lengthBytes, 0) < lengthBytes) return undefined;
    const code = Buffer.allocUnsafe(window.readUInt32LE());
    let end = lengthBytes + readSync(descriptor, code, 0, code.length, lengthBytes);
    for (const part of [source, code]) {
      if (!holds(descriptor, part, end)) return undefined;
      end += part.length;
    }
    return code;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** All comparisons share this memory, since the files come to a megabyte and a half. */
const window = Buffer.allocUnsafe(128 * 1024);

function holds(descriptor: number, expected: Buffer, position: number): boolean {
  for (let start = 0; start < expected.length; start += window.length) {
    const part = expected.subarray(start, start + window.length);
    const read = readSync(descriptor, window, 0, part.length, position + start);
    if (!part.equals(window.subarray(0, read))) return false;
  }
  return true;
}

/**
 * V8 refuses a cache that was made with other flags. This one is made with the flags of the start: setting flags there
 * would load `node:v8`, which takes a tenth of the time of a command without a call. The transport sets `--liftoff-only`
 * before its first request (see `createTransport`), so files that are loaded later, such as those of tables, are compiled.
 */
function withUsualFlags<Result>(work: () => Result): Result {
  const { setFlagsFromString } = require("node:v8") as typeof v8;
  // `expectManyCalls` sets this flag for commands of many rows or orders.
  setFlagsFromString("--semi-space-growth-factor=2");
  if (Number.parseInt(process.versions.node, 10) < 22) {
    // The transport's flag has unset the others.
    for (const flag of ["--no-liftoff-only", "--wasm-tier-up", "--wasm-dynamic-tiering"])
      setFlagsFromString(flag);
  }
  return work();
}

/** Node 22.8 and later have it, but Node 20's types don't: https://nodejs.org/api/module.html#moduleenablecompilecachecachedir */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Lets Node keep compiled code beside the program, so that a command starts in four fifths of the time. Whoever can write
 * there can run code as the user who starts comanda: so this folder and the program's must be the user's own, and nobody
 * else may write there. Node compares a checksum before it takes anything. The program works without a cache, too.
 *
 * @param programFolder absolute
 */
function keepCompiledCode(programFolder: string): void {
  const { enableCompileCache } = require("node:module") as typeof nodeModule & CompileCache;
  // The user may have chosen a cache, or none.
  if (!enableCompileCache || "NODE_COMPILE_CACHE" in process.env) return;
  const folder = path.join(programFolder, "compile-cache");
  try {
    if (!isPrivate(programFolder)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isPrivate(folder)) enableCompileCache(folder);
  } catch {
    // The folder can't be made on a read-only disk, say: the cache saves time, and nothing else depends on it.
  }
}

/** Is this a real folder of the user's own in which nobody else can write? On Windows these fields don't tell. */
function isPrivate(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}
