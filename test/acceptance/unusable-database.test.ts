/** A database that is damaged, locked, on a full disk, or without SQLite: comanda prints a hint and leaves it unchanged. */
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openSqlite } from "../../src/state/sqlite.js";
import { Bench } from "../support/bench.js";
import { filesIn, snapshot } from "../support/folder-state.js";
import { journalFile } from "../support/journal.js";
import { parseJson } from "../support/output.js";
import { mountSmallDisk, smallDiskAvailable, type SmallDisk } from "../support/small-disk.js";
import { readSession } from "../support/stored-session.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});

const server = () => bench.emulator.service.server;
const inFolder = (...names: string[]) => path.join(bench.machine.configFolder, ...names);

test("a write isn't sent with a damaged database, which stays unchanged, and its error says so", async () => {
  await bench.signInExpired();
  for (const name of readdirSync(bench.machine.configFolder))
    if (name.startsWith("comanda.db")) rmSync(inFolder(name));
  const damage = Buffer.alloc(8192, 0x5a);
  writeFileSync(inFolder("comanda.db"), damage, { mode: 0o600 });
  bench.forgetRequests();
  for (const [line, env] of [
    ["orders dispatch 1"],
    ["orders dispatch 1 2"],
    ["driver assign 1 11"],
    ["prefill --order-type takeout", bench.keyEnvironment()],
  ] as const) {
    const { code, stderr } = await bench.inProcess(line, env && { env });
    expect({ line, code }).toEqual({ line, code: 2 });
    expect(stderr).toMatch(/^error: .*comanda\.db is damaged\. Nothing was sent\.$/m);
  }
  expect(bench.requests()).toEqual([]);
  expect(readFileSync(inFolder("comanda.db"))).toEqual(damage);
});

test("a store is renamed and removed if its sales database is damaged, and the error says so", async () => {
  await bench.signIn("centro");
  writeFileSync(inFolder("sales.db"), Buffer.alloc(8192, 0x5a), { mode: 0o600 });
  const stderr = (start: string) => expect.stringMatching(`${start}.*sales\\.db is damaged`) as unknown;
  const renamed = stderr("The store centro was renamed to praia, but its sales figures were not moved\\.");
  const removed = stderr("The store praia was removed, but its sales figures were not deleted\\.");
  const rename = await bench.inProcess("stores rename centro praia");
  expect(rename).toMatchObject({ code: 2, stderr: renamed });
  expect((await bench.inProcess("status --store praia")).code).toBe(0);
  const remove = await bench.inProcess("stores remove praia");
  expect(remove).toMatchObject({ code: 2, stderr: removed });
  expect((await bench.inProcess("stores list --json")).stdout).toBe("[]\n");
});

test.skipIf(process.platform !== "linux").each([
  ["for the size of a file", "-f 1", "", "the file size limit (ulimit -f) is reached"],
  ["for open files", "-n 64", "few-files.cjs", "too many files are open (ulimit -n)"],
])("a limit %s (ulimit %s) is named as the cause", async (_, limit, preload, cause) => {
  const line = "env set x --base-url http://127.0.0.1:1 --auth-url http://127.0.0.1:1/a --client-id x";
  const script = path.join(import.meta.dirname, "../support", preload);
  const env = { NODE_OPTIONS: preload && `--require ${JSON.stringify(script)}` };
  const { code, stderr } = await bench.machine.shell(`ulimit ${limit}; comanda ${line}`, { env });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `error: Can't write ${inFolder("comanda.db")}: ${cause}.\n  Raise this limit, then try again.\n`,
  });
});

test("without SQLite, nothing is sent and no sign-in is renewed, and each command prints how to add it", async () => {
  const preload = path.join(import.meta.dirname, "../support/without-sqlite.cjs");
  const env = { NODE_OPTIONS: `--require ${JSON.stringify(preload)}` };
  await bench.signInExpired();
  const before = snapshot(bench.machine.configFolder);
  const empty = { ...bench.keyEnvironment(), COMANDA_CONFIG_DIR: inFolder("empty") };
  for (const [line, exitCode, variables] of [
    ["orders dispatch 1", 2],
    // A health check fails before the first change, and calls the service only to check the key.
    ["doctor", 1, empty],
  ] as const) {
    const { code, stdout, stderr } = await bench.comanda(line, { env: { ...env, ...variables } });
    expect({ line, code }).toEqual({ line, code: exitCode });
    expect((stdout + stderr).replaceAll(/\s+/g, " ")).toMatch(
      /comanda can't load the database driver .*npm install .*--include=optional;? Without a package registry, see "Install"/,
    );
  }
  expect(bench.requests().filter((request) => !request.includes("status-check"))).toEqual([]);
  expect(server().counters).toMatchObject({ refreshes: 0 });
  expect(snapshot(bench.machine.configFolder)).toMatchObject(before);
});

test("figures create only the answer cache and the journal, which only the owner can read", async () => {
  await bench.signIn();
  const before = Object.keys(snapshot(bench.machine.configFolder));
  await bench.comanda("summary --period yesterday --tz UTC");
  // Other programs need only the one file.
  expect(readdirSync(bench.machine.configFolder)).not.toContain("sales.db-wal");
  const after = Object.entries(snapshot(bench.machine.configFolder));
  const added = after.filter(([name]) => !before.includes(name));
  expect(added).toContainEqual(["sales.db", expect.stringMatching(/^600 /)]);
  for (const each of added) expect(each.join(" ")).toMatch(/^(?:sales|comanda)\.db 600 /);
});

describe.skipIf(!smallDiskAvailable)("on a full disk", () => {
  let disk: SmallDisk;
  beforeEach(async () => {
    disk = mountSmallDisk(128);
    bench = await Bench.open({ env: { COMANDA_CONFIG_DIR: path.join(disk.folder, "config") } });
  });
  afterEach(() => {
    const left = filesIn(disk.folder).filter((name) => name.includes(".tmp"));
    disk.remove();
    expect(left).toEqual([]);
  });

  test("a command with an expired token sends nothing, doctor fails, and both work again with space", async () => {
    await bench.signInExpired();
    const before = readSession(bench.machine.configFolder);
    disk.fill(1);
    const { code, stdout, stderr } = await bench.inProcess("driver assign 1 11");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/no space left[^]*\n {2}Free up disk space/);
    const doctor = await bench.inProcess("doctor --json");
    expect(doctor.code).toBe(1);
    for (const [check, file] of [
      ["settings folder", "settings.json"],
      ["database comanda.db", "comanda.db"],
      ["store centro", "comanda.db"],
    ] as const)
      expect(parseJson(doctor.stdout)).toContainEqual({
        check,
        status: "failure",
        message: `Can't write ${inFolder(file)}: there is no space left.`,
        hint: "Free up disk space, then try again.",
      });
    // No row blames the service.
    expect(doctor.stdout).not.toMatch(/"service [^}]*comanda\.db/);
    expect(bench.requests()).toEqual([]);
    expect(readSession(bench.machine.configFolder)).toEqual(before);
    disk.empty();
    for (const line of ["status --check", "doctor"]) expect((await bench.inProcess(line)).code).toBe(0);
    expect(server().counters).toMatchObject({ refreshes: 1, reusedRefreshTokens: 0 });
  });

  test("history reads the journal, with SQLite's log and without it, and nothing is sent", async () => {
    await bench.signIn();
    await bench.inProcess("orders dispatch 99999");
    const history = async () => {
      const { stdout, stderr } = await bench.comanda("history --json");
      return stdout + stderr;
    };
    disk.fill();
    expect(await history()).toContain('"order_id":"99999"');
    disk.empty();
    const database = openSqlite(journalFile(bench.machine.configFolder));
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
    disk.fill();
    expect(await history()).toContain('"order_id":"99999"');
    bench.forgetRequests();
    const { code, stderr } = await bench.inProcess("orders dispatch 99999");
    expect(code).toBe(2);
    expect(bench.requests()).toEqual([]);
    expect(stderr).toContain(`${journalFile(bench.machine.configFolder)}: there is no space left`);
  });

  test("doctor fails on a disk that was made read-only", async () => {
    await bench.signIn();
    disk.makeReadOnly();
    const { code, stdout } = await bench.inProcess("doctor --json");
    expect(code).toBe(1);
    expect(stdout).toContain(`"Can't write ${inFolder("comanda.db")}: the file system is read-only."`);
  });
});
