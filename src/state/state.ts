/**
 * This file alone decides where state lies: in files of this machine, or in the PostgreSQL that COMANDA_STATE names.
 * Nothing of PostgreSQL is loaded where it isn't named. Nothing is touched on the disk: the first write makes the folders.
 */
import path from "node:path";

import type { Clock } from "../base/clock.js";
import { ComandaError, systemErrorCode } from "../base/errors.js";
import type { Database, DatabaseName } from "./database.js";
import { underLease, type LeasesContext, type WithLease } from "./leases.js";
import { configFolder, openPrivateFiles, type PrivateFiles } from "./private-file.js";
import { openSessions, sessionFiles, type SessionStore, type TextStore } from "./sessions.js";
import { openSettings, type SettingsFile } from "./settings.js";

export interface StateOptions extends Pick<LeasesContext, "clock" | "critical" | "signal"> {
  /** Receives the name of each database that is opened as a file. */
  readonly openFiles?: Set<DatabaseName>;
  /** One sentence for the person; never a secret. */
  readonly warn?: (message: string) => void;
}

export interface FolderOptions extends StateOptions {
  /** An absolute path; empty where the user has no folder. */
  readonly folder: string;
  readonly files?: PrivateFiles;
  /** A PostgreSQL in place of databases, and of files but for what is the user's own. */
  readonly server?: {
    /** It has no password. */
    readonly address: string;
    readonly database: (name: DatabaseName) => Promise<Database>;
    readonly texts: (database: () => Promise<Database>) => TextStore;
  };
}

/** All that comanda keeps: private files in a folder that is the user's own, with `comanda.db` and `sales.db`; or a PostgreSQL. */
export interface State {
  /** Empty where the user has no folder; then everything that needs it fails. */
  readonly path: string;
  readonly files: PrivateFiles;
  readonly clock: Clock;
  /** Ends each wait for another process; work that is under way goes on. */
  readonly signal: AbortSignal | undefined;
  readonly warn: (message: string) => void;
  /**
   * `comanda` where no name is given. Opened once, and made where it isn't there, when it is first asked for.
   *
   * @throws {ComandaError} `state_unusable`, `lock_timeout`; it is tried anew by whoever asks next
   */
  readonly database: (name?: DatabaseName) => Promise<Database>;
  /** Is there one, whether or not it can be used? Who only reads makes none. It throws where its folder isn't safe to be used. */
  readonly hasDatabase: (name: DatabaseName) => boolean;
  readonly withLease: WithLease;
  readonly sessions: SessionStore;
  readonly settings: SettingsFile;
  /** The address has no password. */
  readonly place: { readonly engine: "sqlite" | "postgresql"; readonly address: string };
}

/**
 * @throws {ComandaError} `configuration` for an address that can't be used; `state_unusable` where the server can't be
 *   reached or refuses us: then nothing has been sent; and where the configuration folder is a link, someone else's, or can be
 *   written by others: whoever could put files there could send what is sent elsewhere
 */
export async function openState({
  env,
  ...options
}: StateOptions & { readonly env: Readonly<Record<string, string | undefined>> }): Promise<State> {
  const folder = configFolder(env) ?? "";
  const files = openPrivateFiles(folder);
  try {
    if (folder !== "") files.trusts(folder);
  } catch (error) {
    // A folder that can't be had at all is no unsafe one: what needs none works.
    if (!(error instanceof ComandaError) || systemErrorCode(error.cause) === undefined) throw error;
  }
  const text = env["COMANDA_STATE"];
  if (!text) return openFolder({ ...options, folder, files });
  const { openPostgres, openSealedRows, parsePostgresAddress } = await import("./postgres.js");
  const address = parsePostgresAddress(text);
  const postgres = openPostgres(address);
  // Nothing is sent without the journal of the chain.
  await postgres.connect();
  const texts = (open: () => Promise<Database>) => openSealedRows(open, env);
  const server = { address: address.place, database: postgres.database, texts };
  return openFolder({ ...options, folder, files, server });
}

export function openFolder(options: FolderOptions): State {
  const { folder, files = openPrivateFiles(folder), clock, signal, critical, openFiles, server } = options;
  const { warn = () => undefined } = options;
  const databases = new Map<DatabaseName, Promise<Database>>();

  function database(name: DatabaseName = "comanda"): Promise<Database> {
    const opened = databases.get(name);
    if (opened) return opened;
    const file = path.join(folder, `${name}.db`);
    if (!server) openFiles?.add(name);
    const opening = server
      ? server.database(name)
      : import("./sqlite.js").then((sqlite) =>
          sqlite.openSqliteDatabase({ file, name, files, clock, signal }),
        );
    databases.set(name, opening);
    opening.catch(() => databases.delete(name));
    return opening;
  }

  const leases = { database, clock, critical, signal, isShared: server !== undefined };
  const withLease: WithLease = (...work) => underLease(leases, ...work);
  const rows = server?.texts(database);
  return {
    path: folder,
    files,
    clock,
    signal,
    warn,
    database,
    hasDatabase: (name) => server !== undefined || files.isThere(path.join(folder, `${name}.db`)),
    withLease,
    sessions: openSessions(rows ?? sessionFiles(folder, files), withLease),
    settings: openSettings(folder, files, withLease, rows),
    place: server ? { engine: "postgresql", address: server.address } : { engine: "sqlite", address: folder },
  };
}
