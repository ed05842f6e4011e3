/** The state of a machine, in a folder or in the PostgreSQL of a chain: what holds for sign-ins and settings holds on both. */
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
  /** Opens it as another process, or another machine, would. */
  readonly open: () => Promise<State>;
  readonly shelfOf: (state: State) => TextStore;
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
      const shelfOf = ({ path, files }: State) => sessionFiles(path, files);
      return Promise.resolve({ open: () => Promise.resolve(openState(folder)), shelfOf });
    },
  },
  {
    name: "PostgreSQL",
    isInstalled: postgresPrograms !== undefined,
    async create() {
      const chain = await newChain();
      const env = { COMANDA_CONFIG_DIR: temporaryFolder() };
      const shelfOf = ({ database }: State) => openSealedRows(database, { COMANDA_STATE_KEY: chain.key });
      return { open: () => chain.machine(env), shelfOf };
    },
  },
];

/** The same state over other databases. */
export function over(state: State, database: State["database"], { shelfOf }: States): State {
  const withLease: WithLease = (...work) => underLease({ database, clock: systemClock }, ...work);
  const other = { ...state, database, hasDatabase: () => true, withLease };
  const texts = shelfOf(other);
  const shared = state.place.engine === "sqlite" ? undefined : texts;
  return {
    ...other,
    sessions: openSessions(texts, withLease),
    settings: openSettings(state.path, state.files, withLease, shared),
  };
}
