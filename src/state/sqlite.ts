/**
 * A database of this machine: one file, which SQLite keeps. It is in WAL mode, so that whoever reads for long keeps no
 * writer waiting, and a commit is on the disk before it is told.
 */
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { once } from "../api/once.js";
import { steadyNow, type Clock } from "../client/clock.js";
import { ComandaError, systemErrorCode } from "../client/errors.js";
import { t } from "../languages/language.js";
import {
  checkedRows,
  newSchema,
  refuseOtherSchema,
  schemaVersion,
  versionTable,
  type Database,
  type DatabaseName,
  type Statements,
  type Value,
} from "./database.js";
import { fileError, freeBytes, isUnwritable, lstatIfPresent, type PrivateFiles } from "./private-file.js";
import { shellWord } from "./shell-word.js";

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
/** Each process reads the whole log that earlier ones have left. A longer one is put into the database before more is written. */
const longLogBytes = 256 * 1024;

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
    const isReadable = isUnwritable(error) && files.isThere(file);
    if (!isReadable || (lstatIfPresent(`${file}-wal`)?.size ?? 0) > 0) throw error;
    return openFile(options, `${pathToFileURL(file).href}?immutable=1`);
  }
}

/** @param address what SQLite knows the file by */
async function openFile(
  { file, name, files, clock, signal }: SqliteOptions,
  address: string,
): Promise<Database> {
  // Its owner may let others read the answers about sales: there is no secret in them.
  files.prepare(file, name === "sales" ? "read" : "nothing");
  const connection = await whenFree(() => openSqlite(address));
  const statementsBySql = new Map<string, SqliteStatement>();
  let isLogShort = false;
  let last: Promise<unknown> = Promise.resolve();

  /** SQLite's own wait would stop the whole process: signals, and answers that are on their way. */
  async function whenFree<Result>(work: () => Result): Promise<Result> {
    const until = signal?.aborted ? undefined : signal;
    const start = steadyNow(clock);
    for (;;) {
      try {
        return work();
      } catch (error) {
        const waited = steadyNow(clock) - start;
        const code = sqliteCode(error);
        const isBusy = code === codes.busy || code === codes.protocol;
        if (!isBusy || waited >= waitMs) throw sqliteError(error, file, waited);
        const pause = pauseMs.min + Math.random() * (pauseMs.max - pauseMs.min);
        until?.throwIfAborted();
        await clock.sleep(Math.min(pause, waitMs - waited), until);
      }
    }
  }

  /** Binds by places: drivers look up each value that has a name. */
  function prepared(sql: string, values: readonly Value[]) {
    const known = statementsBySql.get(sql) ?? connection.prepare(sql.replaceAll(/\$\d+/g, "?"));
    statementsBySql.set(sql, known);
    const placed = Array.from(sql.matchAll(/\$(\d+)/g), ([, number]) => values[Number(number) - 1] ?? null);
    return [known, placed] as const;
  }

  const statements: Statements = {
    async rows(columns, sql, ...values) {
      const rows = await whenFree(() => {
        const [statement, placed] = prepared(sql, values);
        return statement.all(...placed);
      });
      return checkedRows(columns, rows, file);
    },
    run: (sql, ...values) =>
      whenFree(() => {
        const [statement, placed] = prepared(sql, values);
        return Number(statement.run(...placed).changes);
      }),
    now: () => Promise.resolve(Math.round(clock.now())),
  };

  /** There is one connection, so a task waits until the transaction of another is over. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  async function shortenLog(): Promise<void> {
    if (isLogShort) return;
    isLogShort = true;
    const log = lstatIfPresent(`${file}-wal`);
    if (log !== undefined && log.size > longLogBytes)
      await whenFree(() => connection.exec("pragma wal_checkpoint(truncate)"));
  }

  async function transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    await shortenLog();
    await whenFree(() => connection.exec("begin immediate"));
    try {
      const result = await work();
      await whenFree(() => connection.exec("commit"));
      return result;
    } catch (error) {
      try {
        connection.exec("rollback");
      } catch (failure) {
        // SQLite has done so itself, as it does where the disk is full.
        if (sqliteCode(failure) !== codes.error) throw sqliteError(failure, file);
      }
      throw error;
    }
  }

  /** @returns `undefined` where there is no such table */
  async function readVersion(): Promise<number | undefined> {
    try {
      const [row] = await statements.rows({ version: "bigint" }, `select version from ${versionTable[name]}`);
      if (!row) throw damaged(file);
      refuseOtherSchema(file, row.version);
      return row.version;
    } catch (error) {
      if (sqliteCode(error) !== codes.error) throw error;
      return undefined;
    }
  }

  async function bringSchema(): Promise<void> {
    // The mode stays with the file. It can't be changed within a transaction.
    await whenFree(() => connection.exec("pragma journal_mode = wal"));
    await transaction(async () => {
      if ((await readVersion()) === schemaVersion) return;
      const tables = await statements.rows({ name: "text" }, "select name from sqlite_master limit 1");
      if (tables.length > 0) throw damaged(file);
      await whenFree(() => connection.exec(newSchema(name, "SQLite")));
    });
  }

  try {
    await whenFree(() => connection.exec("pragma trusted_schema = off; pragma synchronous = full"));
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
        await shortenLog();
        return statements.run(...args);
      }),
    now: () => statements.now(),
    transaction: (_name, work) => inTurn(() => transaction(() => work(statements))),
    check: () =>
      inTurn(async () => {
        try {
          const lines = await statements.rows({ quick_check: "text" }, "pragma quick_check");
          return lines.map((line) => line.quick_check).filter((line) => line !== "ok");
        } catch (error) {
          if (error instanceof ComandaError) return [error.message];
          throw error;
        }
      }),
    close: () =>
      inTurn(() => {
        connection.close();
        return Promise.resolve();
      }),
  };
}

/** An open file. Each call is carried out before it returns, or fails at once where another process is in the way. */
export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

interface SqliteStatement {
  /** @param values by their places, `?` */
  all(...values: readonly Value[]): unknown[];
  run(...values: readonly Value[]): { readonly changes: number | bigint };
}

interface Driver {
  readonly DatabaseSync: new (file: string) => SqliteConnection;
}

export function openSqlite(file: string): SqliteConnection {
  return new (driver().DatabaseSync)(file);
}

/**
 * `node:sqlite` where Node has it (22.13 on), its drop-in with the same interface on Node 20. One of them in a process: two
 * copies of SQLite that have one file open take each other's locks away.
 */
const driver = once((): Driver => {
  try {
    const load = createRequire(path.join(import.meta.dirname, "sqlite.js"));
    const loaded: unknown = builtIn() ?? load("@photostructure/sqlite");
    if (isDriver(loaded)) return loaded;
    throw new Error("not SQLite");
  } catch (error) {
    throw new ComandaError("state_unusable", t`comanda can't keep its state: this Node has no SQLite.`, {
      hint: t`Use Node 22.13 or newer, or install comanda again with its optional dependencies: npm install --include=optional`,
      cause: error,
    });
  }
});

/** Node warns that its own SQLite may change. comanda's tests run on each version of Node that it takes. */
function builtIn(): unknown {
  const usual = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    if (usual) Object.defineProperty(process, "emitWarning", usual);
  }
}

function isDriver(module: unknown): module is Driver {
  return (
    typeof module === "object" &&
    module !== null &&
    "DatabaseSync" in module &&
    typeof module.DatabaseSync === "function"
  );
}

/** SQLite's result codes that say something of the file, or of other processes (https://sqlite.org/rescode.html). */
const codes = {
  error: 1,
  permission: 3,
  busy: 5,
  readOnly: 8,
  disk: 10,
  damaged: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notDatabase: 26,
} as const;

/** The drop-in tells no code where a statement that gives back rows fails. These are SQLite's own words. */
const codesByMessage: Readonly<Record<string, number>> = {
  "access permission denied": codes.permission,
  "database is locked": codes.busy,
  "attempt to write a readonly database": codes.readOnly,
  "disk I/O error": codes.disk,
  "database disk image is malformed": codes.damaged,
  "database or disk is full": codes.full,
  "unable to open database file": codes.cannotOpen,
  "locking protocol": codes.protocol,
  "file is not a database": codes.notDatabase,
};

/** @returns the primary result code; `undefined` where the error isn't SQLite's */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || systemErrorCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  return codesByMessage[error.message] ?? codes.error;
}

/** @param waitedMs how long others were waited for, where they are what is wrong */
function sqliteError(error: unknown, file: string, waitedMs = 0): unknown {
  const withCode = (code: string) => Object.assign(new Error(code, { cause: error }), { code });
  const folder = path.dirname(file);
  switch (sqliteCode(error)) {
    case codes.busy:
    case codes.protocol:
      return new ComandaError(
        "lock_timeout",
        t`Another process is writing to ${file}; this one waited for ${Math.round(waitedMs / 1000)} s.`,
        { hint: t`Run the command again when the other one has ended.`, cause: error },
      );
    case codes.full:
      return fileError(withCode("ENOSPC"), "write", file);
    // A full disk has no room for what SQLite keeps beside the file, either.
    case codes.readOnly:
    case codes.permission:
    case codes.cannotOpen:
      return fileError(
        whyUnwritable(folder) ?? withCode(isFull(folder) ? "ENOSPC" : "EACCES"),
        "write",
        file,
      );
    case codes.disk:
      return fileError(withCode(isFull(folder) ? "ENOSPC" : "EIO"), "write", file);
    case codes.damaged:
    case codes.notDatabase:
      return damaged(file, error);
    default:
      return error;
  }
}

export function damaged(file: string, cause?: unknown): ComandaError {
  return new ComandaError("state_unusable", t`${file} is damaged.`, {
    hint: t`Move it away, and comanda begins a new one; sign-ins are not in it. \`sqlite3 ${shellWord(file)} .recover\` shows what can still be read.`,
    cause,
  });
}

/** SQLite doesn't say why it can't write; the system does. */
function whyUnwritable(folder: string): unknown {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return error;
  }
}

function isFull(folder: string): boolean {
  const free = freeBytes(folder);
  return free !== undefined && free < 64 * 1024;
}
