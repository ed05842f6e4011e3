/**
 * The files that a write makes before it renames them. Their names say which process made them, so that others can
 * sweep what a killed one left.
 */
import path from "node:path";

import type { Disk } from "../../shared/disk.js";
import type { ProcessTable } from "../locks/process-identity.js";

/** A temporary file that is so much older than the last change of its folder is swept, whoever made it. */
const abandonedMs = 60 * 60_000;

/** The names that {@link temporaryPath} makes, and those that conf makes of them. */
const pattern = /^\..+\.([0-9a-f]{8})\.(\d+)\.[0-9a-f]{16}\.tmp(?:\.tmp-[0-9a-f]{16})?$/;

/**
 * A name beside `file` that no other process and no other write has.
 *
 * @param nonce of `randomNonce`
 */
export function temporaryPath(file: string, table: ProcessTable, nonce: string): string {
  const { pid } = table.self();
  return path.join(path.dirname(file), `.${path.basename(file)}.${table.tag()}.${pid}.${nonce}.tmp`);
}

/**
 * Removes the temporary files in a folder whose makers are gone: regular files of this very pattern and nothing else,
 * in a folder that is real. It never fails: a file that stays does no harm.
 *
 * No clock of this machine tells how old a file is: another one that shares the folder may be hours ahead, and would sweep
 * the room that a refresh has taken for its answer. The folder's own time comes from the clock that stamped the file.
 */
export function sweepTemporaryFiles(disk: Disk, folder: string, table: ProcessTable): void {
  let names: string[];
  let changedMs: number;
  try {
    const stats = disk.lstat(folder);
    changedMs = stats.mtimeMs;
    names = stats.isDirectory() ? disk.readdir(folder) : [];
  } catch {
    return;
  }
  for (const name of names) {
    const [, tag, pid] = pattern.exec(name) ?? [];
    if (tag === undefined || pid === undefined) continue;
    const file = path.join(folder, name);
    try {
      const stats = disk.lstat(file);
      const makerIsGone = tag === table.tag() && !table.exists(Number(pid));
      if (stats.isFile() && (makerIsGone || changedMs - stats.mtimeMs > abandonedMs)) disk.unlink(file);
    } catch {
      // It is gone by now, or not ours.
    }
  }
}
