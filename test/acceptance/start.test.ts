/** The files that are loaded when the program starts, and Node's compile cache. */
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync } from "node:fs";
import { readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { comandaCommand, Machine } from "../support/program.js";

const root = path.resolve(import.meta.dirname, "../..");
const [node] = comandaCommand;

/** A script that prints the program's loaded files. */
const observer = `
process.on("exit", () => {
  for (const file of Object.keys(require.cache))
    if (file.includes("cli")) console.error("loaded " + require("node:path").basename(file));
  if (require("node:module").enableCompileCache) console.error("keeps compiled code");
});`;

let machine: Machine;
/** A copy of the program that tests change. */
let program: string;
beforeEach(() => {
  machine = new Machine();
  program = path.join(machine.folder, "program");
  for (const name of ["bin", "package.json", path.join("dist", "cli")])
    cpSync(path.join(root, name), path.join(program, name), { recursive: true });
  rmSync(cacheOf(program), { recursive: true, force: true });
  chmodSync(path.join(program, "dist", "cli"), 0o755);
  writeFileSync(path.join(machine.folder, "observer.cjs"), observer);
});

const cacheOf = (folder: string) => path.join(folder, "dist", "cli", "compile-cache");

async function run(line: string) {
  const hook = ["--require", path.join(machine.folder, "observer.cjs")];
  const command = [node, ...hook, path.join(program, "bin", "comanda.js"), ...line.split(" ")] as const;
  const { code, stdout, stderr } = await machine.other(command).finished;
  const loaded = stderr.split("\n").flatMap((text) => /^loaded (.*)$/.exec(text)?.[1] ?? []);
  return { code, stdout, loaded, keeps: stderr.includes("keeps compiled code") };
}

test("--version loads no file of the program", async () => {
  const { code, stdout, loaded } = await run("--version");
  expect({ code, loaded }).toEqual({ code: 0, loaded: [] });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each(["status", "orders dispatch --help"])(
  "comanda %s loads nothing that makes calls, draws pages or writes settings",
  async (line) => {
    const { loaded } = await run(line);
    expect(loaded).toContain("main.js");
    expect(loaded.filter((name) => /^(undici|emulator|calendar|report|source)-/.test(name))).toEqual([]);
  },
);

// On Windows, a folder's owner is unknown, so the program has no compile cache.
describe.skipIf(!process.getuid)("the compile cache", () => {
  test("is in a folder that only the user can read, if this Node has one", async () => {
    const { code, keeps } = await run("env list");
    expect({ code, hasCache: existsSync(cacheOf(program)) }).toEqual({ code: 0, hasCache: keeps });
    if (!keeps) return;
    expect(lstatSync(cacheOf(program)).mode & 0o777).toBe(0o700);
    expect(readdirSync(cacheOf(program))).not.toEqual([]);
  });

  test.each<[string, (cache: string, foreign: string) => void]>([
    ["behind a link", (cache, foreign) => symlinkSync(foreign, cache)],
    ["if other users can write to the program's folder", (cache) => chmodSync(path.dirname(cache), 0o777)],
  ])("isn't used %s, and the command succeeds", async (_, prepare) => {
    const foreign = path.join(machine.folder, "foreign");
    mkdirSync(foreign);
    prepare(cacheOf(program), foreign);
    expect((await run("env list")).code).toBe(0);
    expect(readdirSync(foreign)).toEqual([]);
    const hasCache = existsSync(cacheOf(program)) && lstatSync(cacheOf(program)).isDirectory();
    if (hasCache) expect(readdirSync(cacheOf(program))).toEqual([]);
  });
});
