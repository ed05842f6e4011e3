/** Uses Node's cache of compiled code for the program that is installed from a package. */
import { lstatSync, mkdirSync } from "node:fs";
import type * as nodeModule from "node:module";
import path from "node:path";

/** This file is built as CommonJS. */
declare const require: NodeJS.Require;

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
export function keepCompiledCode(programFolder: string): void {
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
