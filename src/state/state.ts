/**
 * This file alone decides where state lies: in files of this machine, or in the PostgreSQL that COMANDA_STATE names.
 * Nothing of PostgreSQL is loaded where it isn't named. Nothing is touched on the disk: the first write makes the folders.
 */
import path from "node:path";

import type { Clock } from "../client/clock.js";
import { ComandaError, systemErrorCode } from "../client/errors.js";
import { t } from "../languages/language.js";
import { configFolder } from "./config-folder.js";
import { createCriticalSections, type CriticalSections } from "./critical-sections.js";
import type { DatabaseName } from "./database.js";
import { createLeases } from "./leases.js";
import { openPrivateFiles } from "./private-file.js";
import {
  openSessions,
  sessionFiles,
  sessionRows,
  storeKey,
  taken,
  type SessionStore,
} from "./sessions.js";
import {
  openSettings,
  openSharedSettings,
  withoutStore,
  withStoreRenamed,
  type SettingsFile,
} from "./settings.js";
import { createDatabases, type StateFolder } from "./state-folder.js";

export interface FolderOptions {
  /** An absolute path; `undefined` where the user has none: then everything that needs it fails. */
  readonly folder: string | undefined;
  readonly clock: Clock;
  /** The signal handler awaits these. */
  readonly criticalSections?: CriticalSections;
  /** Ends each wait for another process; work that is under way goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each database that is opened in a folder. */
  readonly opens?: (name: DatabaseName) => void;
  /** One sentence for the person; never a secret. */
  readonly warn?: (message: string) => void;
}

export interface StateOptions extends Omit<FolderOptions, "folder"> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Kept extends StateFolder {
  readonly sessions: SessionStore;
  readonly settings: SettingsFile;
  /** The address has no password. */
  readonly place: { readonly engine: "sqlite" | "postgresql"; readonly address: string };
}

/** All that comanda keeps. */
export interface State extends Kept {
  /**
   * A store gets another name. Its settings and what was sent and answered follow before its sign-in does, each also where it is
   * done twice: who finds the store under its old name, since a process was killed, types the same again.
   *
   * @throws {ComandaError} `invalid_input` for an alias that is taken or not known; what `sessions.rename` throws. Where it is
   *   `state_unusable` of the figures, all else is done
   */
  readonly renameStore: (from: string, to: string) => Promise<void>;
  /**
   * Forgets a store's figures, its settings, and in the end its sign-in, so that the same command finishes what a kill has cut
   * off.
   *
   * @returns `false` where there was no sign-in
   * @throws {ComandaError} as {@link renameStore}
   */
  readonly removeStore: (store: string) => Promise<boolean>;
}

/** Opens the state of this machine. */
export function openFolder({ folder = "", clock, signal, ...options }: FolderOptions): State {
  const { warn = () => undefined, criticalSections = createCriticalSections() } = options;
  const files = openPrivateFiles(folder === "" ? undefined : folder);
  const fileOf = (name: DatabaseName) => path.join(folder, `${name}.db`);
  const databases = createDatabases(
    async (name) => {
      const { openSqliteDatabase } = await import("./sqlite.js");
      options.opens?.(name);
      return openSqliteDatabase({ file: fileOf(name), name, files, clock, signal });
    },
    (name) => files.isThere(fileOf(name)),
  );
  const database = () => databases.database("comanda");
  const withLease = createLeases({ database, clock, criticalSections, signal });
  return withStoreChanges({
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
  });
}

/**
 * @throws {ComandaError} `configuration` for an address that can't be used; `state_unusable` where the server can't be
 *   reached or refuses us: then nothing has been sent
 */
export async function openState({ env, ...options }: StateOptions): Promise<State> {
  const own = openFolder({ ...options, folder: configFolder(env) });
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
  const { clock, signal, criticalSections = createCriticalSections() } = options;
  const address = parsePostgresAddress(text);
  const postgres = openPostgres(address);
  // Nothing is sent without the journal of the chain.
  await postgres.connect();
  const databases = createDatabases(postgres.database, () => true);
  const database = () => databases.database("comanda");
  const withLease = createLeases({ database, clock, criticalSections, signal });
  const rows = openSealedRows(database, env);
  return withStoreChanges({
    ...own,
    ...databases,
    withLease,
    sessions: openSessions(sessionRows(rows), withLease),
    settings: openSharedSettings(openSettings(own.path, own.files, withLease), rows, withLease),
    place: { engine: "postgresql", address: address.place },
  });
}

/**
 * @throws {ComandaError} `state_unusable` where the configuration folder is a link, someone else's, or can be written by others:
 *   whoever could put files there could send what is sent elsewhere. A folder that can't be had at all is no such thing
 */
export function refuseUnsafeFolder({ path: folder, files }: Pick<StateFolder, "path" | "files">): void {
  if (folder === "") return;
  try {
    files.trusts(folder);
  } catch (error) {
    if (!(error instanceof ComandaError) || systemErrorCode(error.cause) === undefined) throw error;
  }
}

function withStoreChanges(kept: Kept): State {
  const { sessions, settings, withLease } = kept;
  return {
    ...kept,
    async renameStore(from, to) {
      const [{ renameInAnswers }, { renameInHistory }] = await Promise.all([
        import("./answers.js"),
        import("./journal.js"),
      ]);
      const figures = await withLease("stores", async (lease) => {
        // What can't be read isn't renamed, and nothing of it.
        await sessions.read(from);
        const others = (await sessions.list()).filter(({ store }) => storeKey(store) !== storeKey(from));
        if (others.some(({ store }) => storeKey(store) === storeKey(to))) throw taken(to);
        // Until the end it has its settings under both names.
        await settings.update((current) => ({
          ...current,
          stores: { ...current.stores, ...withStoreRenamed(current, from, to).stores },
        }));
        const failure = await faultOf(renameInAnswers(kept, from, to));
        await renameInHistory(kept, from, to);
        lease.assertHeld();
        await sessions.rename(from, to);
        await settings.update((current) => withStoreRenamed(current, from, to));
        return failure;
      });
      if (figures) throw figures;
    },
    async removeStore(store) {
      const { clearAnswers } = await import("./answers.js");
      const { wasThere, figures } = await withLease("stores", async (lease) => {
        const failure = await faultOf(clearAnswers(kept, store));
        await settings.update((current) => withoutStore(current, store));
        lease.assertHeld();
        return { wasThere: await sessions.remove(store), figures: failure };
      });
      if (figures) throw figures;
      return wasThere;
    },
  };
}

/** @returns why the figures could not be changed: nothing else needs them */
async function faultOf(work: Promise<void>): Promise<ComandaError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof ComandaError && error.code === "state_unusable") return error;
    throw error;
  }
}
