/**
 * A database of this machine: one file, which SQLite keeps. It is in WAL mode, so that whoever reads for long keeps no
 * writer waiting, and a commit is on the disk before it is told.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";

import { steadyNow, type Clock } from "../../client/clock.js";
import { ComandaError } from "../../client/errors.js";
import {
  checkedRows,
  refuseOtherSchema,
  schemaVersion,
  versionTable,
  type Database,
  type DatabaseName,
  type Statements,
  type TransactionOptions,
  type Value,
} from "../database.js";
import { lstatIfPresent } from "../files/file-errors.js";
import type { PrivateFiles } from "../files/private-file.js";
import { openSqlite, sqliteCode, sqliteCodes, type SqliteStatement } from "./sqlite-driver.js";
import { damaged, isBusy, sqliteError, whyUnwritable } from "./sqlite-errors.js";

export interface SqliteOptions {
  readonly file: string;
  readonly name: DatabaseName;
  readonly files: PrivateFiles;
  readonly clock: Clock;
  /** Other processes may keep a statement waiting for so many milliseconds (default: 30 s). */
  readonly waitMs?: number;
  /** Ends each wait for another process, but where a transaction outlasts it. */
  readonly signal?: AbortSignal | undefined;
}

const defaultWaitMs = 30_000;
/** Each process reads the whole log that earlier ones have left. A longer one is put into the database before more is written. */
const longLogBytes = 256 * 1024;
/** The pause between two looks at a busy database is drawn by chance, so that those who wait don't move in step. */
const pauseMs = { min: 1, max: 10 };

/**
 * Makes the file, its folder and its tables where they aren't there.
 *
 * @throws {ComandaError} `state_unusable` for a file that is damaged, of a newer comanda, or open to others; `lock_timeout`
 */
export async function openSqliteDatabase(options: SqliteOptions): Promise<Database> {
  try {
    return await openFile(options, options.file);
  } catch (error) {
    // SQLite makes files of its own beside a database, where it isn't told that none are needed.
    if (!isReadOnly(options)) throw error;
    return openFile(options, `${pathToFileURL(options.file).href}?immutable=1`);
  }
}

/** Can nothing be written beside the database, and is nothing there that has to be read with it? */
function isReadOnly({ file, files }: SqliteOptions): boolean {
  const { disk } = files.system;
  if (whyUnwritable(disk, path.dirname(file)) === undefined) return false;
  return files.isThere(file) && lstatIfPresent(disk, `${file}-wal`) === undefined;
}

/** @param address what SQLite knows the file by */
async function openFile(options: SqliteOptions, address: string): Promise<Database> {
  const { file, files, clock, waitMs: usualWaitMs = defaultWaitMs } = options;
  /** This signal ends a wait now: one task is under way at a time. */
  let { signal } = options;
  const { disk, random } = files.system;
  // Its owner may let others read the answers about sales: there is no secret in them.
  files.prepare(file, options.name === "sales" ? "read" : "nothing");
  const connection = await whenFree(() => openSqlite(address));
  const statementsBySql = new Map<string, PreparedStatement>();
  let last: Promise<unknown> = Promise.resolve();
  /** Does a commit outlive a loss of power? */
  let isDurable: boolean | undefined;

  /** SQLite's own wait would stop the whole process: signals, and answers that are on their way. */
  async function whenFree<Result>(work: () => Result, waitMs = usualWaitMs): Promise<Result> {
    let start: number | undefined;
    for (;;) {
      try {
        return work();
      } catch (error) {
        start ??= steadyNow(clock);
        const waited = steadyNow(clock) - start;
        if (!isBusy(error) || waited >= waitMs) throw sqliteError(error, file, disk, waited);
        const pause = pauseMs.min + random.fraction() * (pauseMs.max - pauseMs.min);
        signal?.throwIfAborted();
        await clock.sleep(Math.min(pause, waitMs - waited), signal);
      }
    }
  }

  /** SQLite's drivers look up each value that has a name; by their places, values are bound in half the time. */
  function prepared(sql: string): PreparedStatement {
    const earlier = statementsBySql.get(sql);
    if (earlier) return earlier;
    const numbers = Array.from(sql.matchAll(/\$(\d+)/g), ([, number]) => Number(number));
    const statement = connection.prepare(sql.replaceAll(/\$\d+/g, "?"));
    const next = {
      statement,
      placed: (values: readonly Value[]) => numbers.map((number) => values[number - 1] ?? null),
    };
    statementsBySql.set(sql, next);
    return next;
  }

  /** There is one connection, so a task waits until the transaction of another is over. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  function rollBack(): void {
    try {
      connection.exec("rollback");
    } catch (error) {
      // SQLite has done so itself, as it does where the disk is full.
      if (sqliteCode(error) !== sqliteCodes.error) throw sqliteError(error, file, disk);
    }
  }

  async function transaction<Result>(
    work: () => Promise<Result>,
    { durable = true, waitMs, outlastsSignal = false }: TransactionOptions = {},
  ): Promise<Result> {
    signal = outlastsSignal ? undefined : options.signal;
    try {
      await sync(durable);
      await whenFree(() => connection.exec("begin immediate"), waitMs);
      try {
        const result = await work();
        await whenFree(() => connection.exec("commit"));
        return result;
      } catch (error) {
        rollBack();
        throw error;
      }
    } finally {
      ({ signal } = options);
    }
  }

  /** Writes what was committed to the disk. Call it outside of a transaction. */
  async function sync(durable: boolean): Promise<void> {
    if (isDurable === durable) return;
    if (isDurable === undefined) await shortenLog();
    await whenFree(() => connection.exec(`pragma synchronous = ${durable ? "full" : "normal"}`));
    isDurable = durable;
  }

  async function shortenLog(): Promise<void> {
    const log = lstatIfPresent(disk, `${file}-wal`);
    if (log !== undefined && log.size > longLogBytes)
      await whenFree(() => connection.exec("pragma wal_checkpoint(truncate)"));
  }

  const statements: Statements = {
    async rows(columns, sql, ...values) {
      const rows = await whenFree(() => {
        const { statement, placed } = prepared(sql);
        return statement.all(...placed(values));
      });
      return checkedRows(columns, rows, file);
    },
    run: (sql, ...values) =>
      whenFree(() => {
        const { statement, placed } = prepared(sql);
        return Number(statement.run(...placed(values)).changes);
      }),
    now: () => Promise.resolve(Math.round(clock.now())),
  };

  /** @returns `undefined` where there is no such table */
  async function readVersion(): Promise<number | undefined> {
    try {
      const [row] = await statements.rows(
        { version: "bigint" },
        `select version from ${versionTable[options.name]}`,
      );
      if (!row) throw damaged(file);
      refuseOtherSchema(file, row.version);
      return row.version;
    } catch (error) {
      if (sqliteCode(error) !== sqliteCodes.error) throw error;
      return undefined;
    }
  }

  async function bringSchema(): Promise<void> {
    const { inSqlite, newSchema } = await import("../schema.js");
    // The mode stays with the file. It can't be changed within a transaction.
    await whenFree(() => connection.exec("pragma journal_mode = wal"));
    await transaction(async () => {
      if ((await readVersion()) === schemaVersion) return;
      await refuseOthers();
      await whenFree(() => connection.exec(inSqlite(newSchema(options.name))));
    });
  }

  async function refuseOthers(): Promise<void> {
    const tables = await statements.rows({ name: "text" }, "select name from sqlite_master limit 1");
    if (tables.length > 0) throw damaged(file);
  }

  async function check(): Promise<readonly string[]> {
    try {
      const lines = await statements.rows({ quick_check: "text" }, "pragma quick_check");
      return lines.map((line) => line.quick_check).filter((line) => line !== "ok");
    } catch (error) {
      if (error instanceof ComandaError) return [error.message];
      throw error;
    }
  }

  try {
    await whenFree(() => connection.exec("pragma trusted_schema = off"));
    if ((await readVersion()) !== schemaVersion) await bringSchema();
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    place: file,
    rows: (...args) => inTurn(() => statements.rows(...args)),
    run: (...args) =>
      inTurn(async () => {
        await sync(true);
        return statements.run(...args);
      }),
    now: () => inTurn(() => statements.now()),
    transaction: (_name, work, options) => inTurn(() => transaction(() => work(statements), options)),
    endsStopped: false,
    check: () => inTurn(check),
    close: () =>
      inTurn(() => {
        connection.close();
        return Promise.resolve();
      }),
  };
}

interface PreparedStatement {
  readonly statement: SqliteStatement;
  /** @returns the values in the order in which the statement has their numbers (`$1`), each as often as it is there */
  readonly placed: (values: readonly Value[]) => readonly Value[];
}
