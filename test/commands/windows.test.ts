/** Everyday commands where files have no owner and no mode, from an empty machine on. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { Bench } from "../support/bench.js";

/** Without `getuid`. */
const host = {
  pid: process.pid,
  platform: "win32",
  version: process.version,
  kill: process.kill.bind(process),
};

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());
beforeEach(() => rmSync(bench.machine.configFolder, { recursive: true, force: true }));

const run = (line: string) => bench.inProcess(line, { host });

const signIn = () => bench.signIn();

test("the doctor of a new machine misses no folder", async () => {
  const { stdout } = await run("doctor --json");
  expect(stdout).not.toContain('"failure"');
  expect(stdout).toMatch(/isn't there yet/);
});

test("an order is changed, told by the history and counted", async () => {
  await signIn();
  expect((await run("doctor")).stdout).not.toContain("yours alone");
  const order = await bench.order();
  expect(await run(`orders dispatch ${order}`)).toMatchObject({ code: 0, stderr: "" });
  expect((await run("history --json")).stdout).toContain(`"order_id":"${order}"`);
});

test("figures are asked for once and kept", async () => {
  await signIn();
  for (const kept of [false, true]) {
    const { code, stdout, stderr } = await run("summary --period last-month --tz UTC --json");
    expect({ code, stderr, kept: stdout.includes('"kept":true') }).toEqual({ code: 0, stderr: "", kept });
  }
  expect(await run("complete powershell driver assign 1 =")).toMatchObject({ code: 0, stdout: "" });
  expect(await run("logout")).toMatchObject({ code: 0 });
});

test("a file in the place of the folder is told", async () => {
  mkdirSync(path.dirname(bench.machine.configFolder), { recursive: true });
  writeFileSync(bench.machine.configFolder, "");
  const { code, stderr } = await run("stores list");
  expect({ code, told: stderr.includes(`${bench.machine.configFolder} is not a folder.`) }).toEqual({
    code: 2,
    told: true,
  });
});
