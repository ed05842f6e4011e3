/** Configuration folders that can't be used or trusted: every command exits with 2 and a hint, and changes nothing. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

import { systemClock } from "../../src/base/clock.js";
import { openFolder } from "../../src/state/state.js";
import { session } from "../auth/support/sessions.js";
import { Bench, parseJson } from "../support/bench.js";
import { helpsOfAll } from "../support/help.js";
import { Machine } from "../support/program.js";
import { mountSmallDisk, smallDiskAvailable } from "../support/small-disk.js";

const isRoot = process.getuid?.() === 0;
const unusable = { error: expect.objectContaining({ exit_code: 2, code: "state_unusable" }) as unknown };
const writing =
  "env set x --base-url http://127.0.0.1:1 --auth-url http://127.0.0.1:1/a --client-id x --json";
/** Commands that need no state, create their own, or first need a terminal, an order or a client. */
const others = /^(?:help|completion|openapi|demo|emulator .*|counter|mcp|prefill)$/;
/** The first example of each help. */
const commands = [...(await helpsOfAll())]
  .filter(([name, text]) => name !== "" && !text.includes("\nCommands:\n") && !others.test(name))
  .map(([, text]) => /^ {2}\$ comanda ([^<>|\n]*)/m.exec(text.replaceAll(/ \\\n +/g, " "))?.[1] ?? "");

const bench = await Bench.open();
/** The address and credential of a container. */
const variables = bench.keyEnvironment();

const inHome = (...names: string[]) => path.join(bench.machine.folder, ...names);

function folder(name: string, mode: number): string {
  mkdirSync(inHome(name));
  chmodSync(inHome(name), mode);
  return inHome(name);
}

test("a write exits with code 2 if its folder can't be created in a file", async () => {
  writeFileSync(inHome("file"), "");
  const env = { COMANDA_CONFIG_DIR: inHome("file", "below") };
  const { code, stderr } = await bench.inProcess(writing, { env });
  expect({ code, error: parseJson(stderr) }).toEqual({ code: 2, error: unusable });
  expect(stderr).toContain("below");
});

test("without a home folder, COMANDA_CONFIG_DIR and credentials in variables work", async () => {
  vi.stubEnv("HOME", "");
  expect((await bench.inProcess(writing, { env: { COMANDA_CONFIG_DIR: inHome("own") } })).code).toBe(0);
  const order = `orders dispatch ${await bench.order()} --json`;
  const { code, stderr } = await bench.inProcess(order, { env: { ...variables, COMANDA_CONFIG_DIR: "" } });
  expect(code).toBe(0);
  // A warning says that the rate limit is counted only for this run.
  expect(stderr.match(/only for this run/g)).toHaveLength(1);
});

describe("a folder that other users could change", () => {
  test("makes every command print the chmod command and send nothing if they can write to it", async () => {
    const config = folder("my folder", 0o777);
    // Only comanda's own folder has this file.
    writeFileSync(path.join(config, "comanda.db"), "", { mode: 0o600 });
    const env = { ...variables, COMANDA_CONFIG_DIR: config };
    const before = bench.requests().length;
    expect(commands.length).toBeGreaterThan(20);
    for (const line of commands) {
      const words = (line.match(/"[^"]*"|[^\s"]+/g) ?? []).map((word) => word.replaceAll('"', ""));
      const { code, stdout, stderr } = await bench.inProcess(words, { env });
      const isDoctor = words[0] === "doctor";
      expect(code, line).toBe(isDoctor ? 1 : 2);
      expect(isDoctor ? stdout : stderr, line).toContain("chmod go-w");
    }
    const { stderr } = await bench.inProcess(`orders dispatch ${await bench.order()}`, { env });
    expect(stderr).toContain(`chmod go-w,u+rwX '${config}'`);
    expect(bench.requests()).toHaveLength(before);
    expect(lstatSync(config).mode & 0o777).toBe(0o777);
    expect((await bench.inProcess("orders dispatch --help", { env })).code).toBe(0);
  });

  test.each<[string, () => string]>([
    ["a link", () => linkTo(folder("real", 0o700))],
    ["inside a folder that everyone can write to", () => path.join(folder("volume", 0o777), "config")],
  ])("sends nothing, even with credentials in variables, if it is %s", async (_, make) => {
    const env = { ...variables, COMANDA_CONFIG_DIR: make() };
    const before = bench.requests().length;
    const { code, stderr } = await bench.inProcess(`orders dispatch ${await bench.order()} --json`, { env });
    expect({ code, error: parseJson(stderr) }).toEqual({ code: 2, error: unusable });
    expect(stderr).toContain("COMANDA_CONFIG_DIR");
    expect(bench.requests()).toHaveLength(before);
  });

  function linkTo(real: string): string {
    symlinkSync(real, `${real}-link`);
    return `${real}-link`;
  }
});

describe.skipIf(!isRoot)("the hint about a folder", () => {
  const uid = 54_321;
  const machine = new Machine();
  const place = (...names: string[]) => path.join(machine.folder, ...names);

  function make(owner: number, mode: number, ...names: string[]): string {
    mkdirSync(place(...names), { recursive: true });
    chownSync(place(...names), owner, owner);
    chmodSync(place(...names), mode);
    return place(...names);
  }
  /** Makes a folder look as if comanda had used it. */
  function used(config: string, owner: number): string {
    writeFileSync(path.join(config, "comanda.db"), "", { mode: 0o600 });
    chownSync(path.join(config, "comanda.db"), owner, owner);
    return config;
  }
  beforeAll(() => {
    make(uid, 0o755);
    make(uid, 0o700, "home");
  });

  /** Returns the hint and its commands that change owners or modes. */
  async function hintFor(user: number, config: string) {
    vi.stubEnv("HOME", place("home"));
    const env = { COMANDA_CONFIG_DIR: config, HOME: place("home") };
    const { code, stderr } = await (user === 0
      ? machine.inProcess(writing, { env })
      : machine.run(writing, { env, uid: user }));
    expect({ code, error: parseJson(stderr) }).toEqual({ code: 2, error: unusable });
    const { hint } = (parseJson(stderr) as { readonly error: { readonly hint: string } }).error;
    return { hint, commands: hint.match(/(?:sudo )?(?:chmod|chown) .*/g) ?? [] };
  }

  const sudo = "Run comanda without sudo, as the user who owns the file or folder.";

  test.each<[user: number, what: string, config: () => string, advice?: string]>([
    [uid, "/tmp", () => "/tmp"],
    [uid, "root's folder named comanda outside the user's", () => make(0, 0o755, "system", "comanda")],
    [uid, "another user's folder that comanda uses", () => used(make(12_345, 0o755, "hers"), 12_345)],
    [uid, "their own folder that has other contents", () => make(uid, 0o775, "project")],
    [uid, "their own closed folder", () => path.join(make(uid, 0o500, "closed"), "new")],
    [0, "/sys/comanda", () => "/sys/comanda"],
    [0, "a user's folder that comanda uses", () => used(make(uid, 0o700, "home", "comanda"), uid), sudo],
    [0, "the default folder in a user's home", () => "", sudo],
    [0, "their own folder that has other contents", () => folder("web", 0o775)],
  ])("changes nothing that isn't comanda's: user %i, %s", async (user, _, config, advice = "") => {
    const { hint, commands: changing } = await hintFor(user, config());
    expect(changing).toEqual([]);
    expect(hint).toContain(advice);
    expect(hint).toContain("To use another folder, set COMANDA_CONFIG_DIR.");
  });

  test.skipIf(!smallDiskAvailable).each([
    ["a volume of root's", ""],
    ["a folder in one", "config"],
  ])("says what to run in a container's image for %s", async (_, name) => {
    const volume = mountSmallDisk(128);
    onTestFinished(() => volume.remove());
    chmodSync(volume.folder, 0o755);
    const config = path.join(volume.folder, name);
    const { hint } = await hintFor(uid, config);
    const [, command = ""] = /as root in the image: (.*)/.exec(hint) ?? [];
    execFileSync("sh", ["-c", command]);
    const env = { COMANDA_CONFIG_DIR: config, HOME: place("home") };
    expect(await machine.run(writing, { env, uid })).toMatchObject({ code: 0 });
  });

  test.each<[user: number, what: string, command: string, config: () => string]>([
    [uid, "that others can change", "chmod go-w,u+rwX", () => make(uid, 0o777, "home", ".config", "comanda")],
    [uid, "that root created in theirs", `sudo chown ${uid}`, () => make(0, 0o700, "home", "a", "comanda")],
    [0, "that others can change", "chmod go-w,u+rwX", () => used(folder("used", 0o777), 0)],
  ])("has one command for comanda's own folder: user %i, %s", async (user, _, command, config) => {
    make(uid, 0o700, "home", ".config");
    make(uid, 0o700, "home", "a");
    const own = config();
    const { commands: changing } = await hintFor(user, own);
    expect(changing).toEqual([`${command} ${own}`]);
  });
});

test("links to another user's files in the configuration folder are neither read nor written", async () => {
  const owner = openFolder({ folder: inHome("foreign"), clock: systemClock });
  await owner.sessions.update("centro", () => Promise.resolve(session("centro")));
  await owner.settings.update((current) => ({ ...current, default_store: "centro" }));
  await owner.database("sales");
  const linked = folder("linked", 0o700);
  for (const name of readdirSync(owner.path))
    symlinkSync(path.join(owner.path, name), path.join(linked, name));
  chmodSync(bench.machine.folder, 0o755);
  bench.forgetRequests();
  /** Returns every entry, with everything that a write would change. */
  const entries = () =>
    readdirSync(owner.path, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) => {
      const { mode, mtimeMs, size } = lstatSync(path.join(parentPath, name));
      return { name, mode, mtimeMs, size };
    });
  const before = entries();
  for (const line of [
    ...["env list", writing, "stores list", "stores remove centro", "status", "orders dispatch 8"],
    ...["driver list", "history", "summary", "sync", "login --api-key --store centro --env test"],
  ]) {
    const env = { COMANDA_CONFIG_DIR: linked };
    expect((await bench.inProcess(line, { env, input: "key" })).code, line).toBe(2);
  }
  expect(entries()).toEqual(before);
  expect(bench.requests()).toEqual([]);
});
