/**
 * The databases of a simulated world: real ones of SQLite's, on a disk in memory where the machine has one. Which of them a
 * path names is what the simulated disk says: a file that is made anew there is another database.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { sqliteCode, sqliteCodes, openSqlite } from "../../src/state/sqlite/sqlite-driver.js";
import type { OpenSqlite, SqliteConnection, SqliteStatement } from "../../src/state/sqlite/sqlite-driver.js";
import { DiskError, type SimulatedDisk } from "./disk.js";

/** A world has so many bytes left on its disk, or SQLite says that it is full. */
const leastBytes = 4096;

/** One connection of a simulated process. */
interface Open {
  readonly connection: SqliteConnection;
  readonly holder: object;
}

export class Databases {
  readonly #disk: SimulatedDisk;
  readonly #open = new Set<Open>();
  #folder: string | undefined;

  constructor(disk: SimulatedDisk) {
    this.#disk = disk;
  }

  /**
   * @param holder the process
   * @param before told of each call before it is made; may throw what makes it fail
   */
  open(holder: object, before: (call: string, file: string) => void): OpenSqlite {
    return (file) => {
      before("opens", file);
      const connection = openSqlite(path.join(this.#place(), this.#nameOf(file)));
      const open = { connection, holder };
      this.#open.add(open);
      return {
        exec: (sql) => {
          this.#refuseFull(sql);
          before(sql, file);
          connection.exec(sql);
        },
        prepare: (sql) => this.#prepared(connection.prepare(sql), sql, () => before(sql, file)),
        close: () => this.#close(open),
      };
    };
  }

  #prepared(statement: SqliteStatement, sql: string, before: () => void): SqliteStatement {
    const called = () => {
      this.#refuseFull(sql);
      before();
    };
    return {
      all(...values) {
        called();
        return statement.all(...values);
      },
      run(...values) {
        called();
        return statement.run(...values);
      },
    };
  }

  /** The kernel takes from a process that has ended what it had. */
  end(holder: object): void {
    for (const open of [...this.#open].filter((each) => each.holder === holder)) this.#close(open);
  }

  /** The world is over. */
  remove(): void {
    for (const open of [...this.#open]) this.#close(open);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  #close(open: Open): void {
    if (!this.#open.delete(open)) return;
    try {
      // Statements that are left keep a connection, which is closed, from ending its transaction.
      open.connection.exec("rollback");
    } catch (error) {
      if (sqliteCode(error) !== sqliteCodes.error) throw error;
    }
    open.connection.close();
  }

  #place(): string {
    this.#folder ??= mkdtempSync(path.join(memoryFolder, "comanda-world-"));
    return this.#folder;
  }

  #nameOf(file: string): string {
    try {
      return String(this.#disk.stat(file, true).ino);
    } catch (error) {
      throw error instanceof DiskError ? new SqliteFault(sqliteCodes.cannotOpen) : error;
    }
  }

  #refuseFull(sql: string): void {
    if (this.#disk.free < leastBytes && /^(insert|update|delete|create|commit)/.test(sql.trimStart()))
      throw new SqliteFault(sqliteCodes.full);
  }
}

/** What SQLite says where the simulated disk is the reason. */
export class SqliteFault extends Error {
  readonly code = "ERR_SQLITE_ERROR";

  constructor(readonly errcode: number) {
    super(`SQLite's code ${errcode}: simulated`);
  }
}

/** As a process's own realm makes it. */
export type SqliteErrorOf = (code: number, message: string) => Error;

/** @param errorOf makes an error of the process's own realm: those of another are no `Error` there */
export function inRealm(open: OpenSqlite, errorOf: SqliteErrorOf): OpenSqlite {
  const told = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      const code = sqliteCode(error);
      throw code === undefined || !(error instanceof Error) ? error : errorOf(code, error.message);
    }
  };
  return (file) => {
    const connection = told(() => open(file));
    return {
      exec: (sql) => told(() => connection.exec(sql)),
      close: () => told(() => connection.close()),
      prepare(sql) {
        const statement = told(() => connection.prepare(sql));
        return {
          all: (...values) => told(() => statement.all(...values)),
          run: (...values) => told(() => statement.run(...values)),
        };
      },
    };
  };
}

const memoryFolder = statSync("/dev/shm", { throwIfNoEntry: false })?.isDirectory() ? "/dev/shm" : tmpdir();
