/** Opens the stored state for one command. */
import { openState as open, type State } from "../state/open-state.js";
import type { DatabaseName } from "../state/database.js";
import type { Output } from "../cli/output.js";

import type { Context } from "./context.js";

export type { State } from "../state/open-state.js";

interface StateParts {
  readonly context: Context;
  readonly output: Output;
}

export function openState(parts: StateParts): Promise<State> {
  return open(optionsOf(parts));
}

function optionsOf({ context, output }: StateParts) {
  const { clock, host, system, critical, signal, env } = context;
  return {
    ...{ env, clock, process: host, system, criticalSections: critical, signal },
    opens(name: DatabaseName) {
      if (name === "sales") context.closeFiles?.();
    },
    warn(message: string) {
      // A run of many orders would meet the same again each second.
      output.warnOnce(message);
    },
  };
}
