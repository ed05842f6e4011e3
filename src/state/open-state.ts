/**
 * This file alone decides where state lies: in files of this machine, or in the PostgreSQL that COMANDA_STATE names.
 * Nothing of PostgreSQL is loaded where it isn't named.
 */
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { configFolder } from "./files/config-folder.js";
import type { SessionStore } from "./sessions/session.js";
import { openSessions } from "./sessions/sessions.js";
import { openSettings } from "./settings/settings.js";
import { createCriticalSections } from "./critical-sections.js";
import type { NamedState } from "./chain/postgres-state.js";
import { openStateFolder, type StateFolder, type StateFolderOptions } from "./state-folder.js";
import { openStoreChanges, type StoreChanges } from "./store-changes.js";

type Variables = Readonly<Record<string, string | undefined>>;

interface OpenStateOptions extends Omit<StateFolderOptions, "folder"> {
  readonly env: Variables;
}

/** All that comanda keeps. */
export interface State extends StateFolder, StoreChanges {
  readonly sessions: SessionStore;
  readonly place: StatePlace;
}

export interface StatePlace {
  readonly engine: "sqlite" | "postgresql";
  /** The address has no password. */
  readonly address: string;
}

/**
 * @throws {ComandaError} `configuration` for an address that can't be used; `state_unusable` where the server can't be
 *   reached or refuses us: then nothing has been sent
 */
export async function openState(options: OpenStateOptions): Promise<State> {
  const { env, process: host, signal, criticalSections = createCriticalSections() } = options;
  const own = openStateFolder({ ...options, folder: configFolder(env), criticalSections });
  const settings = openSettings(own);
  const named = namedState(env);
  if (!named) {
    const place = { engine: "sqlite", address: own.path } as const;
    const sessions = openSessions(own);
    return { ...own, sessions, place, ...openStoreChanges(own, sessions, settings) };
  }
  const { openPostgresState } = await import("./chain/postgres-state.js");
  const shared = openPostgresState(named, {
    ...{ folder: own, settings, env, host, criticalSections, signal },
  });
  const { folder, sessions, place } = shared;
  return { ...folder, sessions, place, ...openStoreChanges(folder, sessions, shared.settings) };
}

/**
 * @returns `undefined` where state lies in files of this machine
 * @throws {ComandaError} `configuration`
 */
function namedState(env: Variables): NamedState | undefined {
  const source = "COMANDA_STATE";
  const address = env[source];
  if (!address) return undefined;
  if (/^postgres(?:ql)?:/i.test(address)) return { address, source };
  throw new ComandaError("configuration", t`${source} names no place that comanda can keep its state in.`, {
    hint: t`It takes postgres://user@host/database for a chain.`,
  });
}
