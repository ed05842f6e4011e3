/** Reads the program's own files, which are beside this one, or inside the executable that `npm run binary` makes. */
import { readFileSync } from "node:fs";
import path from "node:path";

/** This file is built as CommonJS. */
declare const require: NodeJS.Require;
/** Is this the executable's code? The build defines it. */
declare const __EXECUTABLE__: boolean;

/**
 * The used part of Node's module of single executables, which Node 20's types don't have yet.
 * See https://nodejs.org/api/single-executable-applications.html
 */
interface SingleExecutable {
  readonly getRawAsset: (name: string) => ArrayBuffer;
}

/** @throws {Error} where there is no such file */
export function readProgramFile(name: string): Buffer {
  return __EXECUTABLE__ ? assetOf(name) : readFileSync(path.join(__dirname, name));
}

/** The bytes are the executable's memory, which must not be written to. */
function assetOf(name: string): Buffer {
  const { getRawAsset } = require("node:sea") as SingleExecutable;
  return Buffer.from(getRawAsset(name));
}
