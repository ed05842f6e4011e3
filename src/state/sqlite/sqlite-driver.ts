/**
 * SQLite itself: `node:sqlite` where Node has it (22.13 on), its drop-in with the same interface on Node 20. One of them
 * in a process: two copies of SQLite that have one file open take each other's locks away.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { ComandaError, systemErrorCode } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { once } from "../../api/once.js";
import type { Value } from "../database.js";

/** An open database. Each call is carried out before it returns, or fails at once where another process is in the way. */
export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  /** @param values by their places, `?` */
  all(...values: readonly Value[]): unknown[];
  run(...values: readonly Value[]): { readonly changes: number | bigint };
}

interface Driver {
  readonly DatabaseSync: new (file: string) => SqliteConnection;
}

/**
 * The driver is loaded when it is first used.
 *
 * @throws an error of SQLite's, see {@link sqliteCode}
 */
export function openSqlite(file: string): SqliteConnection {
  return new (driver().DatabaseSync)(file);
}

const driver = once((): Driver => {
  try {
    const loaded = withoutWarning(() => process.getBuiltinModule("node:sqlite")) ?? dropIn();
    if (isDriver(loaded)) return loaded;
    throw new Error("not SQLite");
  } catch (error) {
    throw new ComandaError("state_unusable", t`comanda can't keep its state: this Node has no SQLite.`, {
      hint: t`Use Node 22.13 or newer, or install comanda again with its optional dependencies: npm install --include=optional`,
      cause: error,
    });
  }
});

const packageName = "@photostructure/sqlite";

/**
 * The package's native file alone loads in a third of the time that its JavaScript takes, of which nothing is used here. Node's
 * own search for a file of a package would take as long again.
 */
function dropIn(): unknown {
  const libc = existsSync("/etc/alpine-release") ? "musl" : "glibc";
  const machine = `${process.platform}-${process.arch}`;
  const native = `${packageName.replace("/", "+")}.${libc}.node`;
  const file = foldersFrom(import.meta.dirname)
    .map((folder) => path.join(folder, "node_modules", packageName, "prebuilds", machine, native))
    .find((place) => existsSync(place));
  // The package has no file for this machine: it finds the one that was compiled here.
  if (file === undefined)
    return createRequire(path.join(import.meta.dirname, "sqlite-driver.js"))(packageName);
  const module = { exports: {} };
  process.dlopen(module, file);
  return module.exports;
}

/** A folder and all that it lies in, in which Node looks for packages. */
function foldersFrom(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersFrom(parent)];
}

/** Node says of its own SQLite that it may change. comanda's tests run on each version of Node that it takes. */
function withoutWarning<Result>(work: () => Result): Result {
  const usual = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = () => undefined;
  try {
    return work();
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
export const sqliteCodes = {
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
  "access permission denied": sqliteCodes.permission,
  "database is locked": sqliteCodes.busy,
  "attempt to write a readonly database": sqliteCodes.readOnly,
  "disk I/O error": sqliteCodes.disk,
  "database disk image is malformed": sqliteCodes.damaged,
  "database or disk is full": sqliteCodes.full,
  "unable to open database file": sqliteCodes.cannotOpen,
  "locking protocol": sqliteCodes.protocol,
  "file is not a database": sqliteCodes.notDatabase,
};

/** @returns the primary result code; `undefined` where the error isn't SQLite's */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || systemErrorCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  return codesByMessage[error.message] ?? sqliteCodes.error;
}
