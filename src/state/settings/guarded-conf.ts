/**
 * `conf` writes the settings; what it lacks is made up for here.
 *
 * - It has no lock: the caller holds one.
 * - On a disk that fills while it writes, it puts a file that is cut short in place of the old one and reports success.
 *   So the old file keeps a second name until the new one is read back, and gets its place again where that fails. A
 *   process that is killed in between leaves the second name, and readers go by it.
 * - What a killed process left half-written, it leaves to lie.
 * - It makes its folder for all to read, and follows links. The folder is checked and made before it is asked.
 */
import { linkSync, readdirSync, renameSync } from "node:fs";
import path from "node:path";

import { ComandaError } from "../../shared/errors.js";
import { isObject, parseJson } from "../../shared/json.js";
import { discard } from "../../shared/whole-file.js";
import { fileError, ifPresent, withFileErrors } from "../files/file-errors.js";
import { makeFolder, syncFile } from "../files/private-file.js";
import type { Lease } from "../locks/locks.js";
import type { StateFolder } from "../state-folder.js";

export interface GuardedConf {
  /** The text of the file before, where the one that is there was cut short by a full disk and nobody put it right. */
  kept(text: string): string | undefined;
  /**
   * Only for the holder of the lock.
   *
   * @throws {ComandaError} `state_unusable`; the file is as it was
   */
  write(data: Readonly<Record<string, unknown>>, lease: Lease): Promise<void>;
}

export function guardedConf({ files }: Pick<StateFolder, "files">, file: string): GuardedConf {
  const folder = path.dirname(file);
  const before = `${file}.before`;

  function kept(text: string): string | undefined {
    return isObject(parseJson(text)) ? undefined : files.read(before, "read");
  }

  /** Settles what a killed writer left, and gives the file of now its second name. */
  function keepBefore(): void {
    for (const name of readdirSync(folder)) if (isOfConf(name, file)) discard(path.join(folder, name));
    const text = files.read(file, "read");
    if (text !== undefined && kept(text) !== undefined) renameSync(before, file);
    discard(before);
    ifPresent(() => linkSync(file, before));
  }

  function restore(): void {
    const isRestored = ifPresent(() => {
      renameSync(before, file);
      return true;
    });
    // There was none before.
    if (isRestored === undefined) discard(file);
    // Where the old file was still in its place, both names stay.
    discard(before);
  }

  function isWhole(data: unknown): boolean {
    return JSON.stringify(parseJson(files.read(file, "read") ?? "")) === JSON.stringify(data);
  }

  return {
    kept,
    async write(data, lease) {
      // It loads a JSON schema validator, which takes as long as the rest of a short command.
      const { default: Conf } = await import("conf");
      makeFolder(folder);
      files.sweep(folder);
      lease.assertHeld();
      withFileErrors("write", file, keepBefore);
      try {
        const conf = new Conf({
          cwd: folder,
          configName: path.basename(file, ".json"),
          configFileMode: 0o600,
          accessPropertiesByDotNotation: false,
          clearInvalidConfig: false,
        });
        conf.store = { ...data };
        if (!isWhole(data)) throw cutShort(file);
      } catch (error) {
        // Whoever has the lock by now settles it.
        lease.assertHeld();
        withFileErrors("write", file, restore);
        throw fileError(error, "write", file);
      }
      discard(before);
      syncFile(folder);
    },
  };
}

/** What conf writes into before it renames it: of a process that is gone, since the lock is ours. */
function isOfConf(name: string, file: string): boolean {
  const prefix = `${path.basename(file)}.tmp-`;
  return name.startsWith(prefix) && /^\d{10}[0-9a-f]{6}$/.test(name.slice(prefix.length));
}

function cutShort(file: string): ComandaError {
  return new ComandaError("state_unusable", `${file} could not be written whole; it is as it was.`, {
    hint: "Check whether the disk is full, then run the command again.",
  });
}
