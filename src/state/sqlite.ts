/**
 * A database of this machine: one file, which SQLite keeps. It is in WAL mode, so that whoever reads for long keeps no
 * writer waiting, and a commit is on the disk before it is told.
 */
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import type { DatabaseSyncInstance, SqliteModule } from "@photostructure/sqlite";

import { steadyNow, type Clock } from "../base/clock.js";
import { ComandaError, systemErrorCode } from "../base/errors.js";
import { t } from "../languages/language.js";
import {
  busyDatabase,
  checkedRows,
  hasSchema,
  loadDriver,
  newSchema,
  versionTable,
  type Database,
  type DatabaseName,
  type Statements,
  type Value,
} from "./database.js";
import { fileError, freeBytes, lstatIfPresent, type PrivateFiles } from "./private-file.js";

export interface SqliteOptions {
  readonly file: string;
  readonly name: DatabaseName;
  readonly files: PrivateFiles;
  readonly clock: Clock;
  /** Ends each wait for another process. What is begun after it is waited for all the same: it ends what was begun. */
  readonly signal?: AbortSignal | undefined;
}

/** Other processes may keep a statement waiting for so long. */
const waitMs = 30_000;
/** The pause between two looks at a busy database is drawn by chance, so that those who wait don't move in step. */
const pauseMs = { min: 1, max: 10 };
/** What the system says of a disk or a folder that can't be written, though it may be readable. */
const unwritable: readonly string[] = ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"];
/** Each process reads the whole log that earlier ones have left: from 64 pages on it goes into the database. */
const pragmas = "pragma trusted_schema = off; pragma synchronous = full; pragma wal_autocheckpoint = 64";

/**
 * Makes the file, its folder and its tables where they aren't there.
 *
 * @throws {ComandaError} `state_unusable` for a file that is damaged, of a newer comanda, or open to others; `lock_timeout`
 */
export async function openSqliteDatabase(options: SqliteOptions): Promise<Database> {
  const { file, files } = options;
  try {
    return await openFile(options, file);
  } catch (error) {
    // SQLite makes files of its own beside a database, where it isn't told that none are needed. An empty log says nothing.
    const isUnwritable =
      error instanceof ComandaError && unwritable.includes(systemErrorCode(error.cause) ?? "");
    if (!isUnwritable || !files.isThere(file) || (lstatIfPresent(`${file}-wal`)?.size ?? 0) > 0) throw error;
    return openFile(options, `${pathToFileURL(file).href}?immutable=1`);
  }
}

/** @param address what SQLite knows the file by */
async function openFile(
  { file, name, files, clock, signal }: SqliteOptions,
  address: string,
): Promise<Database> {
  // Its owner may let others read the answers about sales: there is no secret in them.
  files.prepare(file, name === "sales" ? "shown" : "secret");
  let connection: SqliteConnection;
  try {
    connection = openSqlite(address);
  } catch (error) {
    throw sqliteError(error, file);
  }
  /** By their text: to read a statement anew each time takes as long as to carry it out. */
  const prepared = new Map<string, ReturnType<SqliteConnection["prepare"]>>();
  /** There is one connection, so the other tasks wait until the transaction of one is over. */
  let underWay: Promise<void> | undefined;

  /** @param isInside does the statement belong to the transaction that is under way? */
  async function execute(
    how: "all" | "run" | "exec",
    sql: string,
    isInside: boolean,
    values: readonly Value[],
  ) {
    const until = signal?.aborted ? undefined : signal;
    const start = steadyNow(clock);
    for (;;) {
      while (!isInside && underWay) await underWay;
      try {
        if (how === "exec") {
          connection.exec(sql);
          return { rows: [], changes: 0 };
        }
        const named: Record<string, Value> = {};
        for (const [index, value] of values.entries()) named[`$${index + 1}`] = value;
        const statement = prepared.get(sql) ?? connection.prepare(sql);
        prepared.set(sql, statement);
        if (how === "all") return { rows: statement.all(named), changes: 0 };
        return { rows: [], changes: statement.run(named).changes };
      } catch (error) {
        const waited = steadyNow(clock) - start;
        if (!isSqliteError(error, /^(?:database is locked|locking protocol)/)) throw sqliteError(error, file);
        if (waited >= waitMs) throw busyDatabase(file, error);
        // SQLite's own wait would stop the whole process: signals, and answers that are on their way.
        until?.throwIfAborted();
        const pause = pauseMs.min + Math.random() * (pauseMs.max - pauseMs.min);
        await clock.sleep(Math.min(pause, waitMs - waited), until);
      }
    }
  }

  const statements = (isInside: boolean): Statements => ({
    rows: async (columns, sql, ...values) =>
      checkedRows(columns, (await execute("all", sql, isInside, values)).rows, file),
    run: async (sql, ...values) => (await execute("run", sql, isInside, values)).changes,
    now: () => Promise.resolve(Math.round(clock.now())),
  });
  const inside = statements(true);

  const database: Database = {
    ...statements(false),
    place: file,
    async transaction(_name, work) {
      while (underWay) await underWay;
      let end: (() => void) | undefined;
      underWay = new Promise((resolve) => (end = resolve));
      try {
        await inside.run("begin immediate");
        const result = await work(inside);
        await inside.run("commit");
        return result;
      } catch (error) {
        try {
          connection.exec("rollback");
        } catch {
          // It hasn't begun, or SQLite has done so itself, as it does where the disk is full.
        }
        throw error;
      } finally {
        underWay = undefined;
        end?.();
      }
    },
  };
  const isMade = (rows: Statements["rows"]) =>
    hasSchema({ place: file, rows }, versionTable[name], (error) => isSqliteError(error, /^no such table/));
  try {
    await execute("exec", pragmas, true, []);
    if (!(await isMade(inside.rows))) {
      // The mode stays with the file. It can't be changed within a transaction.
      await execute("exec", "pragma journal_mode = wal", true, []);
      await database.transaction("schema", async ({ rows }) => {
        if (!(await isMade(rows))) await execute("exec", newSchema(name, "SQLite"), true, []);
      });
    }
    return database;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** An open file. Each call is carried out before it returns, or fails at once where another process is in the way. */
export type SqliteConnection = DatabaseSyncInstance;

/**
 * By `node:sqlite` where Node has it (22.13 on), by its drop-in with the same interface on Node 20. One of them in a process: two
 * copies of SQLite that have one file open take each other's locks away.
 */
export function openSqlite(file: string): SqliteConnection {
  // Node warns that its own SQLite may change. comanda's tests run on each version of Node that it takes.
  const usual = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = () => undefined;
  try {
    const builtIn: unknown = process.getBuiltinModule("node:sqlite");
    const driver = isDriver(builtIn)
      ? builtIn
      : loadDriver(import.meta.dirname, "@photostructure/sqlite", isDriver);
    return new driver.DatabaseSync(file);
  } finally {
    if (usual) Object.defineProperty(process, "emitWarning", usual);
  }
}

function isDriver(module: unknown): module is Pick<SqliteModule, "DatabaseSync"> {
  return typeof module === "object" && module !== null && "DatabaseSync" in module;
}

/** @param words SQLite's own, of what is wrong with a file, or with other processes (https://sqlite.org/rescode.html) */
function isSqliteError(error: unknown, words: RegExp): boolean {
  return error instanceof Error && systemErrorCode(error) === "ERR_SQLITE_ERROR" && words.test(error.message);
}

/** What is wrong with the disk or the file, by its cause. */
function sqliteError(error: unknown, file: string): unknown {
  const folder = path.dirname(file);
  const fault = (code: string) =>
    fileError(Object.assign(new Error(code, { cause: error }), { code }), "write", file);
  if (isSqliteError(error, /^(?:database disk image is malformed|malformed database|file is not a database)/))
    return damaged(file, error);
  // The drivers read no integer that a number doesn't hold exactly, and comanda writes none.
  if (error instanceof Error && error.message.startsWith("Value is too large")) return damaged(file, error);
  if (isSqliteError(error, /^database or disk is full/)) return fault("ENOSPC");
  if (!isSqliteError(error, /^(?:disk I\/O|access permission|attempt to write a readonly|unable to open)/))
    return error;
  // SQLite doesn't say why it can't write; the system does.
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (why) {
    return fileError(why, "write", file);
  }
  // A full disk has no room for what SQLite keeps beside the file, either.
  if ((freeBytes(folder) ?? Infinity) < 64 * 1024) return fault("ENOSPC");
  return fault(isSqliteError(error, /^disk I\/O/) ? "EIO" : "EACCES");
}

export function damaged(file: string, cause?: unknown): ComandaError {
  return new ComandaError("state_unusable", t`${file} is damaged.`, {
    hintFacts: { about: "damaged_database" },
    cause,
  });
}
