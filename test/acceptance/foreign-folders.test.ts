/** Whatever lies in the place of comanda's folders, no command touches what comanda did not make. */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { helpsOfAll } from "../support/help.js";
import { snapshot } from "../support/folder-state.js";
import type { Ended } from "../support/in-process.js";
import type { Finished } from "../support/program.js";

/** Each with the first example of its help. */
const commands = [...(await helpsOfAll())]
  .filter(([name, text]) => name !== "" && !text.includes("\nCommands:\n"))
  .map(([name, text]) => [name, /^ {2}\$ (comanda .*)$/m.exec(text)?.[1] ?? ""] as const);
/** These don't end by themselves, or not soon: they are stopped when they have said something. */
const lasting = ["login", "demo", "emulator start"];
/** They start other programs or wait for somebody; all others are run in this process too. */
const needsProcess = [...lasting, "emulator exec"];
/** One for each thing that is kept: the settings read and written, sessions, the count of requests with its locks, figures. */
const kinds = ["env list", "env set", "stores remove", "orders dispatch", "summary"];

const users: readonly { who: string; uid: number | undefined; names: readonly string[] }[] = [
  { who: "as the user of the tests", uid: undefined, names: ["login"] },
  { who: "as another user than root", uid: 65_534, names: [...kinds, "emulator exec"] },
];
const isRoot = process.getuid?.() === 0;

let bench: Bench;
/** A configuration folder with a store signed in. */
let signedIn: string;
/** Of one test. */
let [home, config, foreign] = ["", "", ""];

beforeAll(async () => {
  bench = await Bench.open({ rateLimits: false });
  await bench.signIn();
  await bench.inProcess("orders dispatch 7");
  await bench.inProcess("summary --period last-month");
  signedIn = path.join(bench.machine.folder, "signed-in");
  cpSync(bench.machine.configFolder, signedIn, { recursive: true });
  chmodSync(bench.machine.folder, 0o755);
});
afterAll(() => bench.close());

beforeEach(() => {
  home = mkdtempSync(path.join(bench.machine.folder, "home-"));
  config = path.join(home, "config");
  foreign = path.join(home, "foreign");
  mkdirSync(config, { mode: 0o700 });
  mkdirSync(path.join(foreign, "v20.0.0"), { recursive: true });
  // What a sweep of comanda's own folders would take for its own.
  for (const name of [
    "photo.jpg",
    path.join("v20.0.0", "base.js.cache"),
    "base.js.cache",
    "s-centro.json",
    "settings.json",
    `summary-${"0".repeat(32)}.json`,
    `.x.json.00000000.1.${"0".repeat(16)}.tmp`,
    `settings.lock.${"0".repeat(16)}.claim`,
  ]) {
    const file = path.join(foreign, name);
    writeFileSync(file, "foreign", { mode: 0o600 });
    utimesSync(file, 1, 1);
  }
});

const namesInFolder = () => readdirSync(signedIn);

/** Every entry, with what a write would change. */
function witness(folder: string): unknown {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const stats = [".", ...entries].map((name) => {
    const { mode, uid, ino, mtimeMs } = lstatSync(path.join(folder, name));
    return [name, mode, uid, ino, mtimeMs];
  });
  return [stats, snapshot(folder)];
}

const folders = () => ({ COMANDA_CONFIG_DIR: config, HOME: home, TMPDIR: home });

async function start(name: string, line: string, uid: number | undefined): Promise<Finished> {
  if (uid !== undefined) execFileSync("chown", ["-hR", String(uid), home]);
  const options = { env: folders(), ...(uid !== undefined && { uid }) };
  if (!lasting.includes(name)) return bench.machine.shell(`cd "$HOME"\n${line}`, options);
  const running = bench.machine.start(line.split(" ").slice(1), options);
  const said = Promise.any([running.lineOn("stdout", /./), running.lineOn("stderr", /./)]);
  await said.catch(() => undefined);
  running.child.kill("SIGTERM");
  return running.finished;
}

/** Where it writes a file of its own accord, that is below the home. */
async function runHere(line: string): Promise<Ended> {
  const words = line.replace(/ > .*/, "").match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  const args = words.slice(1).map((word) => word.replaceAll('"', ""));
  const before = process.cwd();
  process.chdir(home);
  try {
    // A report takes more calls than a minute allows.
    const limits = args[0] === "report" ? { COMANDA_RATE_LIMITS: "off" } : {};
    return await bench.inProcess(args, { env: { ...folders(), ...limits } });
  } finally {
    process.chdir(before);
  }
}

/** A folder that a store is signed in in, but `code-cache` is a link to what is somebody else's. */
function linkCodeCache(): void {
  rmSync(config, { recursive: true });
  cpSync(signedIn, config, { recursive: true });
  rmSync(path.join(config, "code-cache"), { recursive: true, force: true });
  symlinkSync(foreign, path.join(config, "code-cache"));
}

/** All that comanda knows by name is a link to what is somebody else's. */
function linkAllNames(): void {
  for (const each of [...namesInFolder(), "code-cache", "cache", "comanda.db", "locks"]) {
    rmSync(path.join(config, each), { recursive: true, force: true });
    const target = each.endsWith(".json") ? path.join(foreign, "settings.json") : foreign;
    symlinkSync(target, path.join(config, each));
  }
}

/** @param run the command line; the links have been made */
async function expectUntouched(
  link: () => void,
  uid: number | undefined,
  run: () => Promise<Ended | Finished>,
): Promise<Ended | Finished> {
  link();
  if (uid !== undefined) execFileSync("chown", ["-hR", String(uid), home]);
  const before = witness(foreign);
  const ended = await run();
  expect(witness(foreign)).toEqual(before);
  return ended;
}

test("every command has an example", () => {
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.filter(([, line]) => line === "")).toEqual([]);
});

describe("in the tests' own process", () => {
  test.each(commands.filter(([name]) => !needsProcess.includes(name)))(
    "%s leaves what is behind links as it is",
    async (name, line) => {
      await expectUntouched(linkCodeCache, undefined, () => runHere(line));
      rmSync(config, { recursive: true });
      mkdirSync(config, { mode: 0o700 });
      const { code, stderr } = await expectUntouched(linkAllNames, undefined, () => runHere(line));
      expect(stderr).not.toContain("fault");
      // The doctor has found what is wrong.
      if (name !== "doctor") expect(code).not.toBe(1);
    },
  );
});

describe.each(users)("a process, $who", ({ uid, names }) => {
  describe.skipIf(uid !== undefined && !isRoot)("(root alone can run as another)", () => {
    // What starts a command is the same for all of them.
    test.each(commands.filter(([name]) => name === "orders dispatch"))(
      "%s leaves the folder behind a link called code-cache as it is",
      async (name, line) => {
        await expectUntouched(linkCodeCache, uid, () => start(name, line, uid));
      },
    );

    test.each(commands.filter(([name]) => names.includes(name)))(
      "%s leaves what is behind links of all names as it is",
      async (name, line) => {
        const { code, stderr } = await expectUntouched(linkAllNames, uid, () => start(name, line, uid));
        expect(stderr).not.toContain("fault");
        expect(code).not.toBe(1);
      },
    );
  });
});
