/** What lies on this machine's disk, opened for one command. */
import { configFolder, dataFolder } from "../state/files/config-folder.js";
import { openSessions } from "../state/sessions/sessions.js";
import type { SessionStore } from "../state/sessions/session.js";
import { openSettings, type SettingsFile } from "../state/settings/settings.js";
import { openStateFolder, type StateFolder, type StateFolderOptions } from "../state/state-folder.js";

import type { Context, Invocation } from "./context.js";

export interface State {
  readonly folder: StateFolder;
  /** Where sales figures are kept. */
  readonly data: StateFolder;
  readonly sessions: SessionStore;
  readonly settings: SettingsFile;
}

export function openState({ context, output }: Pick<Invocation, "context" | "output">): State {
  const warn = (message: string) => {
    output.warn(message);
  };
  const folder = openSettingsFolder(context, warn);
  const data = openFolder(context, { folder: dataFolder(context.env), movedBy: "COMANDA_DATA_DIR", warn });
  return { folder, data, sessions: openSessions(folder), settings: openSettings(folder) };
}

/**
 * Where settings and sessions are kept.
 *
 * @param warn told nothing where it is absent: for those who look on after a command that has told it
 */
export function openSettingsFolder(context: Context, warn?: (message: string) => void): StateFolder {
  return openFolder(context, { folder: configFolder(context.env), ...(warn && { warn }) });
}

function openFolder(
  { clock, host, system, processes, openSqlite, critical }: Context,
  options: Pick<StateFolderOptions, "folder" | "movedBy" | "warn">,
): StateFolder {
  return openStateFolder({
    ...options,
    clock,
    process: host,
    system,
    ...(processes && { table: processes }),
    ...(openSqlite && { openSqlite }),
    criticalSections: critical,
  });
}
