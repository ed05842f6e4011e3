/**
 * This file alone decides where state lies: in files of this machine, or in the PostgreSQL that COMANDA_STATE or else the
 * setting `state` names. Nothing of PostgreSQL is loaded where it isn't named.
 */
import { ComandaError } from "../shared/errors.js";
import { isObject, parseJson } from "../shared/json.js";
import { t } from "../shared/language.js";
import { configFolder, dataFolder } from "./files/config-folder.js";
import type { SessionStore } from "./sessions/session.js";
import { openSessions } from "./sessions/sessions.js";
import { openSettings, settingsFile, type SettingsFile } from "./settings/settings.js";
import { createCriticalSections } from "./critical-sections.js";
import type { NamedState } from "./chain/postgres-state.js";
import { openStateFolder, type StateFolder, type StateFolderOptions } from "./state-folder.js";
import { openStoreChanges, type StoreChanges } from "./store-changes.js";

type Variables = Readonly<Record<string, string | undefined>>;

interface OpenStateOptions extends Omit<StateFolderOptions, "folder" | "dataFolder"> {
  readonly env: Variables;
}

/** All that comanda keeps. */
export interface State extends StateFolder, StoreChanges {
  readonly sessions: SessionStore;
  readonly place: StatePlace;
  /**
   * Encrypts with the newest key what was encrypted with another; absent where nothing is encrypted.
   *
   * @returns how many sign-ins that were
   */
  readonly rekey?: () => Promise<number>;
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
  const own = openStateFolder({
    ...options,
    ...{ folder: configFolder(env), dataFolder: dataFolder(env), criticalSections },
  });
  const settings = openSettings(own);
  const named = namedState(env, own);
  if (!named) {
    const place = { engine: "sqlite", address: own.path } as const;
    const sessions = openSessions(own);
    return { ...own, sessions, place, ...openStoreChanges(own, sessions, settings) };
  }
  const { openPostgresState } = await import("./chain/postgres-state.js");
  const shared = await openPostgresState(named, {
    ...{ folder: own, settings, env, host, criticalSections, signal },
  });
  const { folder, sessions, place, rekey } = shared;
  return { ...folder, sessions, place, rekey, ...openStoreChanges(folder, sessions, shared.settings) };
}

/** Opens the settings of this machine, also where the others lie elsewhere. */
export function openOwnSettings({ env, ...options }: OpenStateOptions): SettingsFile {
  return openSettings(openStateFolder({ ...options, folder: configFolder(env) }));
}

/** @returns `undefined` where state lies in files of this machine */
function namedState(env: Variables, folder: StateFolder): NamedState | undefined {
  const variable = env["COMANDA_STATE"];
  if (variable) return stateOf(variable, "COMANDA_STATE");
  const setting = stateSetting(folder);
  return setting === undefined ? undefined : stateOf(setting, t`the setting state`);
}

/** Whoever needs the settings reads them again, and tells what is wrong with them. */
function stateSetting(folder: StateFolder): string | undefined {
  try {
    const settings = parseJson(folder.files.read(settingsFile(folder), "read") ?? "");
    return isObject(settings) && typeof settings["state"] === "string" ? settings["state"] : undefined;
  } catch (error) {
    if (error instanceof ComandaError) return undefined;
    throw error;
  }
}

/** @throws {ComandaError} `configuration` */
function stateOf(address: string, source: string): NamedState | undefined {
  if (address === "sqlite:") return undefined;
  if (/^postgres(?:ql)?:/i.test(address)) return { address, source };
  throw new ComandaError("configuration", t`${source} names no place that comanda can keep its state in.`, {
    hint: t`It takes postgres://user@host/database for a chain, or sqlite: for files of this machine.`,
  });
}

/**
 * A place as it is kept in the settings.
 *
 * @throws {ComandaError} `configuration`; `usage` for a password
 */
export async function statePlace(text: string): Promise<string> {
  const named = stateOf(text, t`the setting state`);
  if (named === undefined) return text;
  const { parsePostgresAddress } = await import("./chain/postgres-address.js");
  if (parsePostgresAddress(named.address, named.source).password === undefined) return text;
  throw new ComandaError("usage", t`A password is not kept in the settings.`, {
    hint: t`Leave it out, and set PGPASSWORD, write it into ~/.pgpass, or put the whole address into COMANDA_STATE.`,
  });
}
