/** Folders that can't be used, or not be trusted: every command ends with 2 at once, says what to type, and touches nothing. */
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/clock.js";
import { openFolder, type State } from "../../src/state/state.js";
import { session } from "../state/support/sessions.js";
import { Bench } from "../support/bench.js";
import { helpsOfAll } from "../support/help.js";
import { parseJson } from "../support/json.js";

const isRoot = process.getuid?.() === 0;
const unusable = { error: expect.objectContaining({ exit_code: 2, code: "state_unusable" }) as unknown };
const writing =
  "env set x --base-url http://127.0.0.1:1 --auth-url http://127.0.0.1:1/a --client-id x --json";
/** These need nothing that is kept, make a machine of their own, or want a terminal or an order first. */
const others = /^(?:help|completion|openapi|demo|emulator .*|counter|prefill)$/;
/** The first example of each help. */
const commands = [...(await helpsOfAll())]
  .filter(([name, text]) => name !== "" && !text.includes("\nCommands:\n") && !others.test(name))
  .map(([, text]) => /^ {2}\$ comanda ([^<>|\n]*)/m.exec(text.replaceAll(/ \\\n +/g, " "))?.[1] ?? "");

const bench = await Bench.open();
afterAll(() => bench.close());
/** Address and credential, as a container has them. */
const variables = bench.keyEnvironment();

const inHome = (...names: string[]) => path.join(bench.machine.folder, ...names);

function folder(name: string, mode: number): string {
  mkdirSync(inHome(name));
  chmodSync(inHome(name), mode);
  return inHome(name);
}

describe("a folder that can't be made ends a write with 2", () => {
  test.each([
    ["below a file system of the kernel's", "/proc/x/y"],
    ["below a file", "file/below"],
  ])("%s", async (_, place) => {
    writeFileSync(inHome("file"), "");
    const config = path.resolve(bench.machine.folder, place);
    const { code, stderr } = await bench.inProcess(writing, { env: { COMANDA_CONFIG_DIR: config } });
    expect([code, parseJson(stderr)]).toEqual([2, unusable]);
    expect(stderr).toContain(place.split("/")[1] ?? place);
  });
});

test("without a home, settings in a folder of one's own and orders by variables are as elsewhere", async () => {
  const env = { COMANDA_CONFIG_DIR: "", HOME: "" };
  const own = { ...env, COMANDA_CONFIG_DIR: inHome("own") };
  expect((await bench.comanda(writing, { env: own })).code).toBe(0);
  const order = `orders dispatch ${await bench.order()} --json`;
  const { code, stderr } = await bench.comanda(order, { env: { ...env, ...variables } });
  // The count of requests is this run's own, which is said.
  expect([code, stderr.match(/only for this run/g)]).toEqual([0, ["only for this run"]]);
});

describe("a folder that others could change things in", () => {
  test("one's own that they can write to: every command says which chmod to type, and nothing is sent", async () => {
    const config = folder("my folder", 0o777);
    const env = { ...variables, COMANDA_CONFIG_DIR: config };
    const before = bench.requests().length;
    expect(commands.length).toBeGreaterThan(20);
    // The server of an assistant starts, and its tools return this error.
    for (const line of commands.filter((name) => name !== "mcp")) {
      const words = (line.match(/"[^"]*"|[^\s"]+/g) ?? []).map((word) => word.replaceAll('"', ""));
      const { code, stdout, stderr } = await bench.inProcess(words, { env });
      const told = words[0] === "doctor" ? [1, stdout] : [2, stderr];
      expect([words, code, told[1]]).toEqual([words, told[0], expect.stringContaining("chmod 700")]);
    }
    const { code, stderr } = await bench.comanda(`orders dispatch ${await bench.order()}`, { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`chmod 700 '${config}'`)]);
    expect(bench.requests()).toHaveLength(before);
    expect(lstatSync(config).mode & 0o777).toBe(0o777);
    expect((await bench.inProcess("orders dispatch --help", { env })).code).toBe(0);
  });

  test.each<[string, () => string, string]>([
    ["a link", () => linkTo(folder("real", 0o700)), "COMANDA_CONFIG_DIR"],
    ["one below a folder for all", () => path.join(folder("volume", 0o777), "config"), "chmod o-w"],
    ["another user's", () => give(folder("other", 0o700)), "chown 0"],
  ])("%s: nothing is sent, wherever the credentials come from", async (what, make, hint) => {
    // To give folders away needs root.
    if (what === "another user's" && !isRoot) return;
    const env = { ...variables, COMANDA_CONFIG_DIR: make() };
    const before = bench.requests().length;
    const { code, stderr } = await bench.inProcess(`orders dispatch ${await bench.order()} --json`, { env });
    expect([code, parseJson(stderr)]).toEqual([2, unusable]);
    expect(stderr).toContain(hint);
    expect(bench.requests()).toHaveLength(before);
  });

  function linkTo(real: string): string {
    symlinkSync(real, `${real}-link`);
    return `${real}-link`;
  }

  function give(own: string): string {
    chownSync(own, 12_345, 12_345);
    return own;
  }
});

describe("links to another user's files in the place of one's own", () => {
  /** Each part of the configuration folder is a link to one that would do. */
  let [linked, owner]: [string, State | undefined] = ["", undefined];
  beforeAll(async () => {
    owner = openFolder({ folder: inHome("foreign"), clock: systemClock });
    await owner.sessions.update("centro", () => Promise.resolve(session("centro")));
    await owner.settings.update((current) => ({ ...current, default_store: "centro" }));
    await owner.database("sales");
    linked = folder("linked", 0o700);
    for (const name of readdirSync(owner.path))
      symlinkSync(path.join(owner.path, name), path.join(linked, name));
    chmodSync(bench.machine.folder, 0o755);
    bench.forgetRequests();
  });

  /** Every entry, with what a write would change. */
  const witness = () =>
    readdirSync(owner?.path ?? "", { recursive: true, withFileTypes: true }).map(({ parentPath, name }) => {
      const { mode, mtimeMs, size } = lstatSync(path.join(parentPath, name));
      return [name, mode, mtimeMs, size];
    });

  test("are neither read nor written through: exit 2", async () => {
    const before = witness();
    for (const line of [
      ...["env list", writing, "stores list", "stores remove centro", "status", "orders dispatch 8"],
      ...["driver list", "history", "summary", "sync", "login --api-key --store centro --env test"],
    ]) {
      const env = { COMANDA_CONFIG_DIR: linked };
      expect([line, (await bench.inProcess(line, { env, input: "key" })).code]).toEqual([line, 2]);
    }
    expect(witness()).toEqual(before);
    expect(bench.requests()).toEqual([]);
  });
});
