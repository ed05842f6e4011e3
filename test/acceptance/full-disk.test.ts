/** The program on a disk that is full: what it ends with, what it says, and what it leaves behind. */
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openSqlite } from "../../src/state/sqlite.js";
import { Bench } from "../support/bench.js";
import { filesIn } from "../support/folder-state.js";
import { journalFile } from "../support/journal.js";
import { mountSmallDisk, smallDiskAvailable, type SmallDisk } from "../support/small-disk.js";
import { readSession } from "../support/stored-session.js";

describe.skipIf(!smallDiskAvailable)("on a full disk", () => {
  let disk: SmallDisk;
  let bench: Bench;
  beforeEach(async () => {
    disk = mountSmallDisk(128);
    bench = await Bench.open({ env: { COMANDA_CONFIG_DIR: path.join(disk.folder, "config") } });
  });
  afterEach(async () => {
    await bench.close();
    const left = temporaryFiles();
    disk.remove();
    expect(left).toEqual([]);
  });
  const temporaryFiles = () => filesIn(disk.folder).filter((name) => name.includes(".tmp"));
  const server = () => bench.emulator.service.server;
  const session = () => readSession(bench.machine.configFolder);

  test("a command with an expired token ends with 2, asks nothing, and works again with space", async () => {
    await bench.signInExpired();
    const before = session();
    disk.fill(1);
    const { code, stdout, stderr } = await bench.comanda("driver assign 1 11");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/no space left[^]*\n {2}Make space on the disk/);
    expect(bench.requests()).toEqual([]);
    expect(session()).toEqual(before);
    disk.empty();
    expect((await bench.inProcess("status --check")).code).toBe(0);
    expect(server().counters).toMatchObject({ refreshes: 1, reusedRefreshTokens: 0 });
  });

  test("history reads what was sent, with SQLite's log beside the journal and without it", async () => {
    await bench.signIn();
    await bench.comanda("orders dispatch 99999");
    const told = async () => {
      const { stdout, stderr } = await bench.comanda("history --json");
      return stdout + stderr;
    };
    disk.fill();
    expect(await told()).toContain('"order_id":"99999"');
    disk.empty();
    const database = openSqlite(journalFile(bench.machine.configFolder));
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
    disk.fill();
    expect(await told()).toContain('"order_id":"99999"');
    // Nothing can be written down, so nothing is sent.
    bench.forgetRequests();
    const { code, stderr } = await bench.comanda("orders dispatch 99999");
    expect([code, bench.requests()]).toEqual([2, []]);
    expect(stderr).toContain(`${journalFile(bench.machine.configFolder)}: there is no space left`);
  });

  test("a report that can't be written doesn't say that its figures are kept", async () => {
    await bench.signIn();
    const { code, stderr } = await bench.inProcess(`report --out ${disk.folder}/none/report.html`);
    expect([code, stderr]).toEqual([2, expect.stringContaining("can't be written")]);
    expect(stderr).not.toContain("kept");
  });
});
