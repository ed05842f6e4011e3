/**
 * This file alone decides where state lies: in files of this machine, or in the PostgreSQL that COMANDA_STATE names.
 * Nothing of PostgreSQL is loaded where it isn't named. Nothing is touched on the disk: the first write makes the folders.
 */
import path from "node:path";

import type { Clock } from "../client/clock.js";
import { ComandaError, systemErrorCode } from "../client/errors.js";
import { t } from "../languages/language.js";
import { configFolder } from "./config-folder.js";
import type { Columns, Database, DatabaseName, Row, Value } from "./database.js";
import { underLease, type LeasesContext, type WithLease } from "./leases.js";
import { openPrivateFiles, type PrivateFiles } from "./private-file.js";
import { openSessions, sessionFiles, type SessionStore } from "./sessions.js";
import { openSettings, type SettingsFile } from "./settings.js";

export interface StateOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly critical?: LeasesContext["critical"];
  /** Ends each wait for another process; work that is under way goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each database that is opened in a folder. */
  readonly opens?: (name: DatabaseName) => void;
  /** One sentence for the person; never a secret. */
  readonly warn?: (message: string) => void;
}

export interface FolderOptions extends Omit<StateOptions, "env"> {
  /** An absolute path; `undefined` where the user has none: then everything that needs it fails. */
  readonly folder: string | undefined;
}

/** All that comanda keeps: private files in a folder that is the user's own, with `comanda.db` and `sales.db`; or a PostgreSQL. */
export interface State extends ReturnType<typeof createDatabases> {
  /** Empty where the user has no folder; then everything that needs it fails. */
  readonly path: string;
  readonly files: PrivateFiles;
  readonly clock: Clock;
  readonly withLease: WithLease;
  /** Ends waits. */
  readonly signal: AbortSignal | undefined;
  readonly warn: (message: string) => void;
  readonly sessions: SessionStore;
  readonly settings: SettingsFile;
  /** The address has no password. */
  readonly place: { readonly engine: "sqlite" | "postgresql"; readonly address: string };
}

/** Opens the state of this machine. */
export function openFolder({ folder = "", clock, signal, ...options }: FolderOptions): State {
  const { warn = () => undefined, critical } = options;
  const files = openPrivateFiles(folder);
  const databases = createDatabases(
    async (name) => {
      const { openSqliteDatabase } = await import("./sqlite.js");
      options.opens?.(name);
      return openSqliteDatabase({ file: path.join(folder, `${name}.db`), name, files, clock, signal });
    },
    (name) => files.isThere(path.join(folder, `${name}.db`)),
  );
  const database = () => databases.database("comanda");
  const withLease: WithLease = (...work) => underLease({ database, clock, critical, signal }, ...work);
  return {
    ...databases,
    path: folder,
    files,
    clock,
    signal,
    warn,
    withLease,
    sessions: openSessions(sessionFiles(folder, files), withLease),
    settings: openSettings(folder, files, withLease),
    place: { engine: "sqlite", address: folder },
  };
}

/**
 * @throws {ComandaError} `configuration` for an address that can't be used; `state_unusable` where the server can't be
 *   reached or refuses us: then nothing has been sent; and where the configuration folder is a link, someone else's, or can be
 *   written by others: whoever could put files there could send what is sent elsewhere
 */
export async function openState({ env, ...options }: StateOptions): Promise<State> {
  const own = openFolder({ ...options, folder: configFolder(env) });
  try {
    if (own.path !== "") own.files.trusts(own.path);
  } catch (error) {
    // A folder that can't be had at all is no unsafe one: what needs none works.
    if (!(error instanceof ComandaError) || systemErrorCode(error.cause) === undefined) throw error;
  }
  const source = "COMANDA_STATE";
  const text = env[source];
  if (!text) return own;
  if (!/^postgres(?:ql)?:/i.test(text)) {
    throw new ComandaError("configuration", t`${source} names no place that comanda can keep its state in.`, {
      hint: t`It takes postgres://user@host/database for a chain.`,
    });
  }
  const [{ openPostgres, parsePostgresAddress }, { openSealedRows }] = await Promise.all([
    import("./postgres.js"),
    import("./sealed-rows.js"),
  ]);
  const { clock, signal, critical } = options;
  const address = parsePostgresAddress(text);
  const postgres = openPostgres(address);
  // Nothing is sent without the journal of the chain.
  await postgres.connect();
  const databases = createDatabases(
    (name) => postgres.database(name),
    () => true,
  );
  const database = () => databases.database("comanda");
  const withLease: WithLease = (...work) => underLease({ database, clock, critical, signal }, ...work);
  const rows = openSealedRows(database, env);
  return {
    ...own,
    ...databases,
    withLease,
    sessions: openSessions(rows, withLease),
    settings: openSettings(own.path, own.files, withLease, rows),
    place: { engine: "postgresql", address: address.place },
  };
}

/** @param hasDatabase is there one, whether or not it can be used? It throws where its folder isn't safe to be used */
export function createDatabases(
  open: (name: DatabaseName) => Promise<Database>,
  hasDatabase: (name: DatabaseName) => boolean,
) {
  const databases = new Map<DatabaseName, Promise<Database>>();

  /**
   * Opened once, and made where it isn't there, when it is first asked for.
   *
   * @throws {ComandaError} `state_unusable`, `lock_timeout`; it is tried anew by whoever asks next
   */
  function database(name: DatabaseName): Promise<Database> {
    const opened = databases.get(name);
    if (opened) return opened;
    const opening = open(name);
    databases.set(name, opening);
    opening.catch(() => databases.delete(name));
    return opening;
  }

  /** For readers: `undefined` where there is no database, and none is made. */
  async function existingDatabase(name: DatabaseName): Promise<Database | undefined> {
    return hasDatabase(name) ? database(name) : undefined;
  }

  /** Gives the rows that a query finds: none where there is no database. */
  async function rowsIn<Names extends Columns>(
    name: DatabaseName,
    columns: Names,
    sql: string,
    ...values: readonly Value[]
  ): Promise<readonly Row<Names>[]> {
    return (await (await existingDatabase(name))?.rows(columns, sql, ...values)) ?? [];
  }

  return { database, existingDatabase, rowsIn, hasDatabase };
}
