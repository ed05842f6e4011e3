/**
 * Loads the program's own files, with the compiled code that the build has put beside them: V8 takes a sixth of the time
 * of a call to compile them. It is for the very Node that made the build; any other compiles as always. An installed
 * package has none of the build's: there Node keeps what it compiles, where it can (22.8 and later).
 */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import path from "node:path";
import type * as v8 from "node:v8";
import { Script } from "node:vm";

import { keepCompiledCode } from "./compile-cache.js";
import { readProgramFile } from "./program-files.js";

/** This file is built as CommonJS. */
declare const require: NodeJS.Require;
/** Is this the code of the executable that `npm run binary` makes? */
declare const __EXECUTABLE__: boolean;

interface Program {
  main(argv: readonly string[]): Promise<void>;
}

type Wrapper = (
  exports: object,
  require: NodeJS.Require,
  module: object,
  file: string,
  folder: string,
) => void;

/** The cache of one file of the program. */
export interface CodeCache {
  /** The path of the file. */
  readonly file: string;
  /** @returns what V8 has compiled of the program's file by now */
  make(): Buffer;
}

/** A file that the build has packed of others, which it is asked for by their names. */
type Pack = (name: string) => unknown;

/** @param onCompiled the build's: told of each file that is worth caching; nothing is read from a cache then */
export function loadProgram(onCompiled?: (cache: CodeCache) => void): Program {
  const cache = codeCacheFolder(__dirname);
  const plain = !__EXECUTABLE__ && !onCompiled && !existsSync(cache);
  if (plain) keepCompiledCode(__dirname);
  const load = plain ? requireOwn : createLoader(cache, onCompiled);
  return (load("base.js") as Pack)("program.js") as Program;
}

function requireOwn(name: string): unknown {
  return require(path.join(__dirname, name));
}

/** Other versions of Node and other processors have other code. */
function codeCacheFolder(programFolder: string): string {
  return path.join(programFolder, "code-cache", `${process.version}-${process.platform}-${process.arch}`);
}

/**
 * V8 checks the length of the source and not its text, and nothing of the code at all: changed by one bit, it takes the
 * process down. So the cache holds the source that it was made of, and the code twice. To compare them costs a
 * twentieth of what a digest does. The length of the code comes first: to ask the system for a file's takes longer.
 */
function toCodeCache(source: Buffer, code: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(code.length);
  return Buffer.concat([length, code, source, code]);
}

const lengthBytes = 4;

/** Bytes: a smaller file is compiled in the time that it takes to read another one. */
const worthCaching = 4096;

/** The function that Node wraps a CommonJS module in. */
const head = Buffer.from("(function (exports, require, module, __filename, __dirname) { ");
const tail = Buffer.from("\n});");

/** `require` for the files of this folder, which has none below it; Node's own for everything else. */
function createLoader(
  cacheFolder: string,
  onCompiled?: (cache: CodeCache) => void,
): (name: string) => unknown {
  const loaded = new Map<string, { exports: object }>();
  const load = (name: string): unknown => {
    const loadedModule = loaded.get(name);
    if (loadedModule) return loadedModule.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const file = path.join(__dirname, name);
    const source = readProgramFile(name);
    const cache = source.length < worthCaching ? undefined : path.join(cacheFolder, `${name}.cache`);
    const cachedData = cache === undefined || onCompiled ? undefined : codeOf(name, cache, source);
    const wrapped = Buffer.concat([head, source, tail]).toString("utf8");
    // The name alone, as it becomes part of the code. V8 compiles by itself what it refuses to take.
    const script = new Script(wrapped, { filename: name, ...(cachedData && { cachedData }) });
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

/** An executable is one piece, made with the Node that it holds: what it has of a file fits. */
function codeOf(name: string, cacheFile: string, source: Buffer): Buffer | undefined {
  if (!__EXECUTABLE__) return readCode(cacheFile, source);
  try {
    return readProgramFile(`${name}.cache`);
  } catch {
    return undefined;
  }
}

/** @returns `undefined` where the build has made none, as for a rare command, or made it of another source; or damaged */
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

/** What is compared is read into the same memory each time: the files come to a megabyte and a half. */
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
 * V8 compares its flags when it reads a cache. The cache is made for the usual ones, as they are when the program
 * starts: to set another at the start would load `node:v8`, which takes a tenth of the time of a command without a call.
 * The transport sets `--liftoff-only` before its first request (see `createTransport`); what is loaded after that, such as
 * what draws a table, is compiled as always.
 */
function withUsualFlags<Result>(work: () => Result): Result {
  const { setFlagsFromString } = require("node:v8") as typeof v8;
  // What commands of many rows or orders set: see `expectManyCalls`.
  setFlagsFromString("--semi-space-growth-factor=2");
  if (Number.parseInt(process.versions.node, 10) < 22) {
    // The first of them has unset the others.
    for (const flag of ["--no-liftoff-only", "--wasm-tier-up", "--wasm-dynamic-tiering"])
      setFlagsFromString(flag);
  }
  return work();
}
