/** The calls of `node:fs` that keep files. */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  unlinkSync,
  writeSync,
  type Stats,
} from "node:fs";
import path from "node:path";

import { systemErrorCode } from "../client/errors.js";

export type FileStats = Pick<
  Stats,
  "size" | "mode" | "uid" | "ino" | "mtimeMs" | "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO"
>;

/** These flags say what an open file is for, and are added up. A flag that the system doesn't have is 0. */
export const openFlags = {
  read: constants.O_RDONLY,
  write: constants.O_WRONLY,
  create: constants.O_CREAT,
  /** With `create`, opening fails where a file of that name exists. */
  exclusive: constants.O_EXCL,
  folder: flag("O_DIRECTORY"),
  noLinks: flag("O_NOFOLLOW"),
  /** A named pipe is opened without waiting for its other end. */
  unwaiting: flag("O_NONBLOCK"),
} as const;

function flag(name: string): number {
  const values: Readonly<Record<string, number>> = constants;
  return values[name] ?? 0;
}

/** Each method does what the call of `node:fs` of its name does, and throws the system's errors, with their `code`. */
export interface Disk {
  /** @returns the descriptor, which the caller closes */
  open(file: string, flags: number, mode?: number): number;
  close(descriptor: number): void;
  fstat(descriptor: number): FileStats;
  stat(file: string): FileStats;
  lstat(file: string): FileStats;
  /** @throws where this user may not make files in the folder */
  accessFolder(folder: string): void;
  /** @param position where; absent: where the last read ended. @returns how many bytes; 0 at the end */
  read(descriptor: number, into: Uint8Array, position?: number): number;
  /** Reads all that is left, as UTF-8. */
  readText(descriptor: number): string;
  /** @param position where; absent: where the last write ended. @returns how many of the bytes were written */
  write(descriptor: number, bytes: Uint8Array, position?: number): number;
  ftruncate(descriptor: number, length: number): void;
  fsync(descriptor: number): void;
  fchmod(descriptor: number, mode: number): void;
  rename(from: string, to: string): void;
  unlink(file: string): void;
  /** Like `unlink`, but a missing file is no error. */
  remove(file: string): void;
  mkdir(folder: string, mode: number): void;
  readdir(folder: string): string[];
  readlink(file: string): string;
  /** @returns the absolute path without links */
  realpath(file: string): string;
  /** @returns which kind of file system the folder lies on, in the numbers of statfs(2) */
  fileSystemType(folder: string): number;
}

/** Gives `undefined` where no file has that name, or it is out of reach. */
export function statIfThere(disk: Disk, file: string): FileStats | undefined {
  try {
    return disk.stat(file);
  } catch {
    return undefined;
  }
}

/** Gives the bytes that this user may still write in the folder, or `undefined` where the system doesn't say. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

const isWindows = path.sep === "\\";
/** A file that is in use is tried again this often, with this pause between the tries: a second in all. */
const [tries, pauseMs] = [20, 50];
const inUseCodes: readonly unknown[] = ["EPERM", "EACCES", "EBUSY"];

/**
 * On Windows, no file can replace one that another program has open for a moment, such as a virus scanner or the
 * search index. A single try would lose a rotated token.
 *
 * @internal
 */
export function renamePatiently(rename: () => void, pause: (ms: number) => void): void {
  for (let left = tries; ; left -= 1) {
    try {
      rename();
      return;
    } catch (error) {
      if (left === 0 || !inUseCodes.includes(systemErrorCode(error))) throw error;
      pause(pauseMs);
    }
  }
}

function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

export const systemDisk: Disk = {
  open: (file, flags, mode) => openSync(file, flags, mode),
  close: (descriptor) => closeSync(descriptor),
  fstat: (descriptor) => fstatSync(descriptor),
  stat: (file) => statSync(file),
  lstat: (file) => lstatSync(file),
  accessFolder: (folder) => accessSync(folder, constants.W_OK | constants.X_OK),
  read: (descriptor, into, position) => readSync(descriptor, into, 0, into.length, position ?? null),
  readText: (descriptor) => readFileSync(descriptor, "utf8"),
  write: (descriptor, bytes, position = -1) =>
    writeSync(descriptor, bytes, 0, bytes.length, position < 0 ? null : position),
  ftruncate: (descriptor, length) => ftruncateSync(descriptor, length),
  fsync: (descriptor) => fsyncSync(descriptor),
  fchmod: (descriptor, mode) => fchmodSync(descriptor, mode),
  rename: (from, to) =>
    isWindows ? renamePatiently(() => renameSync(from, to), wait) : renameSync(from, to),
  unlink: (file) => unlinkSync(file),
  remove: (file) => rmSync(file, { force: true }),
  mkdir(folder, mode) {
    mkdirSync(folder, { mode });
  },
  readdir: (folder) => readdirSync(folder),
  readlink: (file) => readlinkSync(file),
  realpath: (file) => realpathSync(file),
  fileSystemType: (folder) => statfsSync(folder).type,
};
