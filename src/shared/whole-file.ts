/**
 * A file that takes another's place once it is whole: made beside it, brought to the disk, renamed. Whatever fails on
 * the way, the old file is as it was and the new one is gone. All functions throw the system's errors.
 */
import path from "node:path";

import type { Clock } from "./clock.js";
import { openFlags, statIfThere, type Disk, type FileStats } from "./disk.js";
import { systemErrorCode } from "./errors.js";
import { t } from "./language.js";
import { randomNonce, type System } from "./system.js";

/**
 * Writes a file of the person's own, for others to read as their umask has it; one that replaces another is for no
 * others than that was. A link goes on being one: the file that it names is replaced. A device, such as `/dev/null`, is
 * written to and stays what it is. What another user has put into a folder for all, such as `/tmp`, is not followed.
 *
 * @returns its absolute path, as it was named
 */
export function writeWhole(
  { system, host }: Pick<Writer, "system" | "host">,
  file: string,
  data: string | Uint8Array,
): string {
  const named = path.resolve(file);
  const { disk } = system;
  const whole = behindLinks({ disk, host }, named);
  const stats = statIfThere(disk, named);
  if (stats && !stats.isFile() && !stats.isDirectory()) {
    writeThrough(disk, named, data);
    return named;
  }
  const name = `.${path.basename(whole)}.${randomNonce(system)}.tmp`;
  const temporary = path.join(path.dirname(whole), name);
  const mode = stats ? stats.mode & 0o777 : 0o666;
  openReplacement(system, { file: whole, temporary, mode }).put(data, { durable: true });
  return named;
}

/** Operating systems follow about as many links before they give up. */
const mostLinks = 40;

/** Who writes a result. */
export interface Writer {
  readonly system: System;
  /** Gives the user's number, where the system has numbers. */
  readonly host: { getuid?(): number };
  readonly clock: Pick<Clock, "sleep">;
  readonly signal: AbortSignal;
}

/** How often a pipe is tried that has no reader yet, or is full. */
const pipePauseMs = 20;

/**
 * As {@link writeWhole}, also into a named pipe: its reader may come late, be slow, or never come, so each wait for it
 * lets the program go on and ends with the signal.
 *
 * @throws the signal's reason, where it ends the wait
 */
export async function writeOut(writer: Writer, file: string, data: string | Uint8Array): Promise<string> {
  const { disk } = writer.system;
  const named = path.resolve(file);
  if (!statIfThere(disk, named)?.isFIFO()) return writeWhole(writer, file, data);
  behindLinks({ disk, host: writer.host }, named);
  const flags = openFlags.write + openFlags.unwaiting;
  const descriptor = await whenReady(writer, "ENXIO", () => disk.open(named, flags));
  try {
    const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
    for (let written = 0; written < bytes.length;)
      written += await whenReady(writer, "EAGAIN", () => disk.write(descriptor, bytes.subarray(written)));
  } finally {
    disk.close(descriptor);
  }
  return named;
}

/** @param code the system's, as long as the other end isn't ready */
async function whenReady<Result>(
  { clock, signal }: Writer,
  code: string,
  work: () => Result,
): Promise<Result> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (systemErrorCode(error) !== code) throw error;
    }
    await clock.sleep(pipePauseMs, signal);
  }
}

interface Names extends Pick<Writer, "host"> {
  readonly disk: Disk;
}

/** The file that a link names, or that the link names that it names; it needn't be there yet. */
function behindLinks(world: Names, file: string, followed = 0): string {
  const { disk } = world;
  const stats = lstatIfThere(disk, file);
  if (stats && !stats.isFile() && !stats.isDirectory()) refusePlanted(world, file, stats);
  if (!stats?.isSymbolicLink()) return file;
  if (followed === mostLinks)
    throw Object.assign(new Error(`ELOOP: too many links, '${file}'`), { code: "ELOOP" });
  return behindLinks(world, path.resolve(path.dirname(file), disk.readlink(file)), followed + 1);
}

function lstatIfThere(disk: Disk, file: string): FileStats | undefined {
  try {
    return disk.lstat(file);
  } catch {
    // There is nothing of that name; or what is wrong shows when it is written.
    return undefined;
  }
}

/** A folder for all, in which each may remove only what is theirs. */
const stickyForAll = 0o1002;

/**
 * In a folder for all, whoever guesses a name can put a link or a pipe there first: what is written would replace a file
 * of the one who writes, or be read by the one who waits. This is the rule of Linux's `protected_symlinks`, for systems
 * that lack it and for pipes too.
 */
function refusePlanted({ disk, host }: Names, file: string, { uid }: FileStats): void {
  const own = host.getuid?.();
  const folder = statIfThere(disk, path.dirname(file));
  if (own === undefined || !folder || (folder.mode & stickyForAll) !== stickyForAll) return;
  if (uid === own || uid === folder.uid) return;
  const why = `EACCES: another user (uid ${uid}) put it there, in a folder for all`;
  throw Object.assign(new Error(`${why}, open '${file}'`), { code: "EACCES" });
}

function writeThrough(disk: Disk, device: string, data: string | Uint8Array): void {
  const descriptor = disk.open(device, openFlags.write);
  try {
    const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
    for (let written = 0; written < bytes.length;) written += disk.write(descriptor, bytes.subarray(written));
  } finally {
    disk.close(descriptor);
  }
}

export interface ReplacementOptions {
  /** The file that is replaced. */
  readonly file: string;
  /** The new file, in the same folder: there is none of that name. */
  readonly temporary: string;
  /** The new file's, less what the umask takes away. */
  readonly mode: number;
}

/** A new file that isn't in its place yet. Where one of these methods throws, it is gone. */
export interface Replacement {
  /** Takes this many bytes on the disk: what is put in place then, if it isn't longer, needs no others. */
  reserve(bytes: number): void;
  /**
   * At most once.
   *
   * @param durable also outlives a loss of power, once the folder's names do
   * @param before called when all is written but the old file still stands; what it throws leaves it standing
   */
  put(
    data: string | Uint8Array,
    options: { readonly durable: boolean; readonly before?: (() => void) | undefined },
  ): void;
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

  function orEnd(work: () => void) {
    try {
      work();
    } catch (error) {
      end();
      throw error;
    }
  }

  return {
    reserve(bytes) {
      orEnd(() => {
        // Real bytes, and random ones: file systems take no room for holes, and little for what they can compress.
        writeAll(disk, descriptor, random.bytes(bytes));
        disk.fsync(descriptor);
      });
    },
    put(data, { durable, before }) {
      orEnd(() => {
        const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
        writeAll(disk, descriptor, bytes);
        disk.ftruncate(descriptor, bytes.length);
        if (durable) disk.fsync(descriptor);
        before?.();
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

/** Removes a temporary file, on the way out of a failure: it must not hide the failure behind one of its own. */
export function discard(disk: Disk, file: string): void {
  try {
    disk.remove(file);
  } catch {
    // Somebody sweeps it some day.
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

/** Why a file that somebody named can't be read or written, as a sentence ends. */
export function reasonOf(error: unknown): string {
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
    case "EROFS":
      return t`what lies there can only be read`;
    default:
      return error instanceof Error ? error.message.replace(/, \w+ '.*$/, "") : t`no reason given`;
  }
}
