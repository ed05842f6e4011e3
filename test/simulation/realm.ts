/**
 * The program, bundled once, and the realms that simulated processes run it in. Each realm has its own queue of what is
 * awaited: to drain it runs one process until it waits for something, also while another one stands still in a call.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, Script } from "node:vm";

import { build, type Plugin } from "esbuild";

import { bundling } from "../support/bundling.js";
import type { Guest } from "./guest.js";

/** A fault that is put into the program: what stands in a file of it, and what takes its place. */
export interface Mutation {
  /** Below `src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** What no simulated process calls: the network, figures' pages, the emulator, and what conf loads for others. */
const leftOut =
  /^(undici|open|ajv|ajv-formats|semver|debounce-fn|when-exit)(\/|$)|\/(emulator|openapi|sales)\/|undici-transport\.js$|@inquirer/;

/** Packages that write files by themselves. */
const writers = /\/node_modules\/(conf|atomically|stubborn-fs)\//;

const entry = fileURLToPath(new URL("guest.ts", import.meta.url));
const source = fileURLToPath(new URL("../../src/", import.meta.url));

/** @throws {Error} where a mutation doesn't fit: the code has changed since */
export async function loadProgram(mutations: readonly Mutation[] = []): Promise<() => Realm> {
  const script = await (mutations.length === 0 ? (sound ??= compile([])) : compile(mutations));
  return () => new Realm(script);
}

/** The program as it is, for all test files of this process. */
let sound: Promise<Script> | undefined;

async function compile(mutations: readonly Mutation[]): Promise<Script> {
  const code = await bundle(entry, mutations);
  return new Script(`(function (exports, require, module) { ${code}\n});`, { filename: "program.js" });
}

/** The code of a file and of all that it imports, as one CommonJS script. */
export async function bundle(file: string, mutations: readonly Mutation[]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: "node",
    target: "node20.18",
    format: "cjs",
    logLevel: "error",
    ...bundling,
    define: { ...bundling.define, __VERSION__: '"0.0.0"' },
    plugins: [without(leftOut), overSimulatedFiles, mutated(mutations)],
  });
  return outputFiles[0]?.text ?? "";
}

/** The user of those packages. */
const simulatedUser = "export default { env: {}, platform: 'linux', getuid: id, geteuid: id, getegid: id };";

const overSimulatedFiles: Plugin = {
  name: "over-simulated-files",
  setup(bundler) {
    bundler.onResolve({ filter: /^node:(fs|process)$/ }, ({ path: name, importer }) => {
      if (!writers.test(importer)) return undefined;
      if (name === "node:fs") return { path: fileURLToPath(new URL("simulated-fs.ts", import.meta.url)) };
      return { path: name, namespace: "simulated-user" };
    });
    bundler.onResolve({ filter: /\/redirect-listener\.js$/ }, () => ({
      path: fileURLToPath(new URL("simulated-owner.ts", import.meta.url)),
    }));
    bundler.onLoad({ filter: /.*/, namespace: "simulated-user" }, () => ({
      contents: `const id = () => 1000; ${simulatedUser}`,
    }));
  },
};

function without(names: RegExp): Plugin {
  return {
    name: "without",
    setup(bundler) {
      bundler.onResolve({ filter: names }, ({ path: name }) => ({ path: name, namespace: "left-out" }));
      bundler.onLoad({ filter: /.*/, namespace: "left-out" }, () => ({
        contents: "module.exports = () => undefined;",
      }));
    },
  };
}

function mutated(mutations: readonly Mutation[]): Plugin {
  return {
    name: "mutated",
    setup(bundler) {
      for (const file of new Set(mutations.map((mutation) => path.join(source, mutation.file)))) {
        bundler.onLoad({ filter: new RegExp(`${file.replaceAll(/[.\\]/g, "\\$&")}$`) }, () => {
          let contents = readFileSync(file, "utf8");
          for (const { from, to } of mutations.filter((each) => path.join(source, each.file) === file)) {
            if (!contents.includes(from)) throw new Error(`${file} has no longer: ${from}`);
            contents = contents.replace(from, to);
          }
          return { contents, loader: "ts" };
        });
      }
    },
  };
}

/** What the program uses of Node's globals and no simulation needs to play. */
const globals = {
  ...{ AbortController, AbortSignal, Buffer, DOMException, Event, EventTarget, Headers },
  ...{ TextDecoder, TextEncoder, atob, btoa, URL, URLSearchParams, structuredClone, console },
  sha256: (data: Uint8Array) => new Uint8Array(createHash("sha256").update(data).digest()),
  process: { env: {}, platform: "linux", version: process.version, versions: process.versions, argv: [] },
};

/** The real ones answer, and read their bodies, by way of Node's own event loop, which no simulated process waits for. */
const prelude = new Script(`
  Error.stackTraceLimit = 0;
  globalThis.crypto = { subtle: { digest: async (_, data) => sha256(data) } };
  globalThis.queueMicrotask = (work) => void Promise.resolve().then(work);
  globalThis.Response = class Response {
    #body;
    bodyUsed = false;
    constructor(body, { status, headers }) {
      this.#body = body ?? "";
      this.status = status;
      this.headers = new Headers(headers);
    }
    async text() { this.bodyUsed = true; return this.#body; }
    async json() { return JSON.parse(await this.text()); }
    get [Symbol.toStringTag]() { return "Response"; }
  };
`);
const nothing = new Script("0");
const require = createRequire(import.meta.url);

/** Where one process runs at a time. */
export class Realm {
  readonly guest: Guest;
  /** The process's, as `setImmediate`. */
  soon: (work: () => void) => void = () => undefined;
  readonly #context: object;

  constructor(program: Script) {
    const soon = (work: () => void) => {
      this.soon(work);
    };
    this.#context = createContext({ ...globals, setImmediate: soon }, { microtaskMode: "afterEvaluate" });
    prelude.runInContext(this.#context);
    const module = { exports: {} as { guest: Guest } };
    const run = program.runInContext(this.#context) as (...given: unknown[]) => void;
    run(module.exports, require, module);
    this.guest = module.exports.guest;
  }

  /** Runs what is awaited and has come, until nothing is left of that. */
  drain(): void {
    nothing.runInContext(this.#context);
  }
}

/** Realms that no process runs in are used again: to load the program takes longer than most worlds. */
export class Realms {
  readonly #free: Realm[] = [];

  constructor(readonly make: () => Realm) {}

  take(): Realm {
    return this.#free.pop() ?? this.make();
  }

  giveBack(realm: Realm): void {
    if (!this.#free.includes(realm)) this.#free.push(realm);
  }
}
