/** Provides state on both engines, so that tests run on each of them. */
import { inject } from "vitest";

import { systemClock, type Clock } from "../../../src/base/clock.js";
import type { Database } from "../../../src/state/database.js";
import { underLease, type LeasesContext, type WithLease } from "../../../src/state/leases.js";
import { openSealedRows } from "../../../src/state/postgres.js";
import { openSessions, sessionFiles, type TextStore } from "../../../src/state/sessions.js";
import { openSettings } from "../../../src/state/settings.js";
import type { State } from "../../../src/state/state.js";
import { postgresPrograms } from "../../support/postgres-server.js";
import { newChain, stateKey } from "./engines.js";
import { openState, temporaryFolder } from "./folder.js";

export interface Engine {
  readonly name: string;
  /** Creates state, and returns a function that opens it as another process would. */
  create(clock?: Clock): Promise<() => Promise<State>>;
}

const sqlite: Engine = {
  name: "SQLite",
  create(clock = systemClock) {
    const folder = temporaryFolder();
    return Promise.resolve(() => Promise.resolve(openState(folder, { clock })));
  },
};
const postgresql: Engine = {
  name: "PostgreSQL",
  async create(clock) {
    const chain = await newChain();
    const env = { COMANDA_CONFIG_DIR: temporaryFolder() };
    return () => chain.machine(env, clock);
  },
};
const hasServer = postgresPrograms !== undefined && inject("postgres") !== "";
/** The installed engines. */
export const engines: readonly Engine[] = hasServer ? [sqlite, postgresql] : [sqlite];

/** Creates a database, and returns a function that opens it as another process would. */
export async function createDatabase(engine: Engine): Promise<() => Promise<Database>> {
  const open = await engine.create();
  return async () => (await open()).database();
}

/** Returns `withLease` of another process or machine. */
export function leasesIn(open: () => Promise<Database>, options: Partial<LeasesContext> = {}): WithLease {
  let opened: Promise<Database> | undefined;
  const context = { database: () => (opened ??= open()), clock: systemClock, ...options };
  return (...work) => underLease(context, ...work);
}

/** Opens the sign-ins and settings of the state as texts. */
export function textsOf({ path, files, database, location }: State): TextStore {
  if (location.engine === "sqlite") return sessionFiles(path, files);
  return openSealedRows(database, { COMANDA_STATE_KEY: stateKey });
}

/** Returns the same state with different databases. */
export function over(state: State, database: State["database"]): State {
  const withLease = leasesIn(database);
  const other = { ...state, database, existing: database, hasDatabase: () => true, withLease };
  const texts = textsOf(other);
  const shared = state.location.engine === "sqlite" ? undefined : texts;
  const settings = openSettings(state.path, state.files, withLease, shared);
  return { ...other, sessions: openSessions(texts, withLease), settings };
}
