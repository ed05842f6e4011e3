/** What is kept, opened for one command. */
import {
  openOwnSettings as openOwn,
  openState as open,
  statePlace,
  type State,
} from "../state/open-state.js";
import type { SettingsFile } from "../state/settings/settings.js";

import type { Invocation } from "./context.js";

export { statePlace };
export type { State } from "../state/open-state.js";

type Surroundings = Pick<Invocation, "context" | "output">;

export function openState(surroundings: Surroundings): Promise<State> {
  return open(optionsOf(surroundings));
}

/** Of this machine, also where the server of the others can't be reached. */
export function openOwnSettings(surroundings: Surroundings): SettingsFile {
  return openOwn(optionsOf(surroundings));
}

function optionsOf({ context, output }: Surroundings) {
  const { clock, host, system, processes, openSqlite, critical, signal, env } = context;
  return {
    ...{ env, clock, process: host, system, criticalSections: critical, signal },
    ...(processes && { table: processes }),
    ...(openSqlite && { openSqlite }),
    warn(message: string) {
      output.warn(message);
    },
  };
}
