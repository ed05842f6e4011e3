/**
 * A new file replaces another once it is whole: it is made beside it, brought to the disk and renamed. Whatever fails
 * on the way, the old file is as it was and the new one is gone. All functions throw the system's errors.
 */
import path from "node:path";

import { openFlags, statIfThere, type Disk, type FileStats } from "./disk.js";
import { systemErrorCode } from "../client/errors.js";
import { t } from "../languages/language.js";
import { randomNonce, type System } from "./system.js";

/**
 * Writes a file of the person's own. A new file gets the permissions that the umask leaves; a replacement gets those
 * of the old file. A link stays a link: the file that it names is replaced. A device, such as `/dev/null`, or a pipe that
 * somebody reads is written to and stays what it is. What another user has put into a folder for all, such as `/tmp`, is
 * not followed.
 *
 * @returns the absolute path, as it was named
 */
export function writeWhole(writer: Writer, file: string, data: string | Uint8Array): string {
  const { system } = writer;
  const { disk } = system;
  const target = path.resolve(file);
  const destination = resolveLinks(writer, target);
  const stats = statIfThere(disk, target);
  if (stats && !stats.isFile() && !stats.isDirectory()) {
    writeThrough(disk, target, data);
    return target;
  }
  const name = `.${path.basename(destination)}.${randomNonce(system)}.tmp`;
  const temporary = path.join(path.dirname(destination), name);
  const mode = stats ? stats.mode & 0o777 : 0o666;
  openReplacement(system, { file: destination, temporary, mode }).put(data, { durable: true });
  return target;
}

/** Operating systems follow about as many links before they give up. */
const mostLinks = 40;

export interface Writer {
  readonly system: System;
  /** Gives the user's number, where the system has numbers. */
  readonly host: { getuid?(): number };
}

/** Follows a link, and the links it leads to, to the file that they name; that file needn't be there yet. */
function resolveLinks(writer: Writer, file: string, followed = 0): string {
  const { disk } = writer.system;
  const stats = lstatIfThere(disk, file);
  if (stats && !stats.isFile() && !stats.isDirectory()) refusePlanted(writer, file, stats);
  if (!stats?.isSymbolicLink()) return file;
  if (followed === mostLinks)
    throw Object.assign(new Error(`ELOOP: too many links, '${file}'`), { code: "ELOOP" });
  return resolveLinks(writer, path.resolve(path.dirname(file), disk.readlink(file)), followed + 1);
}

function lstatIfThere(disk: Disk, file: string): FileStats | undefined {
  try {
    return disk.lstat(file);
  } catch {
    // No file has that name, or what is wrong shows when it is written.
    return undefined;
  }
}

/** This mode marks a folder for all, in which users may remove only their own files. */
const stickyForAll = 0o1002;

/**
 * In a folder for all, anybody who guesses a name can put a link or a pipe there first. The writer would then replace
 * a file of their own, or the waiting user would read what was written. This is the rule of Linux's
 * `protected_symlinks`, for systems that lack it and for pipes too.
 */
function refusePlanted({ system, host }: Writer, file: string, { uid }: FileStats): void {
  const user = host.getuid?.();
  const folder = statIfThere(system.disk, path.dirname(file));
  if (user === undefined || !folder || (folder.mode & stickyForAll) !== stickyForAll) return;
  if (uid === user || uid === folder.uid) return;
  const why = `EACCES: another user (uid ${uid}) put it there, in a folder for all`;
  throw Object.assign(new Error(`${why}, open '${file}'`), { code: "EACCES" });
}

function writeThrough(disk: Disk, device: string, data: string | Uint8Array): void {
  // A pipe that nobody reads would hold up the program for good: without waiting, it can't be opened.
  const probe = disk.open(device, openFlags.write + openFlags.unwaiting);
  try {
    const descriptor = disk.open(device, openFlags.write);
    try {
      const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
      for (let written = 0; written < bytes.length;)
        written += disk.write(descriptor, bytes.subarray(written));
    } finally {
      disk.close(descriptor);
    }
  } finally {
    disk.close(probe);
  }
}

export interface ReplacementOptions {
  /** The file that is replaced. */
  readonly file: string;
  /** The new file lies in the same folder under a name that is free. */
  readonly temporary: string;
  /** The umask takes its part away from this mode of the new file. */
  readonly mode: number;
}

/** A new file isn't in its place yet. Where one of these methods throws, it is gone. */
export interface Replacement {
  /** Takes this many bytes on the disk, so that data which isn't longer needs no others when it is put in place. */
  reserve(bytes: number): void;
  /**
   * Puts the data in place. Call it at most once.
   *
   * @param durable makes the data outlive a loss of power, once the folder's names do
   */
  put(data: string | Uint8Array, options: { readonly durable: boolean }): void;
  /** Removes the new file where it wasn't put in place; harmless otherwise. */
  discard(): void;
}

export function openReplacement(
  { disk, random }: System,
  { file, temporary, mode }: ReplacementOptions,
): Replacement {
  const descriptor = openNew(disk, temporary, mode);
  let pending = true;

  function end() {
    if (!pending) return;
    pending = false;
    try {
      disk.close(descriptor);
    } finally {
      discard(disk, temporary);
    }
  }

  function endOnError(work: () => void) {
    try {
      work();
    } catch (error) {
      end();
      throw error;
    }
  }

  return {
    reserve(bytes) {
      endOnError(() => {
        // The bytes are random: file systems take no room for holes, and little for what they can compress.
        writeAll(disk, descriptor, random.bytes(bytes));
        disk.fsync(descriptor);
      });
    },
    put(data, { durable }) {
      endOnError(() => {
        const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
        writeAll(disk, descriptor, bytes);
        disk.ftruncate(descriptor, bytes.length);
        if (durable) disk.fsync(descriptor);
        // Windows renames no file that is open.
        pending = false;
        disk.close(descriptor);
        try {
          disk.rename(temporary, file);
        } catch (error) {
          discard(disk, temporary);
          throw error;
        }
      });
    },
    discard: end,
  };
}

/** Removes a temporary file after a failure: it must not hide the failure behind one of its own. */
export function discard(disk: Disk, file: string): void {
  try {
    disk.remove(file);
  } catch {
    // A later run sweeps it.
  }
}

/** Fails where there is a file of that name. */
export function openNew(disk: Disk, file: string, mode: number): number {
  return disk.open(file, openFlags.write + openFlags.create + openFlags.exclusive, mode);
}

/** Writes from the file's start, over what is there. */
export function writeAll(disk: Disk, descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += disk.write(descriptor, bytes.subarray(written), written);
  }
}

/** Tells why a file that the person named can't be read or written; the text ends a sentence. */
export function fileErrorReason(error: unknown): string {
  switch (systemErrorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return t`no space is left there`;
    case "EACCES":
    case "EPERM":
      return t`this user is not allowed to`;
    case "ENOENT":
      return t`there is no such file or folder`;
    case "EISDIR":
      return t`it is a folder`;
    case "ENXIO":
      return t`nobody reads what is written there`;
    case "EROFS":
      return t`what lies there can only be read`;
    default:
      return error instanceof Error ? error.message.replace(/, \w+ '.*$/, "") : t`no reason given`;
  }
}
