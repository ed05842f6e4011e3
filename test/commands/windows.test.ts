/** Everyday commands where files have no owner and no mode, from an empty machine on. */
import process from "node:process";

import { afterAll, beforeAll, expect, test } from "vitest";

import { Bench } from "../support/bench.js";

/** Without `getuid`. */
const host = {
  pid: process.pid,
  platform: "win32" as const,
  arch: process.arch,
  version: process.version,
  kill: process.kill.bind(process),
};

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

const run = (line: string) => bench.inProcess(line, { host });

test("the doctor of a new machine misses no folder, and an order is changed and told by the history", async () => {
  const { stdout } = await run("doctor --json");
  expect(stdout).not.toContain('"failure"');
  await bench.signIn();
  const order = await bench.order();
  expect(await run(`orders dispatch ${order}`)).toMatchObject({ code: 0, stderr: "" });
  expect((await run("history --json")).stdout).toContain(`"order_id":"${order}"`);
  expect(await run("logout")).toMatchObject({ code: 0 });
});
