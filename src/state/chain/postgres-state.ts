/** The state of a chain: one PostgreSQL for the machines that work at the same stores. */
import type { CriticalSections } from "../critical-sections.js";
import { createLeases } from "../leases.js";
import { openPostgres, parsePostgresAddress } from "../postgres.js";
import { openSharedSessions } from "./shared-sessions.js";
import type { SettingsFile } from "../settings/settings.js";
import { openSharedSettings } from "./shared-settings.js";
import { readStateKeys, type StateKeysOptions } from "./state-keys.js";
import { createDatabases, type StateFolder } from "../state-folder.js";

/** A chain's database, and where it was named. */
export interface NamedState {
  readonly address: string;
  readonly source: string;
}

interface PostgresStateOptions extends Pick<StateKeysOptions, "env" | "host"> {
  /** What stays on this machine. */
  readonly folder: StateFolder;
  /** The settings of this machine. */
  readonly settings: SettingsFile;
  readonly criticalSections: CriticalSections;
  readonly signal?: AbortSignal | undefined;
}

export function openPostgresState({ address, source }: NamedState, options: PostgresStateOptions) {
  const { folder, settings, env, host, criticalSections, signal } = options;
  const { clock } = folder;
  const { system } = folder.files;
  const server = parsePostgresAddress(address, source);
  const postgres = openPostgres(server);
  const databases = createDatabases(postgres.database, () => true);
  const database = () => databases.database("comanda");
  const withLease = createLeases({ database, clock, criticalSections, signal });
  const keys = () => readStateKeys({ env, system, host });
  const sessions = openSharedSessions({
    ...{ database, withLease, system },
    keys,
  });
  return {
    folder: { ...folder, ...databases, withLease },
    sessions,
    settings: openSharedSettings(settings, database, keys),
    place: { engine: "postgresql", address: server.place } as const,
  };
}
