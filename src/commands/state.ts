/** What lies on this machine's disk, opened for one command. */
import { configFolder, dataFolder } from "../state/files/config-folder.js";
import { openSessions } from "../state/sessions/sessions.js";
import type { SessionStore } from "../state/sessions/session.js";
import { openSettings, type SettingsFile } from "../state/settings/settings.js";
import { openStateFolder, type StateFolder } from "../state/state-folder.js";

import type { Invocation } from "./context.js";

export interface State {
  readonly folder: StateFolder;
  /** Where sales figures are kept. */
  readonly data: StateFolder;
  readonly sessions: SessionStore;
  readonly settings: SettingsFile;
}

export function openState({ context, output }: Pick<Invocation, "context" | "output">): State {
  const open = (folder: string | undefined, movedBy?: string) =>
    openStateFolder({
      folder,
      ...(movedBy !== undefined && { movedBy }),
      clock: context.clock,
      process: context.host,
      system: context.system,
      ...(context.processes && { table: context.processes }),
      criticalSections: context.critical,
      warn: (message) => {
        output.warn(message);
      },
    });
  const folder = open(configFolder(context.env));
  const data = open(dataFolder(context.env), "COMANDA_DATA_DIR");
  return { folder, data, sessions: openSessions(folder), settings: openSettings(folder) };
}
