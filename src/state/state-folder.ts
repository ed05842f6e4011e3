/** The one object that sessions, settings and what lies in databases share. */
import path from "node:path";

import type { Clock } from "../shared/clock.js";
import { createCriticalSections, type CriticalSections } from "./locks/critical-sections.js";
import { createFolderTrust, networkWarning } from "./files/folder-trust.js";
import { createLocks, type LockAttempt, type LockOptions, type Locks } from "./locks/locks.js";
import { once } from "../shared/once.js";
import { realSystem, type System } from "../shared/system.js";
import { createPrivateFiles, type PrivateFiles } from "./files/private-file.js";
import { createProcessTable, type HostProcess, type ProcessTable } from "./locks/process-identity.js";
import type { Database, DatabaseName } from "./database.js";
import type { OpenSqlite } from "./sqlite-driver.js";

export interface StateFolderOptions {
  /** The folder that `configFolder` found. Without one, everything that needs it fails. */
  readonly folder: string | undefined;
  readonly clock: Clock;
  /** Node's `process`. */
  readonly process: HostProcess;
  /** The variable that moves the folder, where it isn't `COMANDA_CONFIG_DIR`. */
  readonly movedBy?: string;
  /** The real disk and real chance where none is given. */
  readonly system?: System;
  /** The process table of the machine where none is given. */
  readonly table?: ProcessTable;
  /** The real SQLite where none is given. */
  readonly openSqlite?: OpenSqlite;
  /** Databases and locks are there in place of this folder. Files are in the folder all the same. */
  readonly shared?: SharedState;
  /** The signal handler awaits these. The folder has sections of its own where none are given. */
  readonly criticalSections?: CriticalSections;
  /** Ends each wait for another process; work that is under way goes on. */
  readonly signal?: AbortSignal;
  /** Told of each database that is opened in the folder. */
  readonly opens?: (name: DatabaseName) => void;
  /** One sentence for the person; never a secret. */
  readonly warn?: (message: string) => void;
}

/** Databases and locks that many machines share. */
export interface SharedState {
  database(name: DatabaseName): Promise<Database>;
  readonly locks: Locks;
}

export interface StateFolder {
  readonly path: string;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly files: PrivateFiles;
  readonly locks: Locks;
  /**
   * Opened, and made where it isn't there, when it is first asked for.
   *
   * @throws {ComandaError} `state_unusable`, `lock_timeout`; it is tried anew by whoever asks next
   */
  database(name: DatabaseName): Promise<Database>;
  /** Like {@link database}, for readers: gives `undefined` where there is no database, and makes none. */
  existingDatabase(name: DatabaseName): Promise<Database | undefined>;
  /**
   * Is there one, whether or not it can be used?
   *
   * @throws {ComandaError} `state_unusable` where the folder isn't safe to be used
   */
  hasDatabase(name: DatabaseName): boolean;
  readonly warn: (message: string) => void;
}

/** Touches nothing on disk: the first write makes the folder, mode 0700. */
export function openStateFolder(options: StateFolderOptions): StateFolder {
  const { folder: root, clock, process, signal, shared, movedBy = "COMANDA_CONFIG_DIR" } = options;
  const { warn = () => undefined, system = realSystem, table = createProcessTable(process) } = options;
  const { criticalSections = createCriticalSections() } = options;
  const folder = root ?? "";
  const trust = createFolderTrust({ root, disk: system.disk, host: process, warn });
  const files = createPrivateFiles(system, process, table, trust);
  const fileOf = (name: DatabaseName) => path.join(folder, `${name}.db`);
  const hasDatabase = (name: DatabaseName) => shared !== undefined || files.isThere(fileOf(name));
  const databases = new Map<DatabaseName, Promise<Database>>();

  function database(name: DatabaseName): Promise<Database> {
    const opened = databases.get(name);
    if (opened) return opened;
    const opening = shared ? shared.database(name) : openDatabase(name);
    databases.set(name, opening);
    opening.catch(() => databases.delete(name));
    return opening;
  }

  const warnOfNetwork = once(() => {
    const warning = networkWarning(system.disk, process.platform, folder, movedBy);
    if (warning !== undefined) warn(warning);
  });

  // The code that opens locks and databases is loaded where it is needed.
  const driver = async () => options.openSqlite ?? (await import("./sqlite-driver.js")).openSqlite;

  async function attemptLock(name: string, { isPassing }: LockOptions): Promise<LockAttempt> {
    warnOfNetwork();
    const { createSqliteLockAttempt } = await import("./locks/sqlite-locks.js");
    return createSqliteLockAttempt(name, {
      ...{ folder: path.join(folder, "locks"), files, clock, isPassing },
      ...{ openSqlite: await driver(), self: () => table.self() },
    });
  }

  async function openDatabase(name: DatabaseName): Promise<Database> {
    warnOfNetwork();
    const { openSqliteDatabase } = await import("./sqlite.js");
    const openSqlite = await driver();
    options.opens?.(name);
    return openSqliteDatabase({
      ...{ file: fileOf(name), name, files, clock, openSqlite, signal },
      boot: table.self().boot ?? "",
    });
  }

  const locking = { clock, system, criticalSections, attempt: attemptLock, ...(signal && { signal }) };
  return {
    path: folder,
    clock,
    table,
    files,
    locks: shared?.locks ?? createLocks(locking),
    database,
    existingDatabase: async (name) => (hasDatabase(name) ? database(name) : undefined),
    hasDatabase,
    warn,
  };
}
