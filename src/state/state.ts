/**
 * Chooses where state is stored: in files on this machine, or in the PostgreSQL database of COMANDA_STATE, whose code is loaded
 * only then. Opening state doesn't touch the disk; the first write creates the folders.
 */
import path from "node:path";

import type { Clock } from "../base/clock.js";
import { ComandaError, isComandaError, systemErrorCode } from "../base/errors.js";
import type { HintFacts } from "../base/hint-facts.js";
import type { Variables } from "../client/http.js";
import type { Database, DatabaseName } from "./database.js";
import { underLease, type LeasesContext, type WithLease } from "./leases.js";
import { configFolder, openPrivateFiles } from "./private-file.js";
import type { openPostgres, openSealedRows } from "./postgres.js";
import { hasCredentials, openSessions, sessionFiles } from "./sessions.js";
import { openSettings } from "./settings.js";
import { openSqliteDatabase } from "./sqlite.js";

export interface StateOptions extends Pick<LeasesContext, "clock" | "critical" | "signal" | "maxWaitMs"> {
  /** Receives the name of each database that is opened as a file. */
  readonly openFiles?: Set<DatabaseName>;
  /** Shows a warning to the user. The message contains no secret. */
  readonly warn?: (message: string, hintFacts?: HintFacts) => void;
}

export interface FolderOptions extends StateOptions {
  /** An absolute path; empty if the user has no folder. */
  readonly folder: string;
  /** PostgreSQL, which replaces the databases, and all files except the user's own settings. */
  readonly server?: Pick<ReturnType<typeof openPostgres>, "location" | "database"> & {
    readonly texts: (database: () => Promise<Database>) => ReturnType<typeof openSealedRows>;
  };
}

/** Everything that comanda stores: private files in the user's folder with `comanda.db` and `sales.db`, or PostgreSQL. */
export type State = ReturnType<typeof openFolder>;

/**
 * @throws {ComandaError} `configuration` for an invalid COMANDA_STATE; `unreachable` if the server accepts no connection for 10 s;
 *   `state_unusable` if it rejects the connection, and if the configuration folder is a link, belongs to another user, or is
 *   writable by others, who could redirect requests by changing its files
 */
export async function openState({
  env,
  maxWaitMs = Infinity,
  ...others
}: StateOptions & { readonly env: Variables }): Promise<State> {
  // Locks are held for moments while other processes work, so each wait may last a second, even with `--max-wait 0`.
  const folder = checkConfigFolder(env);
  const options = { ...others, folder, maxWaitMs: Math.max(1_000, maxWaitMs) };
  const text = env["COMANDA_STATE"];
  if (!text) return openFolder(options);
  const { openPostgres, openSealedRows, parsePostgresAddress } = await import("./postgres.js");
  const postgres = openPostgres(parsePostgresAddress(text), options);
  // No request may be sent without the shared journal.
  await postgres.connect();
  const texts = (open: () => Promise<Database>) => openSealedRows(open, env);
  return openFolder({ ...options, server: { ...postgres, texts } });
}

/**
 * @returns the configuration folder; empty if the user has none
 * @throws {ComandaError} `state_unusable` as {@link openState}
 */
export function checkConfigFolder(env: Variables): string {
  const folder = configFolder(env) ?? "";
  try {
    if (folder !== "") openPrivateFiles(folder).checkFolder(folder);
  } catch (error) {
    // If the folder can't be read at all, commands that don't need it still work.
    if (!(error instanceof ComandaError) || systemErrorCode(error.cause) === undefined) throw error;
  }
  return folder;
}

/**
 * Finds sign-ins of this user that stay valid, but that commands with the current variables don't use: in the settings folder if
 * COMANDA_STATE is set, and in the default one if COMANDA_CONFIG_DIR is set.
 *
 * @returns the stores in each folder, and the variables without which commands use it
 */
export async function findOtherSignIns(env: Variables, clock: Clock) {
  const used = env["COMANDA_STATE"] ? undefined : configFolder(env);
  const places = new Map([
    [configFolder(env), ["COMANDA_STATE"]],
    [configFolder({ ...env, COMANDA_CONFIG_DIR: undefined }), ["COMANDA_STATE", "COMANDA_CONFIG_DIR"]],
  ]);
  const found: { folder: string; stores: readonly string[]; without: readonly string[] }[] = [];
  for (const [folder, without] of places) {
    if (folder === undefined || folder === used) continue;
    const listed = await openFolder({ folder, clock })
      .sessions.list()
      .catch((error: unknown) => {
        // Commands reject the folder, so this user has no sign-ins there.
        if (isComandaError(error, "state_unusable")) return [];
        throw error;
      });
    const stores = listed.filter(hasCredentials).map(({ store }) => store);
    if (stores.length > 0) found.push({ folder, stores, without: without.filter((name) => env[name]) });
  }
  return found;
}

export function openFolder(options: FolderOptions) {
  const { folder, clock, signal, critical, openFiles, server } = options;
  const { warn = () => undefined, maxWaitMs = Infinity } = options;
  const files = openPrivateFiles(folder);
  const databases = new Map<DatabaseName, Promise<Database>>();

  /** Opens a database once, and creates it if it is missing. After a failure, the next call tries again. */
  function database(name: DatabaseName = "comanda"): Promise<Database> {
    const opened = databases.get(name);
    if (opened) return opened;
    if (!server) openFiles?.add(name);
    const file = path.join(folder, `${name}.db`);
    const opening =
      server?.database(name) ?? openSqliteDatabase({ file, name, files, clock, signal, maxWaitMs });
    databases.set(name, opening);
    opening.catch(() => databases.delete(name));
    return opening;
  }

  const hasDatabase = (name: DatabaseName) =>
    server !== undefined || files.exists(path.join(folder, `${name}.db`));
  const leases = { database, clock, critical, signal, maxWaitMs, isShared: server !== undefined };
  const withLease: WithLease = (...work) => underLease(leases, ...work);
  const rows = server?.texts(database);
  return {
    /** Empty if the user has no folder; then everything that needs it fails. */
    path: folder,
    files,
    clock,
    warn,
    database,
    /** Returns whether the database exists, usable or not, so readers don't create one. Throws if its folder isn't safe. */
    hasDatabase,
    /** Opens the database; `undefined` if it doesn't exist. */
    existing: async (name: DatabaseName) => (hasDatabase(name) ? database(name) : undefined),
    withLease,
    sessions: openSessions(rows ?? sessionFiles(folder, files), withLease),
    settings: openSettings(folder, files, withLease, rows),
    /** Encrypts sign-ins and settings with the first state key, unless they are; `undefined` for files. */
    renewSeals: rows && (() => rows.renewSeals(withLease)),
    /** The engine and its folder, or its address without the password. */
    location: server
      ? ({ engine: "postgresql", address: server.location } as const)
      : ({ engine: "sqlite", address: folder } as const),
  };
}
