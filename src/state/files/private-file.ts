/** Files that only their owner can read, and that are there whole or not at all. */
import path from "node:path";

import { systemErrorCode } from "../../shared/errors.js";
import { openFlags, type Disk } from "../../shared/disk.js";
import { randomNonce, type System } from "../../shared/system.js";
import { openReplacement, type Replacement } from "../../shared/whole-file.js";
import { ifPresent, lstatIfPresent, withFileErrors } from "./file-errors.js";
import type { FolderTrust } from "./folder-trust.js";
import type { HostProcess } from "../locks/process-identity.js";
import type { ProcessTable } from "../locks/process-identity.js";
import { openPrivate, readPrivate, refuseUnlessPrivate } from "./private-access.js";
import { sweepTemporaryFiles, temporaryPath } from "./temporary-files.js";

/** Every method checks the file's folder by {@link FolderTrust} first. */
export interface PrivateFiles {
  readonly system: System;
  /**
   * The text of a file, `undefined` where there is none.
   *
   * @param others what others may do with it: `nothing`, or `read` for files without secrets
   * @throws {ComandaError} `state_unusable`
   */
  read(file: string, others?: "nothing" | "read"): string | undefined;
  /**
   * Puts the text in place of what was there, atomically: a kill at any moment leaves the old text or the new one.
   *
   * @param durable also outlive a loss of power from the moment of the return (default: true)
   * @param before called when all is written but the old text still stands; what it throws leaves it standing
   * @throws {ComandaError} `state_unusable`; the old file is as it was
   */
  write(file: string, text: string, options?: { durable?: boolean; before?: () => void }): void;
  /**
   * Reserves room on the disk for one later write of a file, for data that must not be lost on a full disk.
   *
   * @throws {ComandaError} `state_unusable`, and no room is taken
   */
  reserve(file: string, bytes: number): ReservedRoom;
  /** `false` where there was none. */
  remove(file: string): boolean;
  /**
   * Gives a file another name in its folder, which outlives a loss of power: at each moment it has one of both. A file
   * of that name is gone.
   *
   * @param before as for {@link write}
   * @throws {ComandaError} `state_unusable`
   */
  move(file: string, to: string, before: () => void): void;
  /**
   * Sees to a file that SQLite is going to open by itself: it is the user's alone, and where it isn't there it is made,
   * empty. One that is there is never opened: to close it would take away all locks that this process has on it.
   *
   * @param others what others may do with it: `nothing`, or `read` for files without secrets
   * @throws {ComandaError} `state_unusable`
   */
  prepare(file: string, others?: "nothing" | "read"): void;
  /**
   * Is there a file of that name? It isn't opened.
   *
   * @throws {ComandaError} `state_unusable`
   */
  isThere(file: string): boolean;
  /**
   * Is the folder there, and safe to be used?
   *
   * @throws {ComandaError} `state_unusable` where others could change what lies in it
   */
  trusts(folder: string): boolean;
  /**
   * Removes what killed processes left in a folder; once for each folder, unless `again`.
   *
   * @returns whether the folder is there
   * @throws {ComandaError} `state_unusable` where others could change what lies in it
   */
  sweep(folder: string, again?: "again"): boolean;
}

/** Room on the disk for one write. */
export interface ReservedRoom {
  /** Writes like {@link PrivateFiles.write}, durably, into the room that was taken. Call it at most once. */
  write(text: string, before?: () => void): void;
  /** Gives the room back; harmless after the write. */
  release(): void;
}

export function createPrivateFiles(
  system: System,
  host: HostProcess,
  table: ProcessTable,
  trust: FolderTrust,
): PrivateFiles {
  const { disk } = system;
  const swept = new Set<string>();

  function sweep(folder: string, again?: "again") {
    const isThere = trust.check(folder);
    if (isThere && (again !== undefined || !swept.has(folder))) {
      swept.add(folder);
      sweepTemporaryFiles(disk, folder, table);
    }
    return isThere;
  }

  function ensureFolder(folder: string): void {
    if (sweep(folder)) return;
    makeFolder(disk, folder);
    // Another process may have made it first.
    trust.check(folder);
  }

  function replace(file: string): Replacement {
    ensureFolder(path.dirname(file));
    const temporary = temporaryPath(file, table, randomNonce(system));
    return withFileErrors("write", file, () =>
      withFolder(disk, file, () => openReplacement(system, { file, temporary, mode: 0o600 })),
    );
  }

  return {
    system,
    trusts: (folder) => trust.check(folder),
    read(file, others = "nothing") {
      if (!trust.check(path.dirname(file))) return undefined;
      return withFileErrors("read", file, () => ifPresent(() => readPrivate(disk, file, host, others)));
    },
    write(file, text, { durable = true, before } = {}) {
      const replacement = replace(file);
      withFileErrors("write", file, () => replacement.put(text, { durable, before }));
      if (durable) syncFile(disk, path.dirname(file));
    },
    reserve(file, bytes) {
      const replacement = replace(file);
      withFileErrors("write", file, () => replacement.reserve(bytes));
      return {
        write(text, before) {
          withFileErrors("write", file, () => replacement.put(text, { durable: true, before }));
          syncFile(disk, path.dirname(file));
        },
        release: () => replacement.discard(),
      };
    },
    remove(file) {
      if (!trust.check(path.dirname(file))) return false;
      return withFileErrors("remove", file, () => {
        const removed = ifPresent(() => {
          disk.unlink(file);
          return true;
        });
        if (removed) syncFile(disk, path.dirname(file));
        return removed ?? false;
      });
    },
    move(file, to, before) {
      trust.check(path.dirname(file));
      withFileErrors("write", to, () => {
        before();
        disk.rename(file, to);
      });
      syncFile(disk, path.dirname(to));
    },
    prepare(file, others = "nothing") {
      ensureFolder(path.dirname(file));
      withFileErrors("write", file, () => {
        const flags = openFlags.write | openFlags.create | openFlags.exclusive;
        try {
          disk.close(openPrivate(disk, file, flags, host).descriptor);
        } catch (error) {
          if (systemErrorCode(error) !== "EEXIST") throw error;
          // It may be gone by now.
          const stats = ifPresent(() => disk.lstat(file));
          if (stats) refuseUnlessPrivate(file, stats, host, others);
        }
      });
    },
    isThere(file) {
      if (!trust.check(path.dirname(file))) return false;
      return lstatIfPresent(disk, file) !== undefined;
    },
    sweep,
  };
}

/** Makes the file's folder if creating the file fails for the lack of it. */
function withFolder<Result>(disk: Disk, file: string, create: () => Result): Result {
  const created = ifPresent(create);
  if (created !== undefined) return created;
  makeFolder(disk, path.dirname(file));
  return create();
}

/** Makes a folder for its owner alone, with the folders above it. */
export function makeFolder(disk: Disk, folder: string): void {
  withFileErrors("make", folder, () => makeWithParents(disk, folder));
}

/** Node's own `recursive` never ends where a folder that is there answers ENOENT, as `/proc` does. */
function makeWithParents(disk: Disk, folder: string): void {
  try {
    makeOne(disk, folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (systemErrorCode(error) !== "ENOENT" || parent === folder) throw error;
    // Another process may make the folders at the same time, so each is tried and none is looked for first.
    makeWithParents(disk, parent);
    makeOne(disk, folder);
  }
}

function makeOne(disk: Disk, folder: string): void {
  try {
    disk.mkdir(folder, 0o700);
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST" || !disk.stat(folder).isDirectory()) throw error;
  }
}

/**
 * Syncs a file, or the names in a folder, so that they outlive a loss of power. Some platforms and file systems can't
 * do that, which is no error.
 */
export function syncFile(disk: Disk, file: string): void {
  try {
    const descriptor = disk.open(file, openFlags.read);
    try {
      disk.fsync(descriptor);
    } finally {
      disk.close(descriptor);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}
