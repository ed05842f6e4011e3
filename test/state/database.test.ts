import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { schemaVersion, type Statements } from "../../src/state/database.js";
import { openPostgres, parsePostgresAddress } from "../../src/state/postgres.js";
import { openSqliteDatabase } from "../../src/state/sqlite.js";
import { openSqlite } from "../../src/state/sqlite.js";
import { postgresPrograms } from "../support/postgres-server.js";
import { simulatedClock } from "./support/clock.js";
import { engines, newPostgresDatabase } from "./support/engines.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";

const key = { name: "text", until_at: "bigint" } as const;
const insert = "insert into leases (name, id, holder, until_at) values ($1, $2, 'test', $3)";
const insertWrite = `insert into writes (id, sent_at, environment, address, operation, arguments, attempts, outcome,
  http_status, code) values ($1, 1, '', '', '', '{}', 1, 'unknown', $2, $3)`;
const select = "select name, until_at from leases order by name";

describe.each(engines)("a database of $name", (engine) => {
  describe.skipIf(!engine.isInstalled)("as a repository uses it", () => {
    test("has what another process has written", async () => {
      const open = await engine.create();
      const [one, other] = [await open(), await open()];
      expect(await one.run(insert, "a", 1_700_000_000_000, 9_007_199_254_740_991)).toBe(1);
      expect(await other.rows(key, select)).toEqual([{ name: "a", until_at: 9_007_199_254_740_991 }]);
      await one.run(insertWrite, "r", 5, null);
      const columns = { http_status: "bigint?", code: "text?" } as const;
      expect(await other.rows(columns, "select http_status, code from writes")).toEqual([
        { http_status: 5, code: null },
      ]);
    });

    test("adds numbers up to numbers", async () => {
      const open = await engine.create();
      const database = await open();
      for (const name of ["a", "b"]) await database.run(insert, name, 1, 20);
      const sums = { sum: "bigint", count: "bigint" } as const;
      const sql = "select sum(until_at) as sum, count(*) as count from leases";
      expect(await database.rows(sums, sql)).toEqual([{ sum: 40, count: 2 }]);
    });

    test("writes a whole transaction, or nothing of it", async () => {
      const open = await engine.create();
      const database = await open();
      const twice = async ({ run }: Statements) => {
        await run(insert, "a", 1, 1);
        await run(insert, "b", 1, 1);
      };
      await database.transaction("test", twice);
      const fails = database.transaction("test", async (statements) => {
        await statements.run("delete from leases");
        throw new Error("in the middle");
      });
      await expect(fails).rejects.toThrow("in the middle");
      expect(await database.rows(key, select)).toHaveLength(2);
      await expect(database.transaction("test", twice)).rejects.toThrow(/unique|UNIQUE/);
      expect(await database.rows(key, select)).toHaveLength(2);
    });

    test("lets transactions of one name come one after the other", async () => {
      const open = await engine.create();
      const processes = await Promise.all([open(), open(), open()]);
      const [first] = processes;
      await first.run(insert, "count", 0, 0);
      const countUp = async ({ rows, run }: Statements) => {
        const [row] = await rows(key, select);
        await run("update leases set until_at = $1", (row?.until_at ?? 0) + 1);
      };
      await Promise.all(
        processes.flatMap((each) => Array.from({ length: 20 }, () => each.transaction("count", countUp))),
      );
      expect(await first.rows(key, select)).toEqual([{ name: "count", until_at: 60 }]);
    });

    test("keeps what one task does out of another's transaction", async () => {
      const open = await engine.create();
      const database = await open();
      const fails = database.transaction("test", async ({ run }) => {
        await run(insert, "a", 1, 1);
        throw new Error("in the middle");
      });
      await Promise.all([expect(fails).rejects.toThrow(), database.run(insert, "b", 1, 1)]);
      expect(await database.rows(key, select)).toEqual([{ name: "b", until_at: 1 }]);
    });

    test("takes nothing for what it isn't", async () => {
      const open = await engine.create();
      const database = await open();
      await database.run(insertWrite, "r", 5, null);
      const wrong = database.rows({ code: "text" }, "select code from writes");
      await rejection("state_unusable", () => wrong);
    });

    test("is made once, whoever comes first", async () => {
      const open = await engine.create();
      const all = await Promise.all(Array.from({ length: 5 }, open));
      const versions = await Promise.all(
        all.map(({ rows }) => rows({ version: "bigint" }, "select version from schema_version")),
      );
      expect(versions).toEqual(all.map(() => [{ version: schemaVersion }]));
    });

    test.each([
      [1000, "was written by a newer comanda."],
      [1, "was written by a comanda from before the first release."],
    ])("of another version is left alone: %i", async (version, said) => {
      const open = await engine.create();
      const database = await open();
      await database.run("update schema_version set version = $1", version);
      const { message } = await rejection("state_unusable", open);
      expect(message).toBe(`${database.place} ${said}`);
    });

    test("of sales has tables of its own", async () => {
      const open = await engine.create({ database: "sales" });
      const database = await open();
      expect(await database.rows({ digest: "text" }, "select digest from answers")).toEqual([]);
      expect(await database.check()).toEqual([]);
    });
  });
});

/** A file of SQLite's, as a process of its own would have it. */
function open(file: string) {
  const clock = simulatedClock();
  const { files } = openState(path.dirname(file), { clock });
  return openSqliteDatabase({ file, name: "comanda", files, clock });
}

function place(): { readonly folder: string; readonly file: string } {
  const folder = temporaryFolder();
  return { folder, file: path.join(folder, "comanda.db") };
}

describe("a database's file", () => {
  test("is its owner's alone, with all that SQLite puts beside it", async () => {
    const { folder, file } = place();
    const database = await open(path.join(folder, "new", "comanda.db"));
    await database.run(insert, "a", 1, 1);
    const modes = ["", "-wal", "-shm"].map(
      (end) => statSync(path.join(folder, "new", `comanda.db${end}`)).mode & 0o777,
    );
    expect([statSync(path.join(folder, "new")).mode & 0o777, ...modes]).toEqual([0o700, 0o600, 0o600, 0o600]);
    await database.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  test("takes in a log that has grown long before more is written, so that nobody has to read it at each start", async () => {
    const { file } = place();
    const first = await open(file);
    for (let index = 0; index < 100; index += 1) await first.run(insert, `key ${index}`, 1, 1);
    const logged = () => statSync(`${file}-wal`).size;
    expect(logged()).toBeGreaterThan(256 * 1024);
    // What was there before never closes its database.
    const second = await open(file);
    await second.run(insert, "another", 1, 1);
    expect(logged()).toBeLessThan(64 * 1024);
    expect(await second.rows({ count: "bigint" }, "select count(*) as count from leases")).toEqual([
      { count: 101 },
    ]);
    await second.close();
    await first.close();
  });

  test("is refused where others may read it, or it is a link", async () => {
    const { folder, file } = place();
    await (await open(file)).close();
    chmodSync(file, 0o640);
    const { hint } = await rejection("state_unusable", () => open(file));
    expect(hint).toBe(`Type: chmod 600 ${file}`);
    const link = path.join(folder, "link.db");
    symlinkSync(file, link);
    const { message } = await rejection("state_unusable", () => open(link));
    expect(message).toBe(`${link} is not a regular file.`);
  });

  test.each([
    ["of another kind", "not a database, and longer than the head of one: ".repeat(100)],
    ["with another program's tables", undefined],
  ])("%s is told with the way out, and stays as it is", async (_, text) => {
    const { file } = place();
    if (text === undefined) {
      const other = openSqlite(file);
      other.exec("create table theirs (a)");
      other.close();
    } else writeFileSync(file, text);
    chmodSync(file, 0o600);
    const before = readFileSync(file);
    const { message, hint } = await rejection("state_unusable", () => open(file));
    expect(message).toBe(`${file} is damaged.`);
    expect(hint).toContain("Move it away");
    if (text !== undefined) expect(readFileSync(file)).toEqual(before);
  });

  test("that another process writes to for too long is told, without a stop of this one", async () => {
    const { file } = place();
    const database = await open(file);
    const other = openSqlite(file);
    other.exec("begin immediate");
    const { message } = await rejection("lock_timeout", () => database.run(insert, "a", 1, 1));
    expect(message).toContain(`${file}; this one waited for 30 s.`);
    other.exec("rollback");
    expect(await database.run(insert, "a", 1, 1)).toBe(1);
    other.close();
    await database.close();
  });

  test("is damaged in the middle: checked, it says so", async () => {
    const { file } = place();
    const database = await open(file);
    for (let index = 0; index < 200; index += 1) await database.run(insert, `key ${index}`.repeat(20), 1, 1);
    await database.rows({ busy: "bigint" }, "pragma wal_checkpoint(truncate)");
    await database.close();
    const bytes = readFileSync(file);
    const [page, first] = [4096, 4096 * 30];
    expect(bytes.length).toBeGreaterThan(first);
    for (let at = first; at < bytes.length; at += page) bytes.fill(0xff, at, at + 200);
    writeFileSync(file, bytes);
    const damaged = await open(file);
    expect(await damaged.check()).not.toEqual([]);
    await damaged.close();
  });
});

test.skipIf(postgresPrograms === undefined)(
  "a server ends the transaction of a machine that stands still, so that the others needn't count their limits alone",
  async () => {
    const postgres = openPostgres(parsePostgresAddress(await newPostgresDatabase()));
    onTestFinished(() => postgres.close());
    const database = await postgres.database("comanda");
    const setting = "select current_setting('idle_in_transaction_session_timeout') as after";
    const [row] = await database.transaction("test", ({ rows }) => rows({ after: "text" }, setting));
    expect(row).toEqual({ after: "10s" });
  },
);
