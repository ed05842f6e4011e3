/**
 * Files that only their owner can read, and that are there whole or not at all; and whose folder this is. Folders are checked as
 * OpenSSH checks those of its keys: who can write to a folder, or to one above it, can put other files in the place of comanda's.
 * Windows has neither owners nor modes of this kind; there a folder only has to be one.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  statfsSync,
  type Stats,
} from "node:fs";
import path from "node:path";

import * as z from "zod/mini";

import { isObject, parseJson } from "../api/json.js";
import { once } from "../api/once.js";
import { ComandaError, systemErrorCode } from "../client/errors.js";
import { t, translated } from "../languages/language.js";
import { startOf, thisProcess } from "./process.js";
import { shellWord } from "./shell-word.js";
import { openReplacement } from "./whole-file.js";

/** What other users may do with a file: `nothing`, or `read` where it holds no secret. */
type Others = "nothing" | "read";

/** Room on the disk for one write. */
export interface ReservedRoom {
  /** Writes like {@link PrivateFiles.write}, into the room that was taken. Call it at most once. */
  write(text: string): void;
  /** Gives the room back; harmless after the write. */
  release(): void;
}

/** Every method checks the file's folder first, and throws a {@link ComandaError} `state_unusable`. */
export interface PrivateFiles {
  /**
   * Checks a folder, those between it and the configuration folder, and those above; each one once. What killed processes left
   * in it is removed.
   *
   * @param folder the configuration folder or one in it
   * @returns whether it is there
   */
  trusts(folder: string): boolean;
  /** The text of a file, `undefined` where there is none. */
  read(file: string, others?: Others): string | undefined;
  /**
   * Puts the text in place of what was there, atomically: a kill or a loss of power at any moment leaves the old text or the new
   * one, and so does a failure.
   */
  write(file: string, text: string): void;
  /** Reserves room on the disk for one later write of a file, for data that must not be lost on a full disk. */
  reserve(file: string, bytes: number): ReservedRoom;
  /** A name beside the file that no other process and no other write has. Its folder is there then. */
  temporary(file: string): string;
  /** `false` where there was none. */
  remove(file: string): boolean;
  /** Gives a file another name in its folder: at each moment it has one of both. A file of that name is gone. */
  move(file: string, to: string): void;
  /**
   * Sees to a file that SQLite is going to open by itself: it is the user's alone, and where it isn't there it is made,
   * empty. One that is there is never opened: to close it would take away all locks that this process has on it.
   */
  prepare(file: string, others?: Others): void;
  /** Is there a file of that name? It isn't opened. */
  isThere(file: string): boolean;
}

/**
 * @param root the configuration folder: an absolute path in its normal form; `undefined` if there is none
 * @param uid the user's number, where the system has numbers
 */
export function openPrivateFiles(root: string | undefined, uid = process.getuid?.()): PrivateFiles {
  const trusted = new Set<string>();

  function trustsOne(folder: string): boolean {
    if (trusted.has(folder)) return true;
    const stats = lstatIfPresent(folder);
    if (!stats) return false;
    refuseForeign(folder, stats, uid ?? stats.uid);
    trusted.add(folder);
    sweep(folder);
    return true;
  }

  function trusts(folder: string): boolean {
    if (root === undefined) throw noFolder();
    if (uid === undefined) {
      const stats = atFile("read", folder, () => ifPresent(() => statSync(folder)));
      if (stats && !stats.isDirectory()) throw notFolder(folder);
      return stats !== undefined;
    }
    if (!trusted.has(root)) checkParents(path.dirname(root), uid);
    return foldersOf(folder)
      .slice(foldersOf(root).length - 1)
      .every(trustsOne);
  }

  function temporary(file: string): string {
    const folder = path.dirname(file);
    if (!trusts(folder)) {
      makeFolder(folder);
      // Another process may have made it first.
      trusts(folder);
    }
    return path.join(folder, `.${path.basename(file)}.${ownMark()}.${randomUUID()}.tmp`);
  }

  function replace(file: string) {
    const beside = temporary(file);
    return atFile("write", file, () => openReplacement(file, beside, 0o600));
  }

  function put(replacement: ReturnType<typeof replace>, file: string, text: string): void {
    atFile("write", file, () => replacement.put(text));
    syncFolder(path.dirname(file));
  }

  const isThere = (file: string) => trusts(path.dirname(file)) && lstatIfPresent(file) !== undefined;
  return {
    trusts,
    temporary,
    isThere,
    read: (file, others = "nothing") =>
      trusts(path.dirname(file))
        ? atFile("read", file, () => ifPresent(() => readPrivate(file, others, uid)))
        : undefined,
    write: (file, text) => put(replace(file), file, text),
    reserve(file, bytes) {
      const replacement = replace(file);
      atFile("write", file, () => replacement.reserve(bytes));
      return { write: (text) => put(replacement, file, text), release: () => replacement.discard() };
    },
    remove(file) {
      if (!isThere(file)) return false;
      atFile("remove", file, () => rmSync(file, { force: true }));
      syncFolder(path.dirname(file));
      return true;
    },
    move(file, to) {
      trusts(path.dirname(file));
      atFile("write", to, () => renameSync(file, to));
      syncFolder(path.dirname(to));
    },
    prepare(file, others = "nothing") {
      // Its folder is made by that.
      temporary(file);
      atFile("write", file, () => {
        try {
          closeSync(openSync(file, "wx", 0o600));
        } catch (error) {
          if (systemErrorCode(error) !== "EEXIST") throw error;
          // It may be gone by now.
          const stats = lstatIfPresent(file);
          if (stats) refuseUnlessPrivate(file, stats, others, uid);
        }
      });
    },
  };
}

/**
 * The text of a file. No link is followed, and opening a named pipe doesn't wait for its other end.
 *
 * @throws {ComandaError} `state_unusable` for what isn't a regular file, or isn't the user's alone; else the system's error
 */
export function readPrivate(file: string, others: Others = "nothing", uid = process.getuid?.()): string {
  const flags: Readonly<Record<string, number>> = constants;
  const descriptor = openSync(file, (flags["O_NOFOLLOW"] ?? 0) | (flags["O_NONBLOCK"] ?? 0));
  try {
    refuseUnlessPrivate(file, fstatSync(descriptor), others, uid);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

function refuseUnlessPrivate(file: string, stats: Stats, others: Others, uid: number | undefined): void {
  if (!stats.isFile())
    throw unusable(t`${file} is not a regular file.`, t`Move it away, then run the command again.`);
  if (uid === undefined) return;
  if (stats.uid !== uid) {
    throw unusable(
      t`${file} belongs to another user (uid ${stats.uid}).`,
      t`Run comanda as that user, or remove the file and start anew.`,
    );
  }
  if ((stats.mode & (others === "read" ? 0o022 : 0o077)) === 0) return;
  const message =
    others === "read" ? t`Other users can change ${file}.` : t`Other users can read or change ${file}.`;
  throw unusable(message, t`Type: chmod 600 ${shellWord(file)}`);
}

/** The folders that a path leads through, from the top down, and itself. */
function foldersOf(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [...foldersOf(parent), folder];
}

function refuseForeign(folder: string, stats: Stats, uid: number): void {
  if (stats.isSymbolicLink()) {
    throw unusable(
      t`${folder} is a link. comanda's folder and all in it have to be real.`,
      t`Put the folder itself there, ${chooseAnother()}.`,
    );
  }
  if (!stats.isDirectory()) throw notFolder(folder);
  if (stats.uid !== uid) throw notYours(folder, stats, uid);
  if ((stats.mode & 0o022) === 0) return;
  throw unusable(
    t`Other users can write to ${folder}.`,
    t`Type: chmod 700 ${shellWord(folder)}\nOr choose another folder with COMANDA_CONFIG_DIR.`,
  );
}

/**
 * The folders above, as they are named and as they are in truth: the user's own or root's, and none that all may write to
 * without the sticky bit. That a group may write to one is let pass: where each user has a group of their own, it is the
 * rule.
 */
function checkParents(folder: string, uid: number): void {
  const named = foldersOf(folder).filter((each) => lstatIfPresent(each));
  const last = named.at(-1) ?? folder;
  const real = atFile("read", last, () => realpathSync(last));
  // Where not all users are mapped (a user namespace), root has another number: that of the topmost folder's owner.
  const roots = [uid, 0, lstatSync(path.parse(folder).root).uid];
  for (const each of new Set([...named, ...foldersOf(real)])) {
    const stats = lstatIfPresent(each);
    if (!stats) continue;
    if (!roots.includes(stats.uid)) throw notYours(each, stats, uid);
    if (stats.isSymbolicLink()) continue;
    // Nothing can lie below it, for anyone: as where the system says so, nothing is kept.
    if (!stats.isDirectory()) throw notFolder(each, Object.assign(new Error("ENOTDIR"), { code: "ENOTDIR" }));
    if ((stats.mode & 0o1002) === 0o002) {
      throw unusable(
        t`All users can write to ${each}, which comanda's folder lies in.`,
        t`Type: chmod o-w ${shellWord(each)}\nOr choose another folder with COMANDA_CONFIG_DIR.`,
      );
    }
  }
}

function noFolder(): ComandaError {
  return unusable(
    t`comanda has no folder to keep things in: this user has no home folder, or the current folder is gone.`,
    t`Choose a folder with COMANDA_CONFIG_DIR.`,
  );
}

function notFolder(folder: string, cause?: Error): ComandaError {
  return unusable(t`${folder} is not a folder.`, t`Move it away, ${chooseAnother()}.`, cause);
}

function notYours(folder: string, stats: Stats, uid: number): ComandaError {
  return unusable(
    t`${folder} belongs to another user (uid ${stats.uid}).`,
    t`Run comanda as that user, ${chooseAnother()}, or make it yours: chown ${uid} ${shellWord(folder)}`,
  );
}

function unusable(message: string, hint: string, cause?: Error): ComandaError {
  return new ComandaError("state_unusable", message, { hint, cause });
}

/** The end of a hint. */
const chooseAnother = () => t`or choose another folder with COMANDA_CONFIG_DIR`;

/**
 * Makes a folder for its owner alone, with the folders above it. Node's own `recursive` never ends where a folder that is
 * there answers ENOENT, as `/proc` does. Another process may make the folders at the same time, so each is tried and none
 * is looked for first.
 */
function makeFolder(folder: string): void {
  const makeOne = () => {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST" || !statSync(folder).isDirectory()) throw error;
    }
  };
  atFile("make", folder, () => {
    try {
      makeOne();
    } catch (error) {
      const parent = path.dirname(folder);
      if (systemErrorCode(error) !== "ENOENT" || parent === folder) throw error;
      makeFolder(parent);
      makeOne();
    }
  });
}

/** Syncs the names in a folder, so that they outlive a loss of power. Some platforms can't do that, which is no error. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

/** A short mark of this machine's table of processes, and the number of this one in it. */
const ownMark = once(() => {
  const { table, pid } = thisProcess();
  return `${createHash("sha256").update(table).digest("hex").slice(0, 8)}.${pid}`;
});

/** A temporary file that is so much older than the last change of its folder is swept, whoever made it. */
const abandonedMs = 60 * 60_000;

/** The names that {@link PrivateFiles.temporary} makes, and those that conf makes of them. */
const temporaryPattern = /^\..+\.([0-9a-f]{8})\.(\d+)\.[0-9a-f-]{36}\.tmp(?:\.tmp-[0-9a-f]{16})?$/;

/**
 * Removes the temporary files in a folder whose makers are gone: regular files of this very pattern and nothing else. It
 * never fails: a file that stays does no harm. How old a file is, the folder's own time tells, which the same clock has
 * stamped: another one may be hours ahead, and would sweep the room that a refresh has taken for its answer.
 */
function sweep(folder: string): void {
  try {
    const changedMs = lstatSync(folder).mtimeMs;
    for (const name of readdirSync(folder)) {
      const [, table = "", pid] = temporaryPattern.exec(name) ?? [];
      const file = path.join(folder, name);
      const stats = pid === undefined ? undefined : ifPresent(() => lstatSync(file));
      if (!stats?.isFile()) continue;
      const isGone = ownMark().startsWith(`${table}.`) && startOf(Number(pid)) === undefined;
      if (isGone || changedMs - stats.mtimeMs > abandonedMs) rmSync(file, { force: true });
    }
  } catch {
    // The folder can't be read or written: what has to be written next tells why.
  }
}

/**
 * A failed file operation as a {@link ComandaError} of code `state_unusable` that names the file.
 *
 * @param verb what was tried: `read`, `write`, …
 */
export function fileError(error: unknown, verb: string, file: string): ComandaError {
  if (error instanceof ComandaError) return error;
  const [message, hint] = explained(systemErrorCode(error), translated(verb), file);
  return new ComandaError("state_unusable", message, { hint, cause: error });
}

function explained(code: string | undefined, verb: string, path: string): readonly [string, string] {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return [
        t`comanda is not allowed to ${verb} ${path}.`,
        t`Check who owns it and its folder, ${chooseAnother()}.`,
      ];
    case "ENOSPC":
    case "EDQUOT":
      return [
        t`There is no space left to write ${path}.`,
        t`Make space on the disk, then run the command again.`,
      ];
    case "EROFS":
      return [
        t`${path} lies on a file system that can only be read.`,
        t`Choose a folder that can be written with COMANDA_CONFIG_DIR.`,
      ];
    default:
      return [
        t`comanda can't ${verb} ${path}${code === undefined ? "" : ` (${code})`}.`,
        t`Check the folder it lies in, ${chooseAnother()}.`,
      ];
  }
}

const unwritable: readonly string[] = ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"];

/** Says the error that the disk or folder can't be written, though it may be readable? */
export function isUnwritable(error: unknown): boolean {
  if (!(error instanceof ComandaError) || error.code !== "state_unusable") return false;
  return unwritable.includes(systemErrorCode(error.cause) ?? "");
}

/** Runs a file operation; its failure is a {@link ComandaError} as {@link fileError} makes it. */
export function atFile<Result>(verb: string, file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw fileError(error, verb, file);
  }
}

/** @returns what lies there, be it a link; `undefined` where nothing does */
export function lstatIfPresent(file: string): Stats | undefined {
  return atFile("read", file, () => ifPresent(() => lstatSync(file)));
}

/** Runs a file operation; `undefined` where the file isn't there. */
export function ifPresent<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
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

/**
 * Reads JSON of the expected shape and version.
 *
 * @param hint the way out of a file that can't be used
 * @throws {ComandaError} `state_unusable`. Neither message nor cause quotes the file: it may hold a secret, and so may
 *   the message of the JSON parser, which quotes the text around the fault.
 */
export function parseJsonFile<Schema extends z.ZodMiniType>(
  file: string,
  text: string,
  { schema, hint }: { readonly schema: Schema; readonly hint: string },
): z.infer<Schema> {
  const data = parseJson(text);
  if (data === undefined) throw unusable(t`The file ${file} is damaged: it isn't JSON.`, hint);
  const version = isObject(data) ? data["version"] : undefined;
  if (typeof version === "number" && version > 1) {
    throw unusable(
      t`The file ${file} was written by a newer version of comanda.`,
      t`Update comanda, then run the command again.`,
    );
  }
  const result = z.safeParse(schema, data);
  if (result.success) return result.data;
  const where = result.error.issues[0]?.path.join(".");
  throw unusable(
    t`The file ${file} is damaged: ${where ? t`"${where}" is missing or not what it should be` : t`it holds something else`}.`,
    hint,
  );
}
