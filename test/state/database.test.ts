import { chmodSync, statSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { schemaVersion, type Statements } from "../../src/state/database.js";
import { openSqlite, openSqliteDatabase, type SqliteOptions } from "../../src/state/sqlite.js";
import { jumpingClock } from "../client/support/clock.js";
import { createDatabase, engines } from "./support/states.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "../support/rejection.js";

const key = { name: "text", at: "bigint" } as const;
const insert = "insert into limit_blocks (limit_key, taken_at, until_at) values ($1, 0, $2)";
const insertWrite = `insert into writes (id, sent_at, environment, address, operation, arguments, attempts, outcome,
  http_status, code) values ($1, 1, '', '', '', '{}', 1, 'unknown', $2, $3)`;
const select = "select limit_key as name, until_at as at from limit_blocks order by name";

const newer = /^Update comanda on this machine\.$/;
const hints: Readonly<Record<string, Readonly<Record<number, RegExp>>>> = {
  SQLite: { 1000: newer, 1: /^While no .*, move .*comanda\.db elsewhere.*history.*Stores stay signed in\.$/ },
  PostgreSQL: { 1000: newer, 1: /^While no .*, rename the schema comanda .*history.*comanda login/ },
};

describe.each(engines)("a database of $name", (engine) => {
  test("reads and sums what another process wrote, and rejects values of the wrong type", async () => {
    const open = await createDatabase(engine);
    const [one, other] = [await open(), await open()];
    expect(await one.run(insert, "a", 1_700_000_000_000)).toBe(1);
    expect(await one.run(insert, "b", 20)).toBe(1);
    const [a, b] = [
      { name: "a", at: 1_700_000_000_000 },
      { name: "b", at: 20 },
    ];
    expect(await other.rows(key, select)).toEqual([a, b]);
    const sums = { sum: "bigint", count: "bigint" } as const;
    const sql = "select sum(until_at) as sum, count(*) as count from limit_blocks";
    expect(await other.rows(sums, sql)).toEqual([{ sum: 1_700_000_000_020, count: 2 }]);
    await one.run(insertWrite, "r", 5, null);
    const columns = { http_status: "bigint?", code: "text?" } as const;
    const read = await other.rows(columns, "select http_status, code from writes");
    expect(read).toEqual([{ http_status: 5, code: null }]);
    await rejection("state_unusable", () => other.rows({ code: "text" }, "select code from writes"));
  });

  test("commits or rolls back a transaction without other tasks' statements, and runs those of one name in turn", async () => {
    const open = await createDatabase(engine);
    const database = await open();
    const twice = async ({ run }: Statements) => {
      await run(insert, "a", 1);
      await run(insert, "b", 1);
    };
    await database.transaction("test", twice);
    const fails = database.transaction("test", async (statements) => {
      await statements.run("delete from limit_blocks");
      throw new Error("in the middle");
    });
    await Promise.all([expect(fails).rejects.toThrow("in the middle"), database.run(insert, "c", 1)]);
    await expect(database.transaction("test", twice)).rejects.toThrow(/unique|UNIQUE/);
    expect((await database.rows(key, select)).map(({ name }) => name)).toEqual(["a", "b", "c"]);
    await database.run("delete from limit_blocks where limit_key <> 'c'");
    const countUp = async ({ rows, run }: Statements) => {
      const [row] = await rows(key, select);
      await run("update limit_blocks set until_at = $1", (row?.at ?? 0) + 1);
    };
    await Promise.all(
      [database, await open(), await open()].flatMap((each) =>
        Array.from({ length: 20 }, () => each.transaction("count", countUp)),
      ),
    );
    expect(await database.rows(key, select)).toEqual([{ name: "c", at: 61 }]);
  });

  test("is created once by several processes, and rejected if it has another version", async () => {
    const open = await createDatabase(engine);
    const all = await Promise.all(Array.from({ length: 5 }, open));
    const versions = await Promise.all(
      all.map(({ rows }) => rows({ version: "bigint" }, "select version from schema_version")),
    );
    expect(versions).toEqual(all.map(() => [{ version: schemaVersion }]));
    for (const [version, reason] of [
      [1000, "was written by a newer version of comanda."],
      [1, "was written by a pre-release version of comanda."],
    ] as const) {
      await all[0]?.run("update schema_version set version = $1", version);
      const { message, hint } = await rejection("state_unusable", open);
      expect(message).toBe(`${all[0]?.location} ${reason}`);
      expect(hint).toMatch(hints[engine.name]?.[version] ?? "");
    }
  });
});

describe("a database's file", () => {
  /** Opens the file as a separate process would. */
  function open(file: string, options: Partial<SqliteOptions> = {}) {
    const { files, clock } = openState(path.dirname(file), { clock: jumpingClock() });
    return openSqliteDatabase({ file, name: "comanda", files, clock, ...options });
  }
  const newFile = () => path.join(temporaryFolder(), "new", "comanda.db");

  test("is private, with SQLite's other files, and rejected if others can read it", async () => {
    const file = newFile();
    const database = await open(file);
    await database.run(insert, "a", 1);
    const places = [path.dirname(file), file, `${file}-wal`, `${file}-shm`];
    expect(places.map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600, 0o600, 0o600]);
    chmodSync(file, 0o640);
    const { hint } = await rejection("state_unusable", () => open(file));
    expect(hint).toBe(`Run: chmod 600 ${file}`);
  });

  test("that another process locks is awaited for maxWaitMs or until an interrupt, except by statements that complete work", async () => {
    const [file, clock, interrupt] = [newFile(), jumpingClock(), new AbortController()];
    const { run, completing } = await open(file, { clock, maxWaitMs: 2_000, signal: interrupt.signal });
    const other = openSqlite(file);
    other.exec("begin immediate");
    const begun = clock.now();
    const { message } = await rejection("lock_timeout", () => run(insert, "a", 1));
    expect(message).toBe(`Timed out waiting for another process that is writing to ${file}.`);
    expect(clock.now() - begun).toBe(2_000);
    const waiting = [run(insert, "a", 1), completing.run(insert, "a", 1)];
    interrupt.abort(new Error("interrupted"));
    const since = clock.now();
    await expect(waiting[0]).rejects.toThrow("interrupted");
    await expect(waiting[1]).rejects.toMatchObject({ code: "lock_timeout" });
    expect(clock.now() - since).toBeGreaterThan(29_900);
    // Pauses of at most 10 ms would make thousands of them.
    expect(clock.sleeps.length).toBeLessThan(500);
    other.exec("rollback");
    expect(await run(insert, "a", 1)).toBe(1);
    other.close();
  });
});
