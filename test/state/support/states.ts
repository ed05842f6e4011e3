import { openSealedRows } from "../../../src/state/sealed-rows.js";
import { sessionFiles, type Shelf } from "../../../src/state/sessions.js";
import type { State } from "../../../src/state/state.js";
import { postgresPrograms } from "../../support/postgres-server.js";
import { newChain } from "./chain.js";
import { openState, temporaryFolder } from "./folder.js";

interface States {
  /** Opens it as another process, or another machine, would. */
  readonly open: () => Promise<State>;
  readonly shelfOf: (state: State) => Shelf;
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
