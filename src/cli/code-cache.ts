/**
 * The compiled code of the program's files, which lies beside them: without it a command takes half as long again. The
 * build makes it for the Node that builds. For every other, as where a package is installed, each file's code is kept by
 * the first run that loads it.
 *
 * V8 checks the length of the source but not its text, and nothing of the code at all: one changed bit crashes the
 * process. So a file of the cache holds its source, and the code twice. Comparing them costs a twentieth of a digest, and
 * a checksum would load `node:zlib`, a tenth of the time that Node takes to start. The length of the code comes first,
 * since asking the system for the file's length takes longer.
 */
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type * as v8 from "node:v8";
import type { Script } from "node:vm";

/** This file is built as CommonJS. */
declare const require: NodeJS.Require;

export interface CompiledFile {
  readonly name: string;
  readonly source: Buffer;
  readonly script: Script;
}

export interface CodeCache {
  /** @returns `undefined` where there is no code, or it is of another source, or damaged */
  read(name: string, source: Buffer): Buffer | undefined;
  /** Takes a file that had no code. */
  add(file: CompiledFile): void;
}

const lengthBytes = 4;

/** @param programFolder absolute */
export function openCodeCache(programFolder: string): CodeCache {
  const built = cacheFolder(programFolder, "code-cache");
  const folder = existsSync(built) ? built : cacheFolder(programFolder, "compile-cache");
  const isUsed = folder === built || isTrustedCache(programFolder, folder);
  const added: CompiledFile[] = [];
  return {
    read: (name, source) => (isUsed ? readCode(cacheFile(folder, name), source) : undefined),
    add: (file) => {
      if (folder === built) return;
      if (added.length === 0) process.once("exit", () => keep(programFolder, folder, added));
      added.push(file);
    },
  };
}

/** Each version of Node and each kind of processor has code of its own. */
export function cacheFolder(programFolder: string, name: "code-cache" | "compile-cache"): string {
  return path.join(programFolder, name, `${process.version}-${process.platform}-${process.arch}`);
}

function cacheFile(folder: string, name: string): string {
  return path.join(folder, `${name}.cache`);
}

/**
 * Whoever can write there can run code as everybody who starts comanda. So it must be a real folder of the owner of the
 * program's own, and nobody else may write in either.
 */
function isTrusted(programFolder: string, folder: string): boolean {
  const program = lstatSync(programFolder);
  return [program, lstatSync(folder)].every(
    (stats) => stats.isDirectory() && stats.uid === program.uid && (stats.mode & 0o022) === 0,
  );
}

/** @returns the cache's folder and the one that it is in */
function foldersOf(cache: string): readonly string[] {
  return [path.dirname(cache), cache];
}

function isTrustedCache(programFolder: string, cache: string): boolean {
  try {
    return foldersOf(cache).every((folder) => isTrusted(programFolder, folder));
  } catch {
    return false;
  }
}

/**
 * A person's program keeps its code; so does root's, which other users then read. Nothing depends on it: on a read-only
 * or full disk a command takes longer.
 */
function keep(programFolder: string, cache: string, files: readonly CompiledFile[]): void {
  try {
    // On Windows the fields don't tell who may write.
    if (lstatSync(programFolder).uid !== process.getuid?.() || !isTrusted(programFolder, programFolder))
      return;
    for (const folder of foldersOf(cache)) {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      if (!isTrusted(programFolder, folder)) return;
    }
    writeCodeCache(cache, files);
  } catch {
    // The next run tries it again.
  }
}

/** @throws {Error} where a file can't be written; the rest is left out then */
export function writeCodeCache(folder: string, files: readonly CompiledFile[]): void {
  for (const { name, source, script } of files) {
    const file = cacheFile(folder, name);
    try {
      // It is damaged, or another process has begun it; whoever reads half of a file finds that out.
      rmSync(file, { force: true });
      writeFileSync(
        file,
        toCodeCache(
          source,
          withUsualFlags(() => script.createCachedData()),
        ),
        {
          flag: "wx",
          mode: 0o644,
        },
      );
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    }
  }
}

function toCodeCache(source: Buffer, code: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(code.length);
  return Buffer.concat([length, code, source, code]);
}

function readCode(file: string, source: Buffer): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
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
