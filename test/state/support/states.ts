/** Provides state in a folder and in PostgreSQL, so that tests of sign-ins and settings run on both. */
import { systemClock } from "../../../src/base/clock.js";
import { underLease, type WithLease } from "../../../src/state/leases.js";
import { openSealedRows } from "../../../src/state/postgres.js";
import { openSessions, sessionFiles, type TextStore } from "../../../src/state/sessions.js";
import { openSettings } from "../../../src/state/settings.js";
import type { State } from "../../../src/state/state.js";
import { postgresPrograms } from "../../support/postgres-server.js";
import { newChain } from "./chain.js";
import { openState, temporaryFolder } from "./folder.js";

interface States {
  /** Opens the state as another process or machine would. */
  readonly open: () => Promise<State>;
  readonly textsOf: (state: State) => TextStore;
}

export const places: readonly {
  readonly name: string;
  readonly isInstalled: boolean;
  readonly create: () => Promise<States>;
}[] = [
  {
    name: "files",
    isInstalled: true,
    create() {
      const folder = temporaryFolder();
      const textsOf = ({ path, files }: State) => sessionFiles(path, files);
      return Promise.resolve({ open: () => Promise.resolve(openState(folder)), textsOf });
    },
  },
  {
    name: "PostgreSQL",
    isInstalled: postgresPrograms !== undefined,
    async create() {
      const chain = await newChain();
      const env = { COMANDA_CONFIG_DIR: temporaryFolder() };
      const textsOf = ({ database }: State) => openSealedRows(database, { COMANDA_STATE_KEY: chain.key });
      return { open: () => chain.machine(env), textsOf };
    },
  },
];

/** Returns the same state with different databases. */
export function over(state: State, database: State["database"], { textsOf }: States): State {
  const withLease: WithLease = (...work) => underLease({ database, clock: systemClock }, ...work);
  const other = { ...state, database, hasDatabase: () => true, withLease };
  const texts = textsOf(other);
  const shared = state.location.engine === "sqlite" ? undefined : texts;
  return {
    ...other,
    sessions: openSessions(texts, withLease),
    settings: openSettings(state.path, state.files, withLease, shared),
  };
}
