/** Opens a database of this machine: a SQLite file in WAL mode, so a long read doesn't block writers. */
import { closeSync, ftruncateSync, openSync, rmSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import type { DatabaseSyncInstance, SqliteModule } from "@photostructure/sqlite";

import { steadyNow } from "../base/clock.js";
import { ComandaError, systemErrorCode } from "../base/errors.js";
import {
  busyDatabase,
  checkedRows,
  damaged,
  hasSchema,
  loadDriver,
  newSchema,
  versionTable,
  type Database,
  type DatabaseName,
  type Statements,
  type Value,
} from "./database.js";
import type { LeasesContext } from "./leases.js";
import { fileError, freeBytes, lstatIfPresent, type PrivateFiles } from "./private-file.js";

export interface SqliteOptions extends Pick<LeasesContext, "clock" | "signal" | "maxWaitMs"> {
  readonly file: string;
  readonly name: DatabaseName;
  readonly files: PrivateFiles;
}

/** The longest wait of a statement for another process. */
const usualWaitMs = 30_000;
/**
 * The pause between two attempts at a busy database is random, so waiting processes don't collide again. It grows with the time
 * waited, because hundreds of polling processes would take the CPU from the one that has the lock.
 */
const pauseMs = { min: 1, max: 10, shareOfWait: 1 / 8 };
/** System errors of a disk or folder that can't be written, but may be readable. */
const unwritable: readonly string[] = ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"];
/** Each process reads the whole write-ahead log when it starts, so the log is merged into the database at 64 pages already. */
const pragmas = ["trusted_schema = off", "synchronous = full", "wal_autocheckpoint = 64"];

/**
 * Opens the file, and creates it with its folder and tables if it is missing.
 *
 * @throws {ComandaError} `state_unusable` for a file that is damaged, from a newer comanda, or accessible to others;
 *   `lock_timeout`
 */
export async function openSqliteDatabase(options: SqliteOptions): Promise<Database> {
  const { file, files } = options;
  try {
    return await openFile(options, file);
  } catch (error) {
    // On a read-only disk, SQLite can't create its auxiliary files, which a database without a log doesn't need.
    const isUnwritable =
      error instanceof ComandaError && unwritable.includes(systemErrorCode(error.cause) ?? "");
    if (!isUnwritable || !files.exists(file) || (lstatIfPresent(`${file}-wal`)?.size ?? 0) > 0) throw error;
    return openFile(options, `${pathToFileURL(file).href}?immutable=1`);
  }
}

/** @param address the path or URI that SQLite opens */
async function openFile(
  { file, name, files, clock, signal, maxWaitMs = usualWaitMs }: SqliteOptions,
  address: string,
): Promise<Database> {
  // Its owner may let others read the sales figures, which contain no secrets.
  files.prepare(file, name === "sales" ? "public" : "secret");
  let connection: DatabaseSyncInstance;
  try {
    connection = openSqlite(address);
  } catch (error) {
    throw sqliteError(error, file);
  }
  /** Prepared statements by their text, because preparing one takes as long as executing it. */
  const prepared = new Map<string, ReturnType<DatabaseSyncInstance["prepare"]>>();
  /** All tasks share one connection, so they wait for the end of a transaction. */
  let currentTransaction: Promise<void> | undefined;

  /**
   * @param isInside whether the statement belongs to the current transaction
   * @param isCompleting as {@link Database.completing}
   */
  async function execute(
    how: "all" | "run",
    sql: string,
    isInside: boolean,
    values: readonly Value[],
    isCompleting = false,
  ) {
    const waitMs = isCompleting ? usualWaitMs : Math.min(usualWaitMs, maxWaitMs);
    // A statement that starts after the signal completes earlier work, so it waits as usual.
    const until = isCompleting || signal?.aborted ? undefined : signal;
    const start = steadyNow(clock);
    for (;;) {
      while (!isInside && currentTransaction) await currentTransaction;
      try {
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
        // SQLite's own wait would block the whole process, including signals and responses.
        until?.throwIfAborted();
        const longest = Math.max(pauseMs.max, waited * pauseMs.shareOfWait);
        const pause = pauseMs.min + Math.random() * (longest - pauseMs.min);
        await clock.sleep(Math.min(pause, waitMs - waited), until);
      }
    }
  }

  const statements = (isInside: boolean, isCompleting?: boolean): Statements => ({
    rows: async (columns, sql, ...values) =>
      checkedRows(columns, (await execute("all", sql, isInside, values, isCompleting)).rows, file),
    run: async (sql, ...values) => (await execute("run", sql, isInside, values, isCompleting)).changes,
    now: () => Promise.resolve(Math.round(clock.now())),
  });
  const inside = statements(true);

  const database: Database = {
    ...statements(false),
    completing: statements(false, true),
    location: file,
    async transaction(_name, work) {
      while (currentTransaction) await currentTransaction;
      let end: (() => void) | undefined;
      currentTransaction = new Promise((resolve) => (end = resolve));
      try {
        await inside.run("begin immediate");
        const result = await work(inside);
        await inside.run("commit");
        return result;
      } catch (error) {
        try {
          connection.exec("rollback");
        } catch {
          // The transaction hasn't begun, or SQLite has rolled it back, as on a full disk.
        }
        throw error;
      } finally {
        currentTransaction = undefined;
        end?.();
      }
    },
  };
  const table = versionTable[name];
  const isMissing = (error: unknown) => isSqliteError(error, /^no such table/);
  try {
    for (const pragma of pragmas) await inside.run(`pragma ${pragma}`);
    if (!(await hasSchema({ location: file, rows: inside.rows }, file, table, isMissing))) {
      // The mode is stored in the file, and can't be changed in a transaction.
      await inside.run("pragma journal_mode = wal");
      await database.transaction("schema", async ({ rows }) => {
        if (await hasSchema({ location: file, rows }, file, table, isMissing)) return;
        connection.exec(newSchema(name, "sqlite"));
      });
    }
    return database;
  } catch (error) {
    connection.close();
    throw sqliteError(error, file);
  }
}

/**
 * Opens a file with `node:sqlite`, or on Node before 22.13 with a package of the same interface. A process must use only one of
 * them, because two copies of SQLite release each other's locks on a file. Calls are synchronous, and fail at once if another
 * process blocks them.
 */
export function openSqlite(file: string): DatabaseSyncInstance {
  // Node warns that its SQLite is experimental; comanda is tested on every supported version of Node.
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

/** Returns whether SQLite reports one of these messages (https://sqlite.org/rescode.html). */
function isSqliteError(error: unknown, pattern: RegExp): boolean {
  return (
    error instanceof Error && systemErrorCode(error) === "ERR_SQLITE_ERROR" && pattern.test(error.message)
  );
}

/** Converts SQLite's error into one that names the cause in the disk or the file. */
function sqliteError(error: unknown, file: string): unknown {
  const folder = path.dirname(file);
  const fault = (code: string) =>
    fileError(Object.assign(new Error(code, { cause: error }), { code }), "write", file);
  const malformed = /^(?:database disk image is malformed|malformed database|file is not a database)/;
  // The drivers fail on integers that a number can't represent, which comanda never writes.
  const isTooLarge = error instanceof Error && error.message.startsWith("Value is too large");
  if (isTooLarge || isSqliteError(error, malformed))
    return damaged(file, { about: "damaged_database", place: file }, error);
  if (isSqliteError(error, /^database or disk is full/)) return fault("ENOSPC");
  if (!isSqliteError(error, /^(?:disk I\/O|access permission|attempt to write a readonly|.*unable to open)/))
    return error;
  // SQLite doesn't report why it can't write, but the system does.
  const probe = `${file}.${crypto.randomUUID()}.tmp`;
  try {
    const descriptor = openSync(probe, "wx", 0o600);
    try {
      const sizes = ["", "-wal", "-shm"].map((end) => lstatIfPresent(file + end)?.size ?? 0);
      ftruncateSync(descriptor, Math.max(...sizes) + 64 * 1024);
    } finally {
      closeSync(descriptor);
    }
  } catch (why) {
    return fileError(why, "write", file);
  } finally {
    rmSync(probe, { force: true });
  }
  // SQLite also fails if its auxiliary files don't fit on the disk.
  if ((freeBytes(folder) ?? Infinity) < 64 * 1024) return fault("ENOSPC");
  return fault(isSqliteError(error, /^disk I\/O/) ? "EIO" : "EACCES");
}
