/** Node's own cache of compiled code, for the program as it is installed from a package. */
import { lstatSync, mkdirSync } from "node:fs";
import type * as nodeModule from "node:module";
import path from "node:path";

/** This file is built as CommonJS. */
declare const require: NodeJS.Require;

/** What Node 22.8 and later have, and Node 20's types don't. See https://nodejs.org/api/module.html#moduleenablecompilecachecachedir */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Has Node keep what it compiles beside the program, so that a command starts in four fifths of the time. Who can write
 * there runs code as whoever reads it: the folder is used only where it and the program's are the user's own and nobody
 * else can write there. Node compares a checksum before it takes anything. Without a cache all goes on as ever.
 *
 * @param programFolder absolute
 */
export function keepCompiledCode(programFolder: string): void {
  const { enableCompileCache } = require("node:module") as typeof nodeModule & CompileCache;
  // A program may have been started with a cache of its user's choice, or with none.
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

/** Is this a folder of the user's own, no link, in which nobody else can write? Windows doesn't tell by these figures. */
function isPrivate(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}
