/**
 * A database that is damaged, of a newer comanda, or held by another process: each is told with the way out, and nothing of
 * it is deleted or written over.
 */
import { readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openSqlite, type SqliteConnection } from "../../src/state/sqlite.js";
import { Bench } from "../support/bench.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const server = () => bench.emulator.service.server;
const inFolder = (...names: string[]) => path.join(bench.machine.configFolder, ...names);

/** Opens a file of SQLite's that is the user's alone, and made where it isn't there. */
function openPrivate(name: string): SqliteConnection {
  writeFileSync(inFolder(name), "", { mode: 0o600, flag: "a" });
  return openSqlite(inFolder(name));
}

test("a damaged database is told and stays as it is, and nothing is sent that has to be written down first", async () => {
  await bench.signInExpired();
  for (const name of readdirSync(bench.machine.configFolder))
    if (name.startsWith("comanda.db")) rmSync(inFolder(name));
  const damage = Buffer.alloc(8192, 0x5a);
  writeFileSync(inFolder("comanda.db"), damage, { mode: 0o600 });
  const { code, stderr } = await bench.comanda(`orders dispatch ${await bench.order()}`);
  expect([code, stderr]).toEqual([2, expect.stringContaining("comanda.db is damaged")]);
  expect(bench.requests()).toEqual([]);
  expect(readFileSync(inFolder("comanda.db"))).toEqual(damage);
});

/** Resolves when the process has the file open. */
async function hasOpen(pid: number | undefined, file: string): Promise<void> {
  const opened = () => {
    try {
      return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
    } catch {
      return [];
    }
  };
  await expect.poll(opened, { interval: 5, timeout: 20_000 }).toContain(file);
}

describe.skipIf(process.platform !== "linux")("while another process holds the database", () => {
  const name = "comanda.db";
  test("SIGINT ends a command at once with 130: no order is changed", async () => {
    await bench.signInExpired();
    const other = openPrivate(name);
    other.exec("begin exclusive");
    const running = bench.machine.start(["orders", "dispatch", "1", "--max-wait", "10m"]);
    await hasOpen(running.child.pid, inFolder(name));
    const signalled = performance.now();
    running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.finished;
    // What is out would be waited for for 3.5 s, and nothing is.
    expect(performance.now() - signalled).toBeLessThan(2_500);
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(bench.requests().filter((request) => !request.includes("/oauth/"))).toEqual([]);
    other.close();
    expect((await bench.inProcess("status --check")).code).toBe(0);
    expect(server().counters).toMatchObject({ refreshes: 1, reusedRefreshTokens: 0 });
  });
});
