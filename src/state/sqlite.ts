/**
 * A database of this machine: one file, which SQLite keeps. It is in WAL mode, so that whoever reads for long keeps no
 * writer waiting, and a commit is on the disk before it is told.
 */
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { once } from "../api/basics.js";
import { steadyNow, type Clock } from "../client/clock.js";
import { ComandaError, isUnwritable, systemErrorCode } from "../client/errors.js";
import { t } from "../languages/language.js";
import {
  checkedRows,
  newSchema,
  refuseOtherSchema,
  versionTable,
  type Database,
  type DatabaseName,
  type Statements,
  type Value,
} from "./database.js";
import { fileError, freeBytes, lstatIfPresent, type PrivateFiles } from "./private-file.js";
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
        if (faultOf(error) !== "busy" || waited >= waitMs) throw sqliteError(error, file, waited);
        const pause = pauseMs.min + Math.random() * (pauseMs.max - pauseMs.min);
        until?.throwIfAborted();
        await clock.sleep(Math.min(pause, waitMs - waited), until);
      }
    }
  }

  const statements: Statements = {
    async rows(columns, sql, ...values) {
      const rows = await whenFree(() => connection.prepare(sql).all(named(values)));
      return checkedRows(columns, rows, file);
    },
    run: (sql, ...values) => whenFree(() => Number(connection.prepare(sql).run(named(values)).changes)),
    now: () => Promise.resolve(Math.round(clock.now())),
  };

  /** There is one connection, so a task waits until the transaction of another is over. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  async function transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    await whenFree(() => connection.exec("begin immediate"));
    try {
      const result = await work();
      await whenFree(() => connection.exec("commit"));
      return result;
    } catch (error) {
      try {
        connection.exec("rollback");
      } catch {
        // SQLite has done so itself, as it does where the disk is full.
      }
      throw error;
    }
  }

  async function hasSchema(): Promise<boolean> {
    const find =
      "select count(*) as tables, count(case when name = $1 then 1 end) as own from sqlite_master where type = 'table'";
    const [found] = await statements.rows({ tables: "bigint", own: "bigint" }, find, versionTable[name]);
    if (!found?.tables) return false;
    const select = `select version from ${versionTable[name]}`;
    const [row] = found.own ? await statements.rows({ version: "bigint" }, select) : [];
    if (!row) throw damaged(file);
    refuseOtherSchema(file, row.version);
    return true;
  }

  try {
    await whenFree(() => connection.exec(pragmas));
    if (!(await hasSchema())) {
      // The mode stays with the file. It can't be changed within a transaction.
      await whenFree(() => connection.exec("pragma journal_mode = wal"));
      await transaction(async () => {
        if (!(await hasSchema())) await whenFree(() => connection.exec(newSchema(name, "SQLite")));
      });
    }
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    place: file,
    rows: (...query) => inTurn(() => statements.rows(...query)),
    run: (...query) => inTurn(() => statements.run(...query)),
    now: () => statements.now(),
    transaction: (_name, work) => inTurn(() => transaction(() => work(statements))),
    check: () =>
      inTurn(async () => {
        const lines = await statements.rows({ quick_check: "text" }, "pragma quick_check");
        return lines.map((line) => line.quick_check).filter((line) => line !== "ok");
      }),
    close: () =>
      inTurn(() => {
        connection.close();
        return Promise.resolve();
      }),
  };
}

/** The values by the names that they have in a statement: `$1`. */
function named(values: readonly Value[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
}

/** An open file. Each call is carried out before it returns, or fails at once where another process is in the way. */
export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** Values have places, `?`, or names. */
type Parameters = readonly (Value | Readonly<Record<string, Value>>)[];

interface SqliteStatement {
  all(...values: Parameters): unknown[];
  run(...values: Parameters): { readonly changes: number | bigint };
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
  // Node warns that its own SQLite may change. comanda's tests run on each version of Node that it takes.
  const usual = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = () => undefined;
  try {
    const load = createRequire(path.join(import.meta.dirname, "sqlite.js"));
    const loaded: unknown = process.getBuiltinModule("node:sqlite") ?? load("@photostructure/sqlite");
    if (isDriver(loaded)) return loaded;
    throw new Error("not SQLite");
  } catch (error) {
    throw new ComandaError("state_unusable", t`comanda can't keep its state: this Node has no SQLite.`, {
      hint: t`Use Node 22.13 or newer, or install comanda again with its optional dependencies: npm install --include=optional`,
      cause: error,
    });
  } finally {
    if (usual) Object.defineProperty(process, "emitWarning", usual);
  }
});

function isDriver(module: unknown): module is Driver {
  return (
    typeof module === "object" &&
    module !== null &&
    "DatabaseSync" in module &&
    typeof module.DatabaseSync === "function"
  );
}

/** SQLite's own words for what is wrong with a file, or with other processes (https://sqlite.org/rescode.html). */
const faults = {
  busy: /^(?:database is locked|locking protocol)/,
  full: /^database or disk is full/,
  unwritable:
    /^(?:access permission denied|attempt to write a readonly database|unable to open database file)/,
  disk: /^disk I\/O error/,
  damaged: /^(?:database disk image is malformed|malformed database schema|file is not a database)/,
} as const;

function faultOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || systemErrorCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  return Object.entries(faults).find(([, words]) => words.test(error.message))?.[0];
}

/** @param waitedMs how long others were waited for, where they are what is wrong */
function sqliteError(error: unknown, file: string, waitedMs: number): unknown {
  const withCode = (code: string) => Object.assign(new Error(code, { cause: error }), { code });
  const fault = faultOf(error);
  switch (fault) {
    case "busy":
      return new ComandaError(
        "lock_timeout",
        t`Another process is writing to ${file}; this one waited for ${Math.round(waitedMs / 1000)} s.`,
        { hint: t`Run the command again when the other one has ended.`, cause: error },
      );
    case "full":
      return fileError(withCode("ENOSPC"), "write", file);
    case "unwritable":
    case "disk":
      // SQLite doesn't say why it can't write; the system does.
      try {
        accessSync(path.dirname(file), constants.W_OK | constants.X_OK);
      } catch (why) {
        return fileError(why, "write", file);
      }
      // A full disk has no room for what SQLite keeps beside the file, either.
      return fileError(
        withCode(isFull(file) ? "ENOSPC" : fault === "disk" ? "EIO" : "EACCES"),
        "write",
        file,
      );
    case "damaged":
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

function isFull(file: string): boolean {
  const free = freeBytes(path.dirname(file));
  return free !== undefined && free < 64 * 1024;
}
