/** The program as the user of `examples/Containerfile`, without a container. */
import { chownSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { Bench } from "../support/bench.js";

const example = path.resolve(import.meta.dirname, "../../examples/Containerfile");

test.skipIf(process.getuid?.() !== 0 || existsSync("/state"))(
  "the container's user, who can't write to /, can send without a volume, with a warning about what isn't stored",
  async () => {
    const uid = Number(/^USER (\d+):/m.exec(readFileSync(example, "utf8"))?.[1]);
    const bench = await Bench.open();
    // Node can only start in a folder that its user can enter.
    chownSync(bench.machine.folder, uid, uid);
    const env = { ...bench.keyEnvironment(), HOME: "/", COMANDA_CONFIG_DIR: "/state" };
    const { code, stdout, stderr } = await bench.comanda("orders cancel 99999999 --json", { env, uid });
    expect(code).toBe(5);
    expect(stdout).toContain('"outcome":"refused"');
    expect(stderr).toMatch(/Rate limits are counted only for this run\.\n.*not recorded in the history\./);
    expect(existsSync("/state")).toBe(false);
  },
);
