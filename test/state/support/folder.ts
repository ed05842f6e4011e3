import { systemClock } from "../../../src/base/clock.js";
import { openFolder, type FolderOptions, type State } from "../../../src/state/state.js";
import { filesIn } from "../../support/folder-state.js";

export { temporaryFolder } from "../../support/resources.js";

export function openState(folder: string, options: Partial<FolderOptions> = {}): State {
  return openFolder({ folder, clock: systemClock, ...options });
}

/** Returns the relative paths of all files except those of the database. */
export function dataFilesIn(folder: string): string[] {
  return filesIn(folder).filter((file) => !file.startsWith("comanda.db"));
}
