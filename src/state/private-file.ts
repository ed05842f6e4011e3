/**
 * Files that only their owner can read, and that are there whole or not at all; which folder they lie in, and whose it is. Folders
 * are checked as OpenSSH checks those of its keys: who can write to a folder, or to one above it, can put other files in the
 * place of comanda's. Windows has neither owners nor modes of this kind; there a folder only has to be one.
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
  writeFileSync,
  type Stats,
} from "node:fs";
import { homedir, platform } from "node:os";
import path from "node:path";

import { ComandaError, systemErrorCode } from "../base/errors.js";
import { t, translated } from "../languages/language.js";

/** Bits of a mode that others must not have, and what the owner types then. */
const wanted = {
  secret: { nobodyElse: 0o077, mend: "chmod 600", isFile: true },
  shown: { nobodyElse: 0o022, mend: "chmod 600", isFile: true },
  folder: { nobodyElse: 0o022, mend: "chmod 700", isFile: false },
  /** That a group may write to one is let pass: where each user has a group of their own, it is the rule. */
  parent: { nobodyElse: 0o002, mend: "chmod o-w", isFile: false },
};
type Kind = keyof typeof wanted;

export type PrivateFiles = ReturnType<typeof openPrivateFiles>;

/** The user's number, where the system has numbers. */
const uid = process.getuid?.();

/**
 * Settings, sessions and databases lie in `COMANDA_CONFIG_DIR`, else where the package `env-paths` has them, which asks for the
 * home folder even where it isn't needed.
 *
 * @returns an absolute path; `undefined` where the user has no home folder, as many a container's, or where a relative
 *   path is meant and the current folder is gone
 */
export function configFolder(
  env: Readonly<Record<string, string | undefined>>,
  system: string = platform(),
  homeOf = homedir,
  paths = path,
): string | undefined {
  try {
    if (env["COMANDA_CONFIG_DIR"]) return paths.resolve(env["COMANDA_CONFIG_DIR"]);
    let [variable, inHome, name] = ["XDG_CONFIG_HOME", ".config", "comanda"];
    if (system === "win32") [variable, inHome, name] = ["APPDATA", "AppData/Roaming", "comanda/Config"];
    if (system === "darwin") [variable, inHome] = ["", "Library/Preferences"];
    // The XDG specification wants a relative one ignored.
    const base = env[variable];
    if (base && paths.isAbsolute(base)) return paths.join(base, name);
    const home = homeOf();
    return paths.isAbsolute(home) ? paths.join(home, inHome, name) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Each of its functions checks the file's folder first, and throws a {@link ComandaError} `state_unusable`.
 *
 * @param root the configuration folder: an absolute path in its normal form; empty where there is none
 */
export function openPrivateFiles(root: string) {
  const trusted = new Set<string>();
  const reservations = new Set<string>();

  /**
   * Checks the configuration folder or one in it, and all those above; each one once.
   *
   * @param makes is it made where it isn't there?
   * @returns whether it is there
   */
  function trusts(folder: string, makes = false): boolean {
    if (root === "") {
      throw unusable(
        t`comanda has no settings folder: this user has no home folder, or the current folder no longer exists.`,
        t`To use another folder, set COMANDA_CONFIG_DIR.`,
      );
    }
    if (trusted.has(folder)) return true;
    if (folder === root) checkParents(path.dirname(root));
    else if (!trusts(path.dirname(folder), makes)) return false;
    if (makes) makeFolder(folder);
    const stats = lstatIfPresent(folder);
    if (!stats) return false;
    if (stats.isSymbolicLink())
      throw unusable(t`${folder} is a symbolic link, which comanda doesn't follow.`, another());
    if (!stats.isDirectory()) throw unusable(t`${folder} is not a folder.`, another());
    refuseOthers("folder", folder, stats);
    trusted.add(folder);
    return true;
  }

  /** @returns a name beside the file that nobody else has; its folder is there then */
  function temporary(file: string): string {
    trusts(path.dirname(file), true);
    return path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
  }

  /**
   * Removes what killed processes left of a file. Whoever writes or removes one has its lease, so no other process is writing it.
   * File times don't count: the clock may have been set since.
   */
  function sweep(file: string): void {
    const start = `.${path.basename(file)}.`;
    try {
      for (const name of readdirSync(path.dirname(file))) {
        const left = path.join(path.dirname(file), name);
        const isTemporary = name.startsWith(start) && /^[\da-f-]{36}\.tmp$/.test(name.slice(start.length));
        if (isTemporary && !reservations.has(left)) rmSync(left, { recursive: true, force: true });
      }
    } catch {
      // The file itself is complete. The next write tries again.
    }
  }

  /** From the file's start, over what is there. */
  function fill(file: string, flags: "wx" | number, data: Uint8Array): void {
    const descriptor = openSync(file, flags, 0o600);
    try {
      writeFileSync(descriptor, data);
      ftruncateSync(descriptor, data.length);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  return {
    trusts,
    temporary,
    /** Takes room on the disk for one later write of a file: the path of that room, to be removed if it isn't used. */
    reserve(file: string, bytes: number): string {
      const room = temporary(file);
      try {
        // The bytes are random: file systems take no room for holes, and little for what they can compress.
        fill(room, "wx", randomBytes(bytes));
        reservations.add(room);
        return room;
      } catch (error) {
        rmSync(room, { force: true });
        throw fileError(error, "write", file);
      }
    },
    /**
     * Puts the text in place of what was there, atomically: a kill or a loss of power at any moment leaves the old text or the
     * new one, and so does a failure.
     *
     * @param room it is written into, where some was reserved
     */
    write(file: string, text: string, room?: string): void {
      const beside = room ?? temporary(file);
      try {
        // A reservation that another program removed is created again: the text may be all that is left of a sign-in.
        fill(beside, room === undefined ? "wx" : constants.O_WRONLY | constants.O_CREAT, Buffer.from(text));
        rename(beside, file);
        sweep(file);
      } catch (error) {
        rmSync(beside, { force: true });
        throw fileError(error, "write", file);
      }
    },
    /** Is there a file of that name? It isn't opened. */
    isThere: (file: string) => trusts(path.dirname(file)) && lstatIfPresent(file) !== undefined,
    read: (file: string, kind?: "shown") =>
      trusts(path.dirname(file)) ? readPrivate(file, kind) : undefined,
    remove(file: string): void {
      if (!trusts(path.dirname(file))) return;
      try {
        rmSync(file, { force: true });
        sweep(file);
      } catch (error) {
        throw fileError(error, "remove", file);
      }
    },
    /** Gives a file another name in its folder: at each moment it has one of both. A file of that name is gone. */
    move(file: string, to: string): void {
      trusts(path.dirname(file));
      try {
        rename(file, to);
      } catch (error) {
        throw fileError(error, "write", to);
      }
    },
    /**
     * Sees to a file that SQLite is going to open by itself: it is the user's alone, and where it isn't there it is made,
     * empty. One that is there is never opened: to close it would take away all locks that this process has on it.
     */
    prepare(file: string, kind: "shown" | "secret"): void {
      trusts(path.dirname(file), true);
      const stats = lstatIfPresent(file);
      try {
        if (stats) refuseOthers(kind, file, stats);
        else closeSync(openSync(file, "a", 0o600));
      } catch (error) {
        throw fileError(error, "write", file);
      }
    },
  };
}

/**
 * No link is followed, and opening a named pipe doesn't wait for its other end.
 *
 * @returns the text of a file, `undefined` where there is none
 * @throws {ComandaError} `state_unusable`, also for what isn't a regular file, or isn't the user's alone
 */
export function readPrivate(file: string, kind: "shown" | "secret" = "secret"): string | undefined {
  const flags: Readonly<Record<string, number>> = constants;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, (flags["O_NOFOLLOW"] ?? 0) | (flags["O_NONBLOCK"] ?? 0));
    refuseOthers(kind, file, fstatSync(descriptor));
    return readFileSync(descriptor, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw fileError(error, "read", file);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * The folders above, as they are named and as they are in truth: the user's own or root's, and none that all may write to
 * without the sticky bit.
 */
function checkParents(folder: string): void {
  if (uid === undefined) return;
  let last = folder;
  while (!lstatIfPresent(last)) last = path.dirname(last);
  try {
    const { root } = path.parse(folder);
    // Where not all users are mapped (a user namespace), root has another number: that of the topmost folder's owner.
    const owners = [uid, 0, statSync(root).uid];
    for (const start of [last, realpathSync(last)])
      for (let each = start; ; each = path.dirname(each)) {
        refuseOthers("parent", each, lstatSync(each), owners);
        if (each === root) break;
      }
  } catch (error) {
    throw fileError(error, "read", last);
  }
}

/** Refuses what others could exchange, change or read, and files that are none. */
function refuseOthers(kind: Kind, file: string, stats: Stats, owners = [uid]): void {
  const { nobodyElse, mend, isFile } = wanted[kind];
  if (isFile && !stats.isFile())
    throw unusable(t`${file} is not a regular file.`, t`Move it elsewhere, then try again.`);
  if (uid === undefined) return;
  let fault: string | undefined;
  let command = mend;
  if (!owners.includes(stats.uid)) {
    fault = t`${file} belongs to another user (uid ${stats.uid}).`;
    command = `chown ${uid}`;
  } else if ((stats.mode & nobodyElse) !== 0) {
    // What all may write to can still be safe for what each of them has there; and the mode of a link says nothing.
    const isSticky = kind === "parent" && (stats.mode & 0o1000) !== 0;
    if (!isSticky && !stats.isSymbolicLink()) fault = t`Other users can read or change ${file}.`;
  }
  if (fault === undefined) return;
  const hint = t`Run: ${command} ${shellWord(file)}`;
  throw unusable(fault, isFile ? hint : [hint, another()].join("\n"));
}

const another = () => t`To use another folder, set COMANDA_CONFIG_DIR.`;

function unusable(message: string, hint: string): ComandaError {
  return new ComandaError("state_unusable", message, { hint });
}

/**
 * Makes a folder for its owner alone, with the folders above it. Node's own `recursive` never ends where a folder that is
 * there answers ENOENT, as `/proc` does.
 */
function makeFolder(folder: string): void {
  if (lstatIfPresent(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may make it at the same time.
    if (systemErrorCode(error) !== "EEXIST") throw fileError(error, "make", folder);
  }
}

function rename(file: string, to: string): void {
  renameSync(file, to);
  if (uid === undefined) return;
  // The names in the folder have to outlive a loss of power.
  const descriptor = openSync(path.dirname(to), "r");
  try {
    fsyncSync(descriptor);
  } catch {
    // Some file systems can't do that: what was written is whole all the same.
  } finally {
    closeSync(descriptor);
  }
}

/**
 * A failed file operation as a {@link ComandaError} of code `state_unusable` that names the file.
 *
 * @param verb what was tried: `read`, `write`, …
 */
export function fileError(error: unknown, verb: string, file: string): ComandaError {
  if (error instanceof ComandaError) return error;
  const reason = fileErrorReason(error);
  const hint =
    reason === t`there is no space left`
      ? t`Free up disk space, then try again.`
      : t`To use another folder, set COMANDA_CONFIG_DIR.`;
  const message = t`comanda can't ${translated(verb)} ${file}: ${reason}.`;
  return new ComandaError("state_unusable", message, { hint, cause: error });
}

/** Why a file can't be read or written; the text ends a sentence. */
export function fileErrorReason(error: unknown): string {
  switch (systemErrorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return t`there is no space left`;
    case "EACCES":
    case "EPERM":
      return t`permission denied`;
    case "ENOENT":
      return t`the file or folder doesn't exist`;
    case "EISDIR":
      return t`it is a folder`;
    case "ELOOP":
      return t`it is a symbolic link`;
    case "EROFS":
      return t`the file system is read-only`;
    default:
      return error instanceof Error ? error.message.replace(/, \w+ '.*$/, "") : t`unknown error`;
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

/** Writes one word as a person would type it in a POSIX shell, so that a command in a hint can be pasted whatever it holds. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
