/** The compiled code beside the program, the build's or a first run's, makes calls faster, and is never needed. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { snapshot } from "../support/folder-state.js";
import { rowsInSearch } from "../support/in-search.js";
import { Machine, scriptCommand } from "../support/program.js";

const root = path.resolve(import.meta.dirname, "../..");
const [node] = scriptCommand;
const its = execFileSync(node, ["-p", "[process.version, process.platform, process.arch].join('-')"], {
  encoding: "utf8",
}).trim();
const cacheIn = (program: string) => path.join(program, "dist", "cli", "code-cache", its);
const madeForThisNode = existsSync(cacheIn(root));
/** Says of each file with a cache whether V8 has taken it. */
const observer = `
const vm = require("node:vm");
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    if (options.cachedData) console.error(options.filename, this.cachedDataRejected ? "refused" : "taken");
  }
};`;

let machine: Machine;
/** A copy of the program that a test may damage. */
let program: string;
beforeEach(() => {
  machine = new Machine();
  program = path.join(machine.folder, "program");
  for (const name of ["bin", path.join("dist", "cli")])
    cpSync(path.join(root, name), path.join(program, name), { recursive: true });
  // What other tests left behind, which ran the build on a Node that it holds no code for.
  rmSync(path.join(program, "dist", "cli", "compile-cache"), { recursive: true, force: true });
  // Where Node 20 looks for SQLite.
  symlinkSync(path.join(root, "node_modules"), path.join(machine.folder, "node_modules"));
  writeFileSync(path.join(program, "package.json"), readFileSync(path.join(root, "package.json")));
  writeFileSync(path.join(machine.folder, "observer.cjs"), observer);
});
afterEach(() => {
  machine.remove();
});

const caches = () => readdirSync(cacheIn(program)).map((name) => path.join(cacheIn(program), name));

async function run(...args: string[]) {
  return runWith([], ...args);
}

/** @param flags for Node */
async function runWith(flags: readonly string[], ...args: string[]) {
  const hook = ["--require", path.join(machine.folder, "observer.cjs")];
  const command = [...flags, ...hook, path.join(program, "bin", "comanda.js"), ...args];
  const { code, signal, stdout, stderr } = await machine.other([node, ...command]).finished;
  return {
    code,
    signal,
    stdout,
    cached: stderr.split("\n").filter((line) => / (taken|refused)$/.test(line)),
  };
}

test("is left alone by what runs, and nothing like it comes into the user's folders", async () => {
  if (!madeForThisNode) rmSync(path.dirname(cacheIn(program)), { recursive: true, force: true });
  chmodSync(path.join(program, "dist", "cli"), madeForThisNode ? 0o755 : 0o775);
  const before = snapshot(program);
  for (const line of ["env list", "stores list --json", "openapi"]) await run(...line.split(" "));
  const set = "env set x --base-url http://127.0.0.1:1 --auth-url http://127.0.0.1:1/a --client-id x";
  expect((await run(...set.split(" "), "--redirect-uri", "http://127.0.0.1:8765/callback")).code).toBe(0);
  expect(Object.keys(snapshot(machine.configFolder))).toEqual(["locks/settings.lock", "settings.json"]);
  expect(snapshot(program)).toEqual(before);
});

test("is missed by nobody", async () => {
  const expected = await run("env", "list");
  const folder = path.dirname(cacheIn(program));
  for (const made of readdirSync(folder))
    renameSync(path.join(folder, made), path.join(folder, "v0.0.0-none-none"));
  // Where the build is another Node's, the first run has kept code.
  rmSync(path.join(program, "dist", "cli", "compile-cache"), { recursive: true, force: true });
  expect(await run("env", "list")).toEqual({ ...expected, cached: [] });
});

describe.skipIf(!madeForThisNode)("made by the Node that runs (else the build was another's)", () => {
  test("is taken whole by ordinary commands", async () => {
    for (const line of ["stores list", "env list --json"]) {
      const { code, cached } = await run(...line.split(" "));
      expect(code).toBe(0);
      expect(cached).toContain("base.js taken");
      expect(cached.filter((each) => !each.endsWith(" taken"))).toEqual([]);
    }
  });

  test("is not taken, and not in the way, where V8 runs with other flags", async () => {
    const { code, cached } = await runWith(["--stack-size=900"], "env", "list", "--json");
    expect(code).toBe(0);
    expect(cached).toContain("base.js refused");
  });

  test("names no folder of the machine that made it", () => {
    for (const file of caches()) expect(readFileSync(file).includes(root)).toBe(false);
  });

  /** What a run without a cache says. */
  let expected: Awaited<ReturnType<typeof run>> | undefined;

  test.each<[string, (cache: Buffer) => Uint8Array]>([
    ["by one bit in the code", (cache) => flipped(cache, cache.length - 1000)],
    ["to its first half", (cache) => cache.subarray(0, Math.floor(cache.length / 2))],
    ["to nothing", () => Buffer.alloc(0)],
    ...rowsInSearch<[string, (cache: Buffer) => Uint8Array]>([
      ["by one bit in the middle", (cache) => flipped(cache, Math.floor(cache.length / 2))],
      ["by 16 random bytes in the code", (cache) => withNoise(cache)],
      ["by a missing byte", (cache) => cache.subarray(0, -1)],
      ["to zeros", (cache) => Buffer.alloc(cache.length)],
      ["to zeros from the middle on", (cache) => Buffer.from(cache).fill(0, Math.floor(cache.length / 2))],
    ]),
  ])("is not taken where it is damaged: %s", async (_, damaged) => {
    expected ??= await run("env", "list");
    for (const file of caches()) writeFileSync(file, damaged(readFileSync(file)));
    expect(await run("env", "list")).toEqual({ ...expected, cached: [] });
  });

  test("is not taken for a source that was changed, though it is as long as before", async () => {
    const file = path.join(program, "dist", "cli", "base.js");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("Made by .config", "Made by .CONFIG"));
    const { code, cached } = await run("env", "list");
    expect(code).toBe(0);
    expect(cached.filter((each) => each.startsWith("base.js"))).toEqual([]);
  });
});

// On Windows no run keeps code.
describe.skipIf(!process.getuid)("kept by the first run, where the build's is left out", () => {
  const programFolder = () => path.join(program, "dist", "cli");
  const folder = () => path.join(programFolder(), "compile-cache");
  const ownCache = () => path.join(folder(), its);
  const files = () => readdirSync(ownCache()).map((name) => path.join(ownCache(), name));
  const allTaken = () => files().map((file) => `${path.basename(file, ".cache")} taken`);

  beforeEach(() => {
    rmSync(path.dirname(cacheIn(program)), { recursive: true, force: true });
    chmodSync(programFolder(), 0o755);
  });

  test("is read by the next run, and written once", async () => {
    const first = await run("env", "list");
    expect(first).toMatchObject({ code: 0, cached: [] });
    for (const each of [folder(), ownCache()]) expect(lstatSync(each).mode & 0o777).toBe(0o755);
    const before = snapshot(folder());
    const second = await run("env", "list");
    expect({ ...second, cached: second.cached.toSorted() }).toEqual({ ...first, cached: allTaken() });
    expect(snapshot(folder())).toEqual(before);
  });

  test("grows by the files that another command loads", async () => {
    await run("env", "list");
    const before = files();
    await run("stores", "list");
    expect(files().length).toBeGreaterThan(before.length);
    expect(files()).toEqual(expect.arrayContaining(before));
  });

  test("is not taken where it is damaged, and mended by that run", async () => {
    const first = await run("env", "list");
    for (const file of files()) {
      const code = readFileSync(file);
      writeFileSync(file, flipped(code, Math.floor(code.length / 2)));
    }
    expect(await run("env", "list")).toEqual(first);
    expect((await run("env", "list")).cached.toSorted()).toEqual(allTaken());
  });

  test("is not made where others can write beside the program", async () => {
    chmodSync(programFolder(), 0o775);
    expect((await run("env", "list")).code).toBe(0);
    expect(existsSync(folder())).toBe(false);
  });

  test("is not read where others could have written it", async () => {
    const first = await run("env", "list");
    chmodSync(ownCache(), 0o777);
    expect(await run("env", "list")).toEqual(first);
  });

  test("is not made in a folder that a link leads to", async () => {
    const foreign = path.join(machine.folder, "foreign");
    mkdirSync(foreign);
    symlinkSync(foreign, folder());
    expect((await run("env", "list")).code).toBe(0);
    expect(readdirSync(foreign)).toEqual([]);
  });

  test("follows no link in place of a file", async () => {
    const first = await run("env", "list");
    const foreign = path.join(machine.folder, "foreign.txt");
    writeFileSync(foreign, "of somebody");
    const [file = ""] = files();
    rmSync(file);
    symlinkSync(foreign, file);
    expect(await run("env", "list")).toMatchObject({ code: first.code, stdout: first.stdout });
    expect(readFileSync(foreign, "utf8")).toBe("of somebody");
  });

  test("doesn't keep a command from its work where the folder can't be made", async () => {
    writeFileSync(folder(), "");
    expect((await run("env", "list")).code).toBe(0);
  });
});

function flipped(cache: Buffer, position: number): Buffer {
  const copy = Buffer.from(cache);
  copy.writeUInt8(copy.readUInt8(position) ^ 1, position);
  return copy;
}

function withNoise(cache: Buffer): Buffer {
  const copy = Buffer.from(cache);
  for (let index = 0; index < 16; index += 1) {
    const position = copy.length - 1 - Math.floor(Math.random() * (copy.length / 4));
    copy.writeUInt8(Math.floor(Math.random() * 256), position);
  }
  return copy;
}
