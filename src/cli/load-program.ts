/**
 * Loads the program's own files with their compiled code kept between runs: V8 takes a sixth of the time of a call to
 * compile them. A cache is code, so it lies in a folder that nobody else can write to; whatever is wrong with it, the
 * program runs without.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type * as v8 from "node:v8";
import { Script } from "node:vm";

import { configFolder } from "../state/config-folder.js";

/** Made of the built files: a cache of other ones is never read. */
declare const __BUILD__: string;
/** This file is built as CommonJS. */
declare const require: NodeJS.Require;

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

export function loadProgram(): Program {
  const cache = openCache(path.join(configFolder(process.env), "code-cache"));
  return createLoader(cache)(path.join(__dirname, "program.js")) as Program;
}

/** Characters: a smaller file is compiled in the time that it takes to read another one. */
const worthKeeping = 4096;

interface Cache {
  read(name: string): Buffer | undefined;
  /** Called for a script whose code was not in the cache, or is no longer accepted. */
  keep(name: string, script: Script): void;
}

/** `require` for files of this folder; Node's own for everything else. */
function createLoader(cache: Cache | undefined): (file: string) => unknown {
  const loaded = new Map<string, { exports: object }>();
  const load = (file: string): unknown => {
    const known = loaded.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const name = path.basename(file);
    const text = readFileSync(file, "utf8");
    const kept = text.length < worthKeeping ? undefined : cache;
    const cachedData = kept?.read(name);
    // As Node wraps a CommonJS module.
    const source = `(function (exports, require, module, __filename, __dirname) { ${text}\n});`;
    const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected === true) kept?.keep(name, script);
    const wrapper = script.runInThisContext() as Wrapper;
    const resolve = (id: string): unknown =>
      id.startsWith(".") ? load(path.resolve(path.dirname(file), id)) : require(id);
    wrapper(module.exports, Object.assign(resolve, require), module, file, path.dirname(file));
    return module.exports;
  };
  return load;
}

/** `undefined` before the first sign-in, so that a look around leaves nothing behind, and where it can't be trusted. */
function openCache(root: string): Cache | undefined {
  if (!existsSync(path.dirname(root))) return undefined;
  const folder = path.join(root, `${__BUILD__}-${process.version}-${process.arch}`);
  try {
    if (existsSync(folder) && !isOurs(folder)) return undefined;
  } catch {
    return undefined;
  }
  settleFlags();
  const fresh = new Map<string, Script>();
  // At the end, when all functions that this run needs are compiled.
  process.once("exit", () => {
    if (fresh.size > 0) write(folder, fresh);
  });
  return {
    read: (name) => {
      try {
        return readFileSync(path.join(folder, `${name}.cache`));
      } catch {
        return undefined;
      }
    },
    keep: (name, script) => fresh.set(name, script),
  };
}

/**
 * The transport sets this flag before its first request (see `createTransport`). Flags are part of what V8 compares when
 * it reads a cache: set later than the first read, each cache would be refused each time.
 */
function settleFlags(): void {
  if (Number.parseInt(process.versions.node, 10) >= 22) return;
  const { setFlagsFromString } = require("node:v8") as typeof v8;
  setFlagsFromString("--liftoff-only");
}

function isOurs(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** A cache that can't be written costs time, nothing else: no reason to trouble anyone. */
function write(folder: string, scripts: ReadonlyMap<string, Script>): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOurs(folder)) return;
    for (const [name, script] of scripts) {
      const temporary = path.join(folder, `${name}.${process.pid}.tmp`);
      writeFileSync(temporary, script.createCachedData(), { flag: "wx", mode: 0o600 });
      renameSync(temporary, path.join(folder, `${name}.cache`));
    }
    const root = path.dirname(folder);
    for (const other of readdirSync(root)) {
      if (other !== path.basename(folder)) rmSync(path.join(root, other), { recursive: true, force: true });
    }
  } catch {
    // See above.
  }
}
