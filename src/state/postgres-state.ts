/** The state of a chain: one PostgreSQL for the machines that work at the same stores. */
import { realSystem } from "../shared/system.js";
import { configFolder, dataFolder } from "./files/config-folder.js";
import { createCriticalSections } from "./locks/critical-sections.js";
import { createProcessTable } from "./locks/process-identity.js";
import { createLocks, type Locks } from "./locks/locks.js";
import { connectPostgres, type PostgresServer } from "./postgres.js";
import { parsePostgresAddress } from "./postgres-address.js";
import { createPostgresLockAttempt } from "./locks/postgres-locks.js";
import { openSharedSessions } from "./sessions/shared-sessions.js";
import type { SettingsFile } from "./settings/settings.js";
import { openSharedSettings } from "./settings/shared-settings.js";
import { readStateKeys } from "./state-keys.js";
import { openStateFolder, type StateFolderOptions } from "./state-folder.js";

export interface OpenStateOptions extends Omit<StateFolderOptions, "folder" | "movedBy" | "shared"> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A chain's database, and where it was named. */
export interface NamedState {
  readonly address: string;
  readonly source: string;
}

/** @param local the settings of this machine */
export async function openPostgresState(
  { address, source }: NamedState,
  { env, ...options }: OpenStateOptions,
  local: SettingsFile,
) {
  const { clock, process: host, system = realSystem, criticalSections = createCriticalSections() } = options;
  const { table = createProcessTable(host) } = options;
  const server: PostgresServer = {
    address: parsePostgresAddress(address, source),
    clock,
    self: table.self(),
  };
  const postgres = await connectPostgres(server);
  /** Files of one folder have other locks than those of another. */
  const locksOf = (prefix: string): Locks =>
    createLocks({
      ...{ clock, system, criticalSections },
      ...(options.signal && { signal: options.signal }),
      attempt: (name) => createPostgresLockAttempt(`${prefix}/${name}`, server),
    });
  const machine = { ...options, system, table, criticalSections };
  const folder = openStateFolder({
    ...machine,
    folder: configFolder(env),
    shared: { database: postgres.database, locks: locksOf("comanda") },
  });
  const data = openStateFolder({
    ...machine,
    folder: dataFolder(env),
    movedBy: "COMANDA_DATA_DIR",
    shared: { database: postgres.database, locks: locksOf("sales") },
  });
  const database = () => folder.database("comanda");
  const sessions = openSharedSessions({
    ...{ database, locks: folder.locks, clock, system },
    keys: () => readStateKeys({ env, system, host }),
  });
  return {
    folder,
    data,
    sessions,
    settings: openSharedSettings(local, database),
    place: { engine: "postgresql", address: server.address.place } as const,
    rekey: sessions.rekey,
  };
}
