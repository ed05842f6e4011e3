/** Files that only their owner can read, and that are there whole or not at all. */
import path from "node:path";

import { ComandaError, systemErrorCode } from "../../client/errors.js";
import { openFlags, type Disk, type FileStats } from "../disk.js";
import { t } from "../../languages/language.js";
import { shellWord } from "../shell-word.js";
import { randomNonce, type System } from "../system.js";
import { openReplacement, type Replacement } from "../whole-file.js";
import { ifPresent, lstatIfPresent, withFileErrors } from "./file-errors.js";
import type { FolderTrust } from "./folder-trust.js";
import type { HostProcess, ProcessTable } from "../locks/process-identity.js";

/** What other users may do with a file: `nothing`, or `read` where it holds no secret. */
type Others = "nothing" | "read";
type Owner = Pick<HostProcess, "getuid">;

/** Every method checks the file's folder by {@link FolderTrust} first, and throws a {@link ComandaError} `state_unusable`. */
export interface PrivateFiles {
  readonly system: System;
  /** The text of a file, `undefined` where there is none. */
  read(file: string, others?: Others): string | undefined;
  /**
   * Puts the text in place of what was there, atomically: a kill at any moment leaves the old text or the new one, and so
   * does a failure.
   *
   * @param durable also outlive a loss of power from the moment of the return (default: true)
   */
  write(file: string, text: string, options?: { durable?: boolean }): void;
  /** Reserves room on the disk for one later write of a file, for data that must not be lost on a full disk. */
  reserve(file: string, bytes: number): ReservedRoom;
  /** A name beside the file that no other process and no other write has. Its folder is there then. */
  temporary(file: string): string;
  /** `false` where there was none. */
  remove(file: string): boolean;
  /**
   * Gives a file another name in its folder, which outlives a loss of power: at each moment it has one of both. A file
   * of that name is gone.
   */
  move(file: string, to: string): void;
  /**
   * Sees to a file that SQLite is going to open by itself: it is the user's alone, and where it isn't there it is made,
   * empty. One that is there is never opened: to close it would take away all locks that this process has on it.
   */
  prepare(file: string, others?: Others): void;
  /** Is there a file of that name? It isn't opened. */
  isThere(file: string): boolean;
  /** Is the folder there? What killed processes left in it is removed. */
  trusts(folder: string): boolean;
}

/** Room on the disk for one write. */
export interface ReservedRoom {
  /** Writes like {@link PrivateFiles.write}, durably, into the room that was taken. Call it at most once. */
  write(text: string): void;
  /** Gives the room back; harmless after the write. */
  release(): void;
}

export function createPrivateFiles(
  system: System,
  host: Owner,
  table: ProcessTable,
  trust: FolderTrust,
): PrivateFiles {
  const { disk } = system;
  const swept = new Set<string>();

  function trusts(folder: string): boolean {
    const isThere = trust.check(folder);
    if (isThere && !swept.has(folder)) {
      swept.add(folder);
      sweep(disk, folder, table);
    }
    return isThere;
  }

  function ensureFolder(folder: string): void {
    if (trusts(folder)) return;
    makeFolder(disk, folder);
    // Another process may have made it first.
    trust.check(folder);
  }

  function temporary(file: string): string {
    ensureFolder(path.dirname(file));
    const { pid } = table.self();
    const name = `.${path.basename(file)}.${table.tag()}.${pid}.${randomNonce(system)}.tmp`;
    return path.join(path.dirname(file), name);
  }

  function replace(file: string): Replacement {
    const beside = temporary(file);
    return withFileErrors("write", file, () =>
      openReplacement(system, { file, temporary: beside, mode: 0o600 }),
    );
  }

  function put(replacement: Replacement, file: string, text: string, durable: boolean) {
    withFileErrors("write", file, () => replacement.put(text, { durable }));
    if (durable) syncFolder(disk, path.dirname(file));
  }

  return {
    system,
    trusts,
    temporary,
    read(file, others = "nothing") {
      if (!trust.check(path.dirname(file))) return undefined;
      return withFileErrors("read", file, () => ifPresent(() => readPrivate(disk, file, host, others)));
    },
    write(file, text, { durable = true } = {}) {
      put(replace(file), file, text, durable);
    },
    reserve(file, bytes) {
      const replacement = replace(file);
      withFileErrors("write", file, () => replacement.reserve(bytes));
      return {
        write: (text) => put(replacement, file, text, true),
        release: () => replacement.discard(),
      };
    },
    remove(file) {
      if (!trust.check(path.dirname(file)) || !lstatIfPresent(disk, file)) return false;
      withFileErrors("remove", file, () => disk.remove(file));
      syncFolder(disk, path.dirname(file));
      return true;
    },
    move(file, to) {
      trust.check(path.dirname(file));
      withFileErrors("write", to, () => disk.rename(file, to));
      syncFolder(disk, path.dirname(to));
    },
    prepare(file, others = "nothing") {
      ensureFolder(path.dirname(file));
      withFileErrors("write", file, () => {
        try {
          disk.close(disk.open(file, openFlags.write | openFlags.create | openFlags.exclusive, 0o600));
        } catch (error) {
          if (systemErrorCode(error) !== "EEXIST") throw error;
          // It may be gone by now.
          const stats = lstatIfPresent(disk, file);
          if (stats) refuseUnlessPrivate(file, stats, host, others);
        }
      });
    },
    isThere: (file) => trust.check(path.dirname(file)) && lstatIfPresent(disk, file) !== undefined,
  };
}

/**
 * The text of a file. No link is followed, and opening a named pipe doesn't wait for its other end.
 *
 * @throws {ComandaError} `state_unusable` for what isn't a regular file, or isn't the user's alone; else the system's error
 */
export function readPrivate(disk: Disk, file: string, host: Owner, others: Others = "nothing"): string {
  const descriptor = disk.open(file, openFlags.read | openFlags.noLinks | openFlags.unwaiting);
  try {
    refuseUnlessPrivate(file, disk.fstat(descriptor), host, others);
    return disk.readText(descriptor);
  } finally {
    disk.close(descriptor);
  }
}

function refuseUnlessPrivate(file: string, stats: FileStats, host: Owner, others: Others): void {
  const refuse = (message: string, hint: string) => new ComandaError("state_unusable", message, { hint });
  if (!stats.isFile())
    throw refuse(t`${file} is not a regular file.`, t`Move it away, then run the command again.`);
  const uid = host.getuid?.();
  if (uid === undefined) return;
  if (stats.uid !== uid) {
    throw refuse(
      t`${file} belongs to another user (uid ${stats.uid}).`,
      t`Run comanda as that user, or remove the file and start anew.`,
    );
  }
  const forbidden = others === "read" ? 0o022 : 0o077;
  if ((stats.mode & forbidden) === 0) return;
  const message =
    others === "read" ? t`Other users can change ${file}.` : t`Other users can read or change ${file}.`;
  throw refuse(message, t`Type: chmod 600 ${shellWord(file)}`);
}

/**
 * Makes a folder for its owner alone, with the folders above it. Node's own `recursive` never ends where a folder that is
 * there answers ENOENT, as `/proc` does. Another process may make the folders at the same time, so each is tried and none
 * is looked for first.
 */
export function makeFolder(disk: Disk, folder: string): void {
  withFileErrors("make", folder, () => {
    try {
      makeOne(disk, folder);
    } catch (error) {
      const parent = path.dirname(folder);
      if (systemErrorCode(error) !== "ENOENT" || parent === folder) throw error;
      makeFolder(disk, parent);
      makeOne(disk, folder);
    }
  });
}

function makeOne(disk: Disk, folder: string): void {
  try {
    disk.mkdir(folder, 0o700);
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST" || !disk.stat(folder).isDirectory()) throw error;
  }
}

/** Syncs the names in a folder, so that they outlive a loss of power. Some platforms can't do that, which is no error. */
function syncFolder(disk: Disk, folder: string): void {
  try {
    const descriptor = disk.open(folder, openFlags.read);
    try {
      disk.fsync(descriptor);
    } finally {
      disk.close(descriptor);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

/** A temporary file that is so much older than the last change of its folder is swept, whoever made it. */
const abandonedMs = 60 * 60_000;

/** The names that {@link PrivateFiles.temporary} makes, and those that conf makes of them. */
const temporaryPattern = /^\..+\.([0-9a-f]{8})\.(\d+)\.[0-9a-f]{16}\.tmp(?:\.tmp-[0-9a-f]{16})?$/;

/**
 * Removes the temporary files in a folder whose makers are gone: regular files of this very pattern and nothing else. It
 * never fails: a file that stays does no harm. How old a file is, the folder's own time tells, which the same clock has
 * stamped: another one may be hours ahead, and would sweep the room that a refresh has taken for its answer.
 */
function sweep(disk: Disk, folder: string, table: ProcessTable): void {
  try {
    const changedMs = disk.lstat(folder).mtimeMs;
    for (const name of disk.readdir(folder)) {
      const [, tag, pid] = temporaryPattern.exec(name) ?? [];
      const file = path.join(folder, name);
      const stats = tag === undefined ? undefined : ifPresent(() => disk.lstat(file));
      if (!stats?.isFile()) continue;
      const makerIsGone = tag === table.tag() && !table.exists(Number(pid));
      if (makerIsGone || changedMs - stats.mtimeMs > abandonedMs) disk.remove(file);
    }
  } catch {
    // The folder can't be read or written: what has to be written next tells why.
  }
}
