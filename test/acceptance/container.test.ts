/** The program as the user of `examples/Containerfile`, without a container. */
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { startEmulator } from "../../src/emulator/index.js";
import { AtService } from "../support/emulators.js";
import { Machine } from "../support/program.js";
import { closing } from "../support/cleanup.js";

const example = path.resolve(import.meta.dirname, "../../examples/Containerfile");
const canBeAnother = process.getuid?.() === 0 && !existsSync("/state");

describe.skipIf(!canBeAnother)("the container's user, who can't write to /", async () => {
  const uid = Number(/^USER (\d+):/m.exec(readFileSync(example, "utf8"))?.[1]);
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
