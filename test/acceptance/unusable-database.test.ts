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

function makeNewer(): void {
  const database = openPrivate("comanda.db");
  database.exec(
    "create table schema_version (version integer) strict; insert into schema_version values (99)",
  );
  database.close();
}

const damages: readonly (readonly [string, () => void, RegExp])[] = [
  [
    "damaged",
    () => writeFileSync(inFolder("comanda.db"), Buffer.alloc(8192, 0x5a), { mode: 0o600 }),
    /comanda\.db is damaged/,
  ],
  ["of a newer comanda", makeNewer, /comanda\.db was written by a newer comanda/],
];

describe.each(damages)("a database that is %s", (_, make, message) => {
  test("is told and stays as it is, and nothing is sent that has to be written down in it first", async () => {
    await bench.signInExpired();
    for (const name of readdirSync(bench.machine.configFolder))
      if (name.startsWith("comanda.db")) rmSync(inFolder(name));
    make();
    const before = readFileSync(inFolder("comanda.db"));
    const order = await bench.order();
    const { code, stderr } = await bench.comanda(`orders dispatch ${order}`);
    expect([code, bench.stored(order).status]).toEqual([2, "confirmed"]);
    expect(stderr).toMatch(message);
    const doctor = await bench.inProcess("doctor --json");
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(message)]);
    expect(bench.requests()).toEqual([]);
    expect(readFileSync(inFolder("comanda.db"))).toEqual(before);
  });
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
  test.each([["SIGINT", 130]] as const)(
    "%s ends a command at once with %i: no order is changed",
    async (signal, exit) => {
      await bench.signInExpired();
      const other = openPrivate(name);
      other.exec("begin exclusive");
      const running = bench.machine.start(["orders", "dispatch", "1", "--max-wait", "10m"]);
      await hasOpen(running.child.pid, inFolder(name));
      const signalled = performance.now();
      running.child.kill(signal);
      const { code, stdout, stderr } = await running.finished;
      // What is out would be waited for for 3.5 s, and nothing is.
      expect(performance.now() - signalled).toBeLessThan(2_500);
      expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(bench.requests().filter((request) => !request.includes("/oauth/"))).toEqual([]);
      other.close();
      expect((await bench.inProcess("status --check")).code).toBe(0);
      expect(server().counters).toMatchObject({ refreshes: 1, reusedRefreshTokens: 0 });
    },
  );
});
