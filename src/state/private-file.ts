/**
 * Files that only their owner can read, and that are there whole or not at all; and whose folder this is. Folders are checked as
 * OpenSSH checks those of its keys: who can write to a folder, or to one above it, can put other files in the place of comanda's.
 * Windows has neither owners nor modes of this kind; there a folder only has to be one.
 */
import { randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
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
  writeSync,
  type Stats,
} from "node:fs";
import path from "node:path";

import * as z from "zod/mini";

import { isObject, parseJson } from "../api/basics.js";
import { ComandaError, systemErrorCode } from "../client/errors.js";
import { t, translated } from "../languages/language.js";
import { shellWord } from "./shell-word.js";

/** What other users may do with a file: `nothing`, or `read` where it holds no secret. */
type Others = "nothing" | "read";

/** Room on the disk for one write. */
export interface ReservedRoom {
  /**
   * Puts the text in place of what was there, atomically: a kill or a loss of power at any moment leaves the old text or the new
   * one, and so does a failure. Call it at most once.
   */
  write(text: string): void;
  /** Gives the room back; harmless after the write. */
  release(): void;
}

export type PrivateFiles = ReturnType<typeof openPrivateFiles>;

/** The user's number, where the system has numbers. */
const uid = process.getuid?.();

/**
 * Each of its functions checks the file's folder first, and throws a {@link ComandaError} `state_unusable`.
 *
 * @param root the configuration folder: an absolute path in its normal form; empty where there is none
 */
export function openPrivateFiles(root: string) {
  const trusted = new Set<string>();

  /**
   * Checks the configuration folder or one in it, and all those above; each one once.
   *
   * @returns whether it is there
   */
  function trusts(folder: string): boolean {
    if (root === "") {
      throw unusable(
        t`comanda has no folder to keep things in: this user has no home folder, or the current folder is gone.`,
        t`Choose a folder with COMANDA_CONFIG_DIR.`,
      );
    }
    if (trusted.has(folder)) return true;
    if (folder === root) checkParents(path.dirname(root));
    else if (!trusts(path.dirname(folder))) return false;
    const stats = lstatIfPresent(folder);
    if (!stats) return false;
    if (uid !== undefined && stats.isSymbolicLink()) {
      throw unusable(
        t`${folder} is a link. comanda's folder and all in it have to be real.`,
        t`Put the folder itself there, ${chooseAnother()}.`,
      );
    }
    if (!stats.isDirectory() && !statSync(folder).isDirectory()) throw notFolder(folder);
    if (uid !== undefined && stats.uid !== uid) throw notYours(folder, stats, uid);
    if (uid !== undefined && (stats.mode & 0o022) !== 0) {
      throw unusable(
        t`Other users can write to ${folder}.`,
        t`Type: chmod 700 ${shellWord(folder)}\nOr choose another folder with COMANDA_CONFIG_DIR.`,
      );
    }
    trusted.add(folder);
    return true;
  }

  /** @returns a name beside the file that nobody else has; its folder is there then */
  function temporary(file: string): string {
    const folder = path.dirname(file);
    if (!trusts(folder)) {
      atFile("make", folder, () => makeFolder(folder));
      // Another process may have made it first.
      trusts(folder);
    }
    return path.join(folder, `.${path.basename(file)}.${randomUUID()}.tmp`);
  }

  /** Reserves room on the disk for one later write of a file, for data that must not be lost on a full disk. */
  function reserve(file: string, bytes: number): ReservedRoom {
    const beside = temporary(file);
    const descriptor = atFile("write", file, () => openSync(beside, "wx", 0o600));
    let [isOpen, isBeside] = [true, true];
    const release = () => {
      if (isOpen) closeSync(descriptor);
      if (isBeside) rmSync(beside, { force: true });
      isOpen = isBeside = false;
    };
    const orRelease = (work: () => void) => {
      try {
        atFile("write", file, work);
      } catch (error) {
        release();
        throw error;
      }
    };
    /** From the file's start, over what is there. */
    const fill = (data: Uint8Array) => {
      for (let written = 0; written < data.length;)
        written += writeSync(descriptor, data, written, data.length - written, written);
      ftruncateSync(descriptor, data.length);
      fsyncSync(descriptor);
    };
    orRelease(() => {
      sweep(path.dirname(file), fstatSync(descriptor).mtimeMs);
      // The bytes are random: file systems take no room for holes, and little for what they can compress.
      if (bytes > 0) fill(randomBytes(bytes));
    });
    return {
      release,
      write: (text) =>
        orRelease(() => {
          fill(Buffer.from(text));
          closeSync(descriptor);
          isOpen = false;
          renamePatiently(beside, file);
          isBeside = false;
          syncFolder(path.dirname(file));
        }),
    };
  }

  /** Is there a file of that name? It isn't opened. */
  const isThere = (file: string) => trusts(path.dirname(file)) && lstatIfPresent(file) !== undefined;
  return {
    trusts,
    temporary,
    reserve,
    isThere,
    /** The text of a file, `undefined` where there is none. */
    read: (file: string, others?: Others) =>
      trusts(path.dirname(file)) ? readPrivate(file, others) : undefined,
    /** As {@link ReservedRoom.write}. */
    write: (file: string, text: string) => reserve(file, 0).write(text),
    /** @returns `false` where there was none */
    remove(file: string): boolean {
      if (!isThere(file)) return false;
      atFile("remove", file, () => rmSync(file, { force: true }));
      syncFolder(path.dirname(file));
      return true;
    },
    /** Gives a file another name in its folder: at each moment it has one of both. A file of that name is gone. */
    move(file: string, to: string): void {
      trusts(path.dirname(file));
      atFile("write", to, () => renamePatiently(file, to));
      syncFolder(path.dirname(to));
    },
    /**
     * Sees to a file that SQLite is going to open by itself: it is the user's alone, and where it isn't there it is made,
     * empty. One that is there is never opened: to close it would take away all locks that this process has on it.
     */
    prepare(file: string, others: Others = "nothing"): void {
      // Its folder is made by that.
      temporary(file);
      const stats = lstatIfPresent(file);
      if (stats) refuseUnlessPrivate(file, stats, others);
      else atFile("write", file, () => closeSync(openSync(file, "a", 0o600)));
    },
  };
}

/**
 * No link is followed, and opening a named pipe doesn't wait for its other end.
 *
 * @returns the text of a file, `undefined` where there is none
 * @throws {ComandaError} `state_unusable`, also for what isn't a regular file, or isn't the user's alone
 */
export function readPrivate(file: string, others: Others = "nothing"): string | undefined {
  const flags: Readonly<Record<string, number>> = constants;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, (flags["O_NOFOLLOW"] ?? 0) | (flags["O_NONBLOCK"] ?? 0));
    refuseUnlessPrivate(file, fstatSync(descriptor), others);
    return readFileSync(descriptor, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw fileError(error, "read", file);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function refuseUnlessPrivate(file: string, stats: Stats, others: Others): void {
  if (!stats.isFile())
    throw unusable(t`${file} is not a regular file.`, t`Move it away, then run the command again.`);
  if (uid === undefined) return;
  if (stats.uid !== uid) throw notYours(file, stats, uid);
  if ((stats.mode & (others === "read" ? 0o022 : 0o077)) === 0) return;
  throw unusable(t`Other users can read or change ${file}.`, t`Type: chmod 600 ${shellWord(file)}`);
}

/**
 * The folders above, as they are named and as they are in truth: the user's own or root's, and none that all may write to
 * without the sticky bit. That a group may write to one is let pass: where each user has a group of their own, it is the
 * rule.
 */
function checkParents(folder: string): void {
  if (uid === undefined) return;
  let last = folder;
  while (!lstatIfPresent(last)) last = path.dirname(last);
  try {
    // Where not all users are mapped (a user namespace), root has another number: that of the topmost folder's owner.
    const trusted = [uid, 0, statSync(path.parse(folder).root).uid];
    for (const each of new Set([...foldersOf(last), ...foldersOf(realpathSync(last))])) {
      const stats = lstatSync(each);
      if (!trusted.includes(stats.uid)) throw notYours(each, stats, uid);
      if (stats.isSymbolicLink()) continue;
      // Nothing can lie below it, for anyone: as where the system says so, nothing is kept.
      if (!stats.isDirectory())
        throw notFolder(each, Object.assign(new Error("ENOTDIR"), { code: "ENOTDIR" }));
      if ((stats.mode & 0o1002) === 0o002) {
        throw unusable(
          t`All users can write to ${each}, which comanda's folder lies in.`,
          t`Type: chmod o-w ${shellWord(each)}\nOr choose another folder with COMANDA_CONFIG_DIR.`,
        );
      }
    }
  } catch (error) {
    throw fileError(error, "read", last);
  }
}

/** A folder, and those that its path leads through. */
function foldersOf(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [...foldersOf(parent), folder];
}

/** The end of a hint. */
const chooseAnother = () => t`or choose another folder with COMANDA_CONFIG_DIR`;

function notFolder(folder: string, cause?: Error): ComandaError {
  return unusable(t`${folder} is not a folder.`, t`Move it away, ${chooseAnother()}.`, cause);
}

function notYours(file: string, stats: Stats, uid: number): ComandaError {
  return unusable(
    t`${file} belongs to another user (uid ${stats.uid}).`,
    t`Run comanda as that user, ${chooseAnother()}, or make it yours: chown ${uid} ${shellWord(file)}`,
  );
}

function unusable(message: string, hint: string, cause?: unknown): ComandaError {
  return new ComandaError("state_unusable", message, { hint, cause });
}

/**
 * Makes a folder for its owner alone, with the folders above it. Node's own `recursive` never ends where a folder that is
 * there answers ENOENT, as `/proc` does. Another process may make the folders at the same time.
 */
function makeFolder(folder: string): void {
  const parent = path.dirname(folder);
  if (parent !== folder && !lstatIfPresent(parent)) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

/** Syncs the names in a folder, so that they outlive a loss of power. Some file systems can't do that, which is no error. */
function syncFolder(folder: string): void {
  if (uid === undefined) return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } catch {
    // What was written is whole all the same.
  } finally {
    closeSync(descriptor);
  }
}

/** On Windows no file can replace one that another program has open for a moment, such as a virus scanner. */
function renamePatiently(file: string, to: string): void {
  for (let left = path.sep === "\\" ? 20 : 0; ; left -= 1) {
    try {
      renameSync(file, to);
      return;
    } catch (error) {
      if (left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

/** The names that {@link PrivateFiles.temporary} makes. */
const temporaryPattern = /^\..+\.[0-9a-f-]{36}\.tmp$/;

/** Removes what killed processes have left: temporary files that are an hour older than one that was written now. */
function sweep(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (!temporaryPattern.test(name)) continue;
    if (nowMs - (lstatIfPresent(file)?.mtimeMs ?? nowMs) > 60 * 60_000)
      rmSync(file, { recursive: true, force: true });
  }
}

/**
 * A failed file operation as a {@link ComandaError} of code `state_unusable` that names the file.
 *
 * @param verb what was tried: `read`, `write`, …
 */
export function fileError(error: unknown, verb: string, file: string): ComandaError {
  if (error instanceof ComandaError) return error;
  const hint = full.includes(systemErrorCode(error) ?? "")
    ? t`Make space on the disk, then run the command again.`
    : t`Check who owns it and its folder, ${chooseAnother()}.`;
  return unusable(t`comanda can't ${translated(verb)} ${file}: ${fileErrorReason(error)}.`, hint, error);
}

/** Why a file can't be read or written; the text ends a sentence. */
export function fileErrorReason(error: unknown): string {
  switch (systemErrorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return t`there is no space left`;
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

const full: readonly string[] = ["ENOSPC", "EDQUOT"];

/** Runs a file operation; its failure is a {@link ComandaError} as {@link fileError} makes it. */
function atFile<Result>(verb: string, file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw fileError(error, verb, file);
  }
}

/** @returns what lies there, be it a link; `undefined` where nothing does */
export function lstatIfPresent(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw fileError(error, "read", file);
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
 * @param place begins a sentence: the path of a file
 * @param hint the way out of what can't be used
 * @throws {ComandaError} `state_unusable`. Neither message nor cause quotes what is there: it may hold a secret, and so may
 *   the message of the JSON parser, which quotes the text around the fault.
 */
export function parseKept<Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
  place: string,
  hint: string,
): z.infer<Schema> {
  const data = parseJson(text);
  const version = isObject(data) ? data["version"] : undefined;
  if (typeof version === "number" && version > 1) {
    throw unusable(t`${place} was written by a newer comanda.`, t`Use that version, or a newer one.`);
  }
  const result = z.safeParse(schema, data);
  if (result.success) return result.data;
  const where = result.error.issues[0]?.path.join(".");
  throw unusable(
    where ? t`${place} is damaged: "${where}" is missing or not what it should be.` : t`${place} is damaged.`,
    hint,
  );
}
