/** `examples/Containerfile`: its lines, and the program as its user, without a container. */
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { startEmulator } from "../../src/emulator/index.js";
import { AtService } from "../support/emulators.js";
import { Machine } from "../support/program.js";
import { closing } from "../support/cleanup.js";

const root = path.resolve(import.meta.dirname, "../..");
/** The instructions, with continued lines joined and without comments. */
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

test("the Containerfile uses a supported Node and npm's package, and downloads nothing", () => {
  const [, major] = /^node:(\d+)-slim$/.exec(all("FROM").join()) ?? [];
  const [, needed] = /^>=(\d+)\./.exec(manifest.engines.node) ?? [];
  expect(Number(major)).toBeGreaterThanOrEqual(Number(needed));
  expect(all("ADD")).toEqual([`${manifest.name}-*.tgz /opt/`]);
  // npm's archives contain one folder with this name.
  expect(all("RUN").join()).toContain(`/opt/package/${manifest.bin["comanda"] ?? ""} `);
  expect(all("RUN").join()).not.toMatch(/npm|npx|apt|apk|curl|wget/);
  expect(all("USER")).toEqual(["10001:10001"]);
  expect(all("ENV")).toEqual(["COMANDA_CONFIG_DIR=/state"]);
});

const canBeAnother = process.getuid?.() === 0 && !existsSync("/state");

describe.skipIf(!canBeAnother)("the container's user, who can't write to /", async () => {
  const uid = Number(all("USER")[0]?.split(":")[0]);
  const machine = new Machine({ HOME: "/" });
  const emulator = closing(await startEmulator({ orders: 0 }));
  // Node can only start in a folder that its user can enter.
  if (canBeAnother) chownSync(machine.folder, uid, uid);
  const cancel = async (config: string) => {
    const env = { ...new AtService(emulator).keyEnvironment(), COMANDA_CONFIG_DIR: config };
    return machine.run(["orders", "cancel", "4711", "--json"], { env, uid });
  };

  test("can send without a volume, with a warning about what isn't stored", async () => {
    const { code, stdout, stderr } = await cancel("/state");
    expect(code).toBe(5);
    expect(stdout).toContain('"outcome":"refused"');
    expect(stderr).toMatch(/Rate limits are counted only for this run\.\n.*not recorded in the history\./);
    expect(existsSync("/state")).toBe(false);
  });

  test("stores state only in a volume", async () => {
    const state = path.join(machine.folder, "state");
    mkdirSync(state, { mode: 0o700 });
    chownSync(state, uid, uid);
    const { code, stderr } = await cancel(state);
    expect(code).toBe(5);
    expect(stderr).not.toContain("warning");
    expect(readdirSync(state)).toContain("comanda.db");
    expect(readdirSync(machine.folder)).toEqual(["state"]);
  });
});
