/** Reads the program's own files, which are beside this one, or inside the executable that `npm run binary` makes. */
import { readFileSync } from "node:fs";
import path from "node:path";

/** This file is built as CommonJS. */
declare const require: NodeJS.Require;
/** Is this the executable's code? The build defines it, but not for chunks, which both programs load. */
declare const __EXECUTABLE__: boolean | undefined;

/**
 * The used part of Node's module of single executables, which Node 20's types don't have yet.
 * See https://nodejs.org/api/single-executable-applications.html
 */
interface SingleExecutable {
  readonly isSea: () => boolean;
  readonly getRawAsset: (name: string) => ArrayBuffer;
}

/** @throws {Error} where there is no such file */
export function readProgramFile(name: string): Buffer {
  const isInside = __EXECUTABLE__ ?? singleExecutable().isSea();
  return isInside ? assetOf(name) : readFileSync(path.join(__dirname, name));
}

function singleExecutable(): SingleExecutable {
  return require("node:sea") as SingleExecutable;
}

/** The bytes are the executable's memory, which must not be written to. */
function assetOf(name: string): Buffer {
  return Buffer.from(singleExecutable().getRawAsset(name));
}
