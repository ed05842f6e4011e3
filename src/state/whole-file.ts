/**
 * A new file replaces another once it is whole: it is made beside it, brought to the disk and renamed. Whatever fails
 * on the way, the old file is as it was and the new one is gone. All functions throw the system's errors.
 */
import { randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  type Stats,
} from "node:fs";
import path from "node:path";

import { systemErrorCode } from "../client/errors.js";
import { t } from "../languages/language.js";

/** A new file isn't in its place yet. Where one of these methods throws, it is gone. */
export interface Replacement {
  /** Takes this many bytes on the disk, so that data which isn't longer needs no others when it is put in place. */
  reserve(bytes: number): void;
  /** Puts the data in place; it outlives a loss of power once the folder's names do. Call it at most once. */
  put(data: string | Uint8Array): void;
  /** Removes the new file where it wasn't put in place; harmless otherwise. */
  discard(): void;
}

/**
 * @param file that is replaced
 * @param temporary the new file lies in the same folder under a name that is free
 * @param mode of the new file; the umask takes its part away from it
 */
export function openReplacement(file: string, temporary: string, mode: number): Replacement {
  const descriptor = openSync(temporary, "wx", mode);
  let [isOpen, isThere] = [true, true];

  function close(): void {
    if (isOpen) {
      isOpen = false;
      closeSync(descriptor);
    }
  }

  function discard(): void {
    if (!isThere) return;
    isThere = false;
    try {
      close();
      rmSync(temporary, { force: true });
    } catch {
      // It must not hide the failure before it; a later run sweeps the file.
    }
  }

  function orDiscard(work: () => void): void {
    try {
      work();
    } catch (error) {
      discard();
      throw error;
    }
  }

  /** From the file's start, over what is there. */
  function writeAll(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length;)
      written += writeSync(descriptor, bytes, written, bytes.length - written, written);
  }

  return {
    discard,
    reserve: (bytes) =>
      orDiscard(() => {
        // The bytes are random: file systems take no room for holes, and little for what they can compress.
        writeAll(randomBytes(bytes));
        fsyncSync(descriptor);
      }),
    put: (data) =>
      orDiscard(() => {
        const bytes = Buffer.from(data);
        writeAll(bytes);
        ftruncateSync(descriptor, bytes.length);
        fsyncSync(descriptor);
        // Windows renames no file that is open.
        close();
        renamePatiently(() => renameSync(temporary, file));
        isThere = false;
      }),
  };
}

/** A file that is in use is tried again this often, with this pause between the tries: a second in all. */
const [tries, pauseMs] = [20, 50];

/**
 * On Windows, no file can replace one that another program has open for a moment, such as a virus scanner or the search index. A
 * single try would lose a rotated token.
 */
function renamePatiently(rename: () => void): void {
  for (let left = path.sep === "\\" ? tries : 0; ; left -= 1) {
    try {
      rename();
      return;
    } catch (error) {
      if (left === 0 || !["EPERM", "EACCES", "EBUSY"].includes(systemErrorCode(error) ?? "")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

/**
 * Writes a file of the person's own. A new file gets the permissions that the umask leaves; a replacement gets those
 * of the old file. A link stays a link: the file that it names is replaced. A device, such as `/dev/null`, or a pipe that
 * somebody reads is written to and stays what it is. What another user has put into a folder for all, such as `/tmp`, is
 * not followed.
 *
 * @returns the absolute path, as it was named
 */
export function writeWhole(file: string, data: string | Uint8Array): string {
  const target = path.resolve(file);
  const destination = resolveLinks(target);
  const stats = ifThere(() => statSync(target));
  if (stats && !stats.isFile() && !stats.isDirectory()) writeThrough(target, data);
  else {
    const name = `.${path.basename(destination)}.${randomUUID()}.tmp`;
    const mode = stats ? stats.mode & 0o777 : 0o666;
    openReplacement(destination, path.join(path.dirname(destination), name), mode).put(data);
  }
  return target;
}

/** Operating systems follow about as many links before they give up. */
const mostLinks = 40;

/** Follows a link, and the links it leads to, to the file that they name; that file needn't be there yet. */
function resolveLinks(file: string, followed = 0): string {
  const stats = ifThere(() => lstatSync(file));
  if (stats && !stats.isFile() && !stats.isDirectory()) refusePlanted(file, stats);
  if (!stats?.isSymbolicLink()) return file;
  if (followed === mostLinks)
    throw Object.assign(new Error(`ELOOP: too many links, '${file}'`), { code: "ELOOP" });
  return resolveLinks(path.resolve(path.dirname(file), readlinkSync(file)), followed + 1);
}

/** @returns `undefined` where no file has that name, or what is wrong shows when it is written */
function ifThere(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch {
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
function refusePlanted(file: string, { uid }: Stats): void {
  const user = process.getuid?.();
  const folder = ifThere(() => statSync(path.dirname(file)));
  if (user === undefined || !folder || (folder.mode & stickyForAll) !== stickyForAll) return;
  if (uid === user || uid === folder.uid) return;
  const why = `EACCES: another user (uid ${uid}) put it there, in a folder for all`;
  throw Object.assign(new Error(`${why}, open '${file}'`), { code: "EACCES" });
}

function writeThrough(device: string, data: string | Uint8Array): void {
  // A pipe that nobody reads would hold up the program for good: without waiting, it can't be opened.
  const probe = openSync(device, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    writeFileSync(device, data, { flag: "w" });
  } finally {
    closeSync(probe);
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
