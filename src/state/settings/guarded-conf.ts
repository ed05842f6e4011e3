/**
 * Writes the settings with `conf`, and adds what it lacks:
 *
 * - A lock. The caller holds it.
 * - Safety on a full disk. `conf` can put a file that is cut short in place of the old one and report success. So the
 *   old file keeps a second name until the new one has been read back. If that fails, the old file is put back. If the
 *   process is killed before that, readers use the second name. Where there is no old file, one without settings has it.
 * - A sweep of the temporary files that killed processes left.
 * - A private folder, and no links. `conf` makes folders that all can read, and follows links; so the folder is checked
 *   and made here.
 */
import path from "node:path";

import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { isObject, parseJson } from "../../shared/json.js";
import { discard } from "../../shared/whole-file.js";
import { fileError, withFileErrors } from "../files/file-errors.js";
import { makeFolder, syncFile } from "../files/private-file.js";
import type { Lease } from "../locks/locks.js";
import type { StateFolder } from "../state-folder.js";

export interface GuardedConf {
  /**
   * The text of the file, or, where that is cut short, of the one before it.
   *
   * @returns `undefined` where there is none
   */
  read(): { readonly text: string; readonly isBefore: boolean } | undefined;
  /**
   * Only for the holder of the lock.
   *
   * @throws {ComandaError} `state_unusable`; the file is as it was
   */
  write(data: Readonly<Record<string, unknown>>, lease: Lease): Promise<void>;
}

const noSettings = '{"version":1}\n';

export function guardedConf({ files }: Pick<StateFolder, "files">, file: string): GuardedConf {
  const { disk } = files.system;
  const folder = path.dirname(file);
  const before = `${file}.before`;

  function read(): ReturnType<GuardedConf["read"]> {
    for (let seen: string | undefined; ;) {
      const text = files.read(file, "read");
      if (text === undefined) return undefined;
      const old = isCutShort(text) ? files.read(before, "read") : undefined;
      if (old !== undefined) return { text: old, isBefore: true };
      // Who has put the old file back in between has taken its second name away.
      if (!isCutShort(text) || text === seen) return { text, isBefore: false };
      seen = text;
    }
  }

  function sweep(): void {
    for (const name of disk.readdir(folder)) if (isOfConf(name, file)) discard(disk, path.join(folder, name));
  }

  /**
   * Sweeps and repairs what a killed process left, then gives the present file its second name.
   *
   * @returns whether there is a file
   */
  function keepBefore(): boolean {
    sweep();
    const text = files.read(file, "read");
    if (text === undefined) {
      files.write(before, noSettings);
      return false;
    }
    if (isCutShort(text) && files.read(before, "read") !== undefined) disk.rename(before, file);
    discard(disk, before);
    disk.link(file, before);
    return true;
  }

  function restore(wasThere: boolean): void {
    // conf removes its temporary file a moment later, and not at all if the process ends first.
    sweep();
    if (wasThere) disk.rename(before, file);
    else discard(disk, file);
    // The rename leaves both names if both are the same file.
    discard(disk, before);
  }

  function isWhole(data: unknown): boolean {
    return JSON.stringify(parseJson(files.read(file, "read") ?? "")) === JSON.stringify(data);
  }

  return {
    read,
    async write(data, lease) {
      // Loaded only to write.
      const { default: Conf } = await import("conf");
      makeFolder(disk, folder);
      files.sweep(folder);
      lease.assertHeld();
      const wasThere = withFileErrors("write", file, keepBefore);
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
        // If another process has the lock by now, it repairs the file.
        lease.assertHeld();
        withFileErrors("write", file, () => restore(wasThere));
        throw fileError(error, "write", file);
      }
      discard(disk, before);
      syncFile(disk, folder);
    },
  };
}

function isCutShort(text: string): boolean {
  return !isObject(parseJson(text));
}

/** Is it a temporary file of conf's? Nobody is writing it, since this process holds the lock. */
function isOfConf(name: string, file: string): boolean {
  const prefix = `${path.basename(file)}.tmp-`;
  return name.startsWith(prefix) && /^\d{10}[0-9a-f]{6}$/.test(name.slice(prefix.length));
}

function cutShort(file: string): ComandaError {
  return new ComandaError("state_unusable", t`${file} could not be written whole; it is as it was.`, {
    hint: t`Check whether the disk is full, then run the command again.`,
  });
}
