/**
 * Writes the settings with `conf`. On a full disk that can leave a file that is cut short, and report success; and it makes
 * folders that all can read. So the folder is made here, `conf` writes a file beside the settings, and that takes their
 * place once it has been read back: whoever reads finds the old settings or the new ones, all of them.
 */
import path from "node:path";

import type { Disk } from "../../shared/disk.js";
import { ComandaError } from "../../shared/errors.js";
import { parseJson } from "../../shared/json.js";
import { t } from "../../shared/language.js";
import { randomNonce } from "../../shared/system.js";
import { discard } from "../../shared/whole-file.js";
import { fileError } from "../files/file-errors.js";
import { makeFolder, syncFile } from "../files/private-file.js";
import { temporaryPath } from "../files/temporary-files.js";
import type { Lease } from "../locks/locks.js";
import type { StateFolder } from "../state-folder.js";

/**
 * Only for the holder of the lock.
 *
 * @throws {ComandaError} `state_unusable`; the file is as it was
 */
export async function writeSettings(
  { files, table }: Pick<StateFolder, "files" | "table">,
  file: string,
  settings: Readonly<Record<string, unknown>>,
  { assertHeld }: Lease,
): Promise<void> {
  // Loaded only to write.
  const { default: Conf } = await import("conf");
  const { disk } = files.system;
  const folder = path.dirname(file);
  makeFolder(disk, folder);
  files.sweep(folder);
  const temporary = temporaryPath(file, table, randomNonce(files.system));
  assertHeld();
  try {
    const conf = new Conf({
      cwd: folder,
      configName: path.basename(temporary, ".tmp"),
      fileExtension: "tmp",
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
    });
    conf.store = { ...settings };
    const written = parseJson(files.read(temporary) ?? "");
    if (JSON.stringify(written) !== JSON.stringify(settings)) throw cutShort(file);
    syncFile(disk, temporary);
    assertHeld();
    disk.rename(temporary, file);
  } catch (error) {
    discardAll(disk, folder, path.basename(temporary));
    // An error that the lock is gone isn't a file's.
    assertHeld();
    throw fileError(error, "write", file);
  }
  syncFile(disk, folder);
}

/** conf removes a file of its own a moment later, and not at all where the process ends first. */
function discardAll(disk: Disk, folder: string, beginning: string): void {
  try {
    for (const name of disk.readdir(folder))
      if (name.startsWith(beginning)) discard(disk, path.join(folder, name));
  } catch {
    // The next write sweeps them; what failed before is what has to be told.
  }
}

function cutShort(file: string): ComandaError {
  return new ComandaError("state_unusable", t`${file} could not be written whole; it is as it was.`, {
    hint: t`Check whether the disk is full, then run the command again.`,
  });
}
