/** `examples/Containerfile`: its lines, and the program as they start it, as far as that goes without a container. */
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../src/emulator/index.js";
import { AtService } from "../support/emulators.js";
import { Machine } from "../support/program.js";

const root = path.resolve(import.meta.dirname, "../..");
/** Each with its continuations, without comments. */
const instructions = readFileSync(path.join(root, "examples", "Containerfile"), "utf8")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => [line.split(" ")[0] ?? "", line.slice(line.indexOf(" ") + 1)] as const);
const all = (name: string) => instructions.flatMap(([word, rest]) => (word === name ? [rest] : []));
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  readonly name: string;
  readonly engines: { readonly node: string };
  readonly bin: Readonly<Record<string, string>>;
};

test("it begins with a Node that comanda runs on, and takes the package as npm packs it, with nothing fetched", () => {
  const [, major] = /^node:(\d+)-slim$/.exec(all("FROM").join()) ?? [];
  const [, needed] = /^>=(\d+)\./.exec(manifest.engines.node) ?? [];
  expect(Number(major)).toBeGreaterThanOrEqual(Number(needed));
  expect(all("ADD")).toEqual([`${manifest.name}-*.tgz /opt/`]);
  // npm's archives hold one folder of that name.
  expect(all("RUN").join()).toContain(`/opt/package/${manifest.bin["comanda"] ?? ""} `);
  expect(all("RUN").join()).not.toMatch(/npm|npx|apt|apk|curl|wget/);
  expect([all("USER"), all("ENV")]).toEqual([["10001:10001"], ["COMANDA_CONFIG_DIR=/state"]]);
});

const canBeAnother = process.getuid?.() === 0 && !existsSync("/state");

describe.skipIf(!canBeAnother)("as its user, whose root can't be written to", () => {
  const uid = Number(all("USER")[0]?.split(":")[0]);
  const machine = new Machine({ HOME: "/" });
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ orders: 0 });
    // Node can't start in a folder that its user can't enter.
    chownSync(machine.folder, uid, uid);
  });
  afterAll(async () => {
    await emulator.close();
    machine.remove();
  });
  const cancel = async (config: string) => {
    const env = { ...new AtService(emulator).keyEnvironment(), COMANDA_CONFIG_DIR: config };
    return machine.run(["orders", "cancel", "4711", "--json"], { env, uid });
  };

  test("without a volume it sends, and says what it can't keep", async () => {
    const { code, stdout, stderr } = await cancel("/state");
    expect(code).toBe(5);
    expect(stdout).toContain('"outcome":"refused"');
    expect(stderr).toMatch(/Rate limits are counted only for this run\.\n.*not recorded in the journal\./);
    expect(existsSync("/state")).toBe(false);
  });

  test("with a volume it keeps its state there, and nowhere else", async () => {
    const state = path.join(machine.folder, "state");
    mkdirSync(state, { mode: 0o700 });
    chownSync(state, uid, uid);
    const { code, stderr } = await cancel(state);
    expect([code, stderr.includes("warning")]).toEqual([5, false]);
    expect(readdirSync(state)).toContain("comanda.db");
    expect(readdirSync(machine.folder)).toEqual(["state"]);
  });
});
