/** Files that only their owner can read, and that are there whole or not at all. */
import { closeSync, constants, fsyncSync, mkdirSync, openSync } from "node:fs";
import { readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { systemErrorCode } from "../../shared/errors.js";
import { discard, openReplacement, type Replacement } from "../../shared/whole-file.js";
import { ifPresent, withFileErrors } from "./file-errors.js";
import type { FolderTrust } from "./folder-trust.js";
import type { HostProcess } from "../locks/process-liveness.js";
import type { ProcessTable } from "../locks/process-identity.js";
import { openPrivate, refuseLarge } from "./private-access.js";
import { sweepTemporaryFiles, temporaryPath } from "./temporary-files.js";

/** Every method checks the file's folder by {@link FolderTrust} first. */
export interface PrivateFiles {
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
  reserve(file: string, bytes: number): Reservation;
  /** `false` where there was none. */
  remove(file: string): boolean;
  /**
   * Opens a file for appending. If it isn't there it is made, and its name outlives a loss of power.
   *
   * @returns the descriptor, which the caller closes
   * @throws {ComandaError} `state_unusable`
   */
  openToAppend(file: string): number;
  /** Opens a file of any size for reading, as {@link openToAppend} does; `undefined` if there is none. */
  openToRead(file: string): number | undefined;
  /**
   * Removes what killed processes left in a folder; once for each folder, unless `again`.
   *
   * @returns whether the folder is there
   * @throws {ComandaError} `state_unusable` where others could change what lies in it
   */
  sweep(folder: string, again?: "again"): boolean;
}

/** Room on the disk for one write. */
export interface Reservation {
  /** As {@link PrivateFiles.write}, durable, into the room that was taken; at most once. */
  write(text: string, before?: () => void): void;
  /** Gives the room back; harmless after the write. */
  release(): void;
}

export function createPrivateFiles(host: HostProcess, table: ProcessTable, trust: FolderTrust): PrivateFiles {
  const swept = new Set<string>();

  function sweep(folder: string, again?: "again") {
    const isThere = trust.check(folder);
    if (isThere && (again !== undefined || !swept.has(folder))) {
      swept.add(folder);
      sweepTemporaryFiles(folder, table);
    }
    return isThere;
  }

  function ensureFolder(folder: string): void {
    if (sweep(folder)) return;
    makeFolder(folder);
    // Another process may have made it first.
    trust.check(folder);
  }

  function replace(file: string): Replacement {
    ensureFolder(path.dirname(file));
    const temporary = temporaryPath(file, table);
    return withFileErrors("write", file, () =>
      withFolder(file, () => openReplacement({ file, temporary, mode: 0o600 })),
    );
  }

  return {
    read(file, others = "nothing") {
      if (!trust.check(path.dirname(file))) return undefined;
      return withFileErrors("read", file, () => {
        const opened = ifPresent(() => openPrivate(file, constants.O_RDONLY, host, others));
        if (opened === undefined) return undefined;
        try {
          refuseLarge(file, opened.stats);
          return readFileSync(opened.descriptor, "utf8");
        } finally {
          closeSync(opened.descriptor);
        }
      });
    },
    write(file, text, { durable = true, before } = {}) {
      const replacement = replace(file);
      withFileErrors("write", file, () => replacement.put(text, { durable, before }));
      if (durable) syncFile(path.dirname(file));
    },
    reserve(file, bytes) {
      const replacement = replace(file);
      withFileErrors("write", file, () => replacement.reserve(bytes));
      return {
        write(text, before) {
          withFileErrors("write", file, () => replacement.put(text, { durable: true, before }));
          syncFile(path.dirname(file));
        },
        release: () => replacement.discard(),
      };
    },
    remove(file) {
      if (!trust.check(path.dirname(file))) return false;
      return withFileErrors("remove", file, () => {
        const removed = ifPresent(() => {
          unlinkSync(file);
          return true;
        });
        if (removed) syncFile(path.dirname(file));
        return removed ?? false;
      });
    },
    openToAppend(file) {
      const folder = path.dirname(file);
      ensureFolder(folder);
      const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
      const { descriptor, stats } = withFileErrors("write", file, () => openPrivate(file, flags, host));
      // Every process that finds the file empty does this before it writes. So a file with content needs no sync of its
      // names any more.
      if (stats.size === 0) for (const names of [folder, path.dirname(folder)]) syncFile(names);
      return descriptor;
    },
    openToRead(file) {
      if (!trust.check(path.dirname(file))) return undefined;
      return withFileErrors("read", file, () =>
        ifPresent(() => openPrivate(file, constants.O_RDONLY, host).descriptor),
      );
    },
    sweep,
  };
}

/** Makes a new file, and its folder if needed. If it can't be written, none is left. */
export function writeNew(file: string, text: string): void {
  const descriptor = withFolder(file, () => openSync(file, "wx", 0o600));
  try {
    writeFileSync(descriptor, text);
  } catch (error) {
    discard(file);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the file's folder if creating the file fails for the lack of it. */
function withFolder<Result>(file: string, create: () => Result): Result {
  const created = ifPresent(create);
  if (created !== undefined) return created;
  makeFolder(path.dirname(file));
  return create();
}

/** Makes a folder for its owner alone, with the folders above it. */
export function makeFolder(folder: string): void {
  withFileErrors("make", folder, () => {
    makeWithParents(folder);
  });
}

/** Node's own `recursive` never ends where a folder that is there answers ENOENT, as `/proc` does. */
function makeWithParents(folder: string): void {
  try {
    makeOne(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (systemErrorCode(error) !== "ENOENT" || parent === folder) throw error;
    // Another process may make the folders at the same time, so each is tried and none is looked for first.
    makeWithParents(parent);
    makeOne(folder);
  }
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST" || !statSync(folder).isDirectory()) throw error;
  }
}

/**
 * Syncs a file, or the names in a folder, so that they outlive a loss of power. Some platforms and file systems can't
 * do that, which is no error.
 */
export function syncFile(file: string): void {
  try {
    const descriptor = openSync(file, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}
