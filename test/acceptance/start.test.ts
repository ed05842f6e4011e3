/** What is loaded when the program starts, and the compiled code that Node keeps beside it, which nothing depends on. */
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync } from "node:fs";
import { readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { comandaCommand, Machine } from "../support/program.js";

const root = path.resolve(import.meta.dirname, "../..");
const [node] = comandaCommand;

/** Names the files of the program that were loaded. */
const observer = `
process.on("exit", () => {
  for (const file of Object.keys(require.cache))
    if (file.includes("cli")) console.error("loaded " + require("node:path").basename(file));
  if (require("node:module").enableCompileCache) console.error("keeps compiled code");
});`;

let machine: Machine;
/** A copy of the program that a test may damage. */
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
afterEach(() => {
  machine.remove();
});

const cacheOf = (folder: string) => path.join(folder, "dist", "cli", "compile-cache");

async function run(line: string) {
  const hook = ["--require", path.join(machine.folder, "observer.cjs")];
  const command = [node, ...hook, path.join(program, "bin", "comanda.js"), ...line.split(" ")] as const;
  const { code, stdout, stderr } = await machine.other(command).finished;
  const loaded = stderr.split("\n").flatMap((text) => /^loaded (.*)$/.exec(text)?.[1] ?? []);
  return { code, stdout, loaded, keeps: stderr.includes("keeps compiled code") };
}

test("--version loads nothing of the program", async () => {
  const { code, stdout, loaded } = await run("--version");
  expect([code, stdout, loaded]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/), []]);
});

test.each(["status", "orders dispatch --help"])(
  "comanda %s loads nothing that makes calls, draws pages or writes settings",
  async (line) => {
    const { loaded } = await run(line);
    expect(loaded).toContain("main.js");
    expect(loaded.filter((name) => /^(undici|emulator|calendar|report|source)-/.test(name))).toEqual([]);
  },
);

// On Windows nothing tells whose a folder is, so no code is kept there.
describe.skipIf(!process.getuid)("the compiled code", () => {
  test("lies in a folder that is the user's alone, where this Node keeps any", async () => {
    const { code, keeps } = await run("env list");
    expect([code, existsSync(cacheOf(program))]).toEqual([0, keeps]);
    if (!keeps) return;
    expect(lstatSync(cacheOf(program)).mode & 0o777).toBe(0o700);
    expect(readdirSync(cacheOf(program))).not.toEqual([]);
  });

  test.each<[string, (cache: string, foreign: string) => void]>([
    ["that a link leads to", (cache, foreign) => symlinkSync(foreign, cache)],
    ["where others can write beside the program", (cache) => chmodSync(path.dirname(cache), 0o777)],
  ])("is not kept in a place %s, and the command does its work", async (_, prepare) => {
    const foreign = path.join(machine.folder, "foreign");
    mkdirSync(foreign);
    prepare(cacheOf(program), foreign);
    expect((await run("env list")).code).toBe(0);
    const kept = existsSync(cacheOf(program)) && lstatSync(cacheOf(program)).isDirectory();
    expect([readdirSync(foreign), kept ? readdirSync(cacheOf(program)) : []]).toEqual([[], []]);
  });
});
