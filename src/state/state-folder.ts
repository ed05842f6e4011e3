/** The one object that sessions, settings and what lies in databases share: private files, leases, and two databases. */
import path from "node:path";

import type { Clock } from "../client/clock.js";
import { createCriticalSections, type CriticalSections } from "./critical-sections.js";
import { createFolderTrust, networkWarning } from "./files/folder-trust.js";
import { createLeases, type WithLease } from "./leases.js";
import { once } from "../api/once.js";
import { realSystem, type System } from "./system.js";
import { createPrivateFiles, type PrivateFiles } from "./files/private-file.js";
import { createProcessTable, type HostProcess, type ProcessTable } from "./locks/process-identity.js";
import type { Columns, Database, DatabaseName, Row, Value } from "./database.js";

export interface StateFolderOptions {
  /** The folder that `configFolder` found. Without one, everything that needs it fails. */
  readonly folder: string | undefined;
  readonly clock: Clock;
  /** Node's `process`. */
  readonly process: HostProcess;
  /** The real disk and real chance where none is given. */
  readonly system?: System;
  /** The signal handler awaits these. The folder has sections of its own where none are given. */
  readonly criticalSections?: CriticalSections;
  /** Ends each wait for another process; work that is under way goes on. */
  readonly signal?: AbortSignal;
  /** Told of each database that is opened in a folder. */
  readonly opens?: (name: DatabaseName) => void;
  /** One sentence for the person; never a secret. */
  readonly warn?: (message: string) => void;
}

export interface Databases {
  /**
   * Opened, and made where it isn't there, when it is first asked for.
   *
   * @throws {ComandaError} `state_unusable`, `lock_timeout`; it is tried anew by whoever asks next
   */
  readonly database: (name: DatabaseName) => Promise<Database>;
  /** Like {@link database}, for readers: gives `undefined` where there is no database, and makes none. */
  readonly existingDatabase: (name: DatabaseName) => Promise<Database | undefined>;
  /** Gives the rows that a query finds: none where there is no database. */
  readonly rowsIn: <Names extends Columns>(
    name: DatabaseName,
    columns: Names,
    sql: string,
    ...values: readonly Value[]
  ) => Promise<readonly Row<Names>[]>;
  /**
   * Is there one, whether or not it can be used?
   *
   * @throws {ComandaError} `state_unusable` where its folder isn't safe to be used
   */
  readonly hasDatabase: (name: DatabaseName) => boolean;
}

/** A folder that is the user's own: private files lie there, with `comanda.db` and `sales.db`. */
export interface StateFolder extends Databases {
  readonly path: string;
  readonly files: PrivateFiles;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly withLease: WithLease;
  /** Ends waits. */
  readonly signal: AbortSignal | undefined;
  readonly warn: (message: string) => void;
}

/** Touches nothing on disk: the first write makes the folders, mode 0700. */
export function openStateFolder(options: StateFolderOptions): StateFolder {
  const { clock, process, signal, criticalSections = createCriticalSections() } = options;
  const { warn = () => undefined, system = realSystem } = options;
  const table = createProcessTable(process);

  const folder = options.folder ?? "";
  const trust = createFolderTrust({ root: options.folder, disk: system.disk, host: process, warn });
  const files = createPrivateFiles(system, process, table, trust);
  const warnOfNetwork = once(() => {
    const warning = networkWarning(system.disk, process.platform, folder);
    if (warning !== undefined) warn(warning);
  });
  const fileOf = (name: DatabaseName) => path.join(folder, `${name}.db`);

  async function openDatabase(name: DatabaseName): Promise<Database> {
    warnOfNetwork();
    const { openSqliteDatabase } = await import("./sqlite.js");
    options.opens?.(name);
    return openSqliteDatabase({
      ...{ file: fileOf(name), name, files, clock, signal },
    });
  }

  const databases = createDatabases(openDatabase, (name) => files.isThere(fileOf(name)));
  return {
    ...{ path: folder, files, clock, table, signal, warn },
    ...databases,
    withLease: createLeases({
      database: () => databases.database("comanda"),
      ...{ clock, criticalSections, signal },
    }),
  };
}

/** Opens each database once, wherever they lie. */
export function createDatabases(
  open: (name: DatabaseName) => Promise<Database>,
  hasDatabase: (name: DatabaseName) => boolean,
): Databases {
  const databases = new Map<DatabaseName, Promise<Database>>();

  function database(name: DatabaseName): Promise<Database> {
    const opened = databases.get(name);
    if (opened) return opened;
    const opening = open(name);
    databases.set(name, opening);
    opening.catch(() => databases.delete(name));
    return opening;
  }

  const existingDatabase: Databases["existingDatabase"] = async (name) =>
    hasDatabase(name) ? database(name) : undefined;

  return {
    database,
    existingDatabase,
    rowsIn: async (name, ...query) => (await (await existingDatabase(name))?.rows(...query)) ?? [],
    hasDatabase,
  };
}
