/**
 * Reads and writes files that only their owner can read, atomically, in a folder that only their owner can change. Folders are
 * checked as OpenSSH checks those of its keys, because anyone who can write to a folder or its parents can replace the files.
 * Windows has no such owners and modes, so only the types of files and folders are checked there.
 */
import fs, { constants, type Stats } from "node:fs";
import { homedir, platform } from "node:os";
import path from "node:path";

import { fileErrorReason } from "../base/basics.js";
import { ComandaError, systemErrorCode, type ErrorOptions } from "../base/errors.js";
import { t } from "../languages/language.js";

/** Grants the owner access, and removes only what others must not have. */
const usualMode = "chmod go-w,u+rwX";
/** The mode bits that others must not have, and the command that repairs a mode. */
const rules = {
  secret: { forbidden: 0o077, command: "chmod 600", isFile: true },
  public: { forbidden: 0o022, command: usualMode, isFile: true },
  folder: { forbidden: 0o022, command: usualMode, isFile: false },
  /** Group access is allowed, because on many systems each user has a separate group. Parents aren't comanda's to change. */
  parent: { forbidden: 0o002, command: undefined, isFile: false },
};

/** The user id; `undefined` on Windows. */
const uid = process.getuid?.();

export type PrivateFiles = ReturnType<typeof openPrivateFiles>;

/**
 * Returns the absolute path of the folder for all files: `COMANDA_CONFIG_DIR`, or else the folder of the package `env-paths`,
 * which itself would require a home folder in every case.
 *
 * @returns `undefined` without a home folder, as in many containers, or for a relative path in a deleted working folder
 */
export function configFolder(
  env: Readonly<Record<string, string | undefined>>,
  system: string = platform(),
  homeOf = homedir,
): string | undefined {
  const paths = system === "win32" ? path.win32 : path.posix;
  try {
    if (env["COMANDA_CONFIG_DIR"]) return paths.resolve(env["COMANDA_CONFIG_DIR"]);
    let [variable, inHome, name] = ["XDG_CONFIG_HOME", ".config", "comanda"];
    if (system === "win32") [variable, inHome, name] = ["APPDATA", "AppData/Roaming", "comanda/Config"];
    if (system === "darwin") [variable, inHome] = ["", "Library/Preferences"];
    // According to the XDG specification, a relative path must be ignored.
    const base = env[variable];
    if (base && paths.isAbsolute(base)) return paths.join(base, name);
    const home = homeOf();
    return paths.isAbsolute(home) ? paths.join(home, inHome, name) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Opens private files. Each function checks the file's folder first, and throws a {@link ComandaError} `state_unusable`.
 *
 * @param root the normalized absolute path of the configuration folder; empty if there is none
 */
export function openPrivateFiles(root: string) {
  const trusted = new Set<string>();
  const reservations = new Set<string>();

  /**
   * Checks the configuration folder or a folder in it, with all parents, once each.
   *
   * @param creates whether to create a missing folder
   * @returns whether the folder exists
   */
  function checkFolder(folder: string, creates = false): boolean {
    if (root === "")
      throw unusable(
        t`comanda has no settings folder: this user has no home folder, or the current folder no longer exists.`,
      );
    if (trusted.has(folder)) return true;
    if (folder === root) checkParents(path.dirname(root));
    else if (!checkFolder(path.dirname(folder), creates)) return false;
    if (creates) createFolder(folder);
    const stats = lstatIfPresent(folder);
    if (!stats) return false;
    if (stats.isSymbolicLink()) throw unusable(t`${folder} can't be read: ${t`it is a symbolic link`}.`);
    if (!stats.isDirectory()) throw unusable(t`${folder} is not a folder.`);
    checkAccess("folder", folder, stats);
    trusted.add(folder);
    return true;
  }

  /** Returns a unique path next to the file, whose folder is created if it is missing. */
  function temporary(file: string): string {
    checkFolder(path.dirname(file), true);
    return path.join(path.dirname(file), `.${path.basename(file)}.${crypto.randomUUID()}.tmp`);
  }

  /**
   * Removes temporary files that killed processes left. The caller has the file's lease, so no other process is writing it. File
   * times don't matter, because the clock may have been set.
   */
  function sweep(file: string): void {
    const start = `.${path.basename(file)}.`;
    try {
      for (const name of fs.readdirSync(path.dirname(file))) {
        const left = path.join(path.dirname(file), name);
        const isTemporary = name.startsWith(start) && /^[\da-f-]{36}\.tmp$/.test(name.slice(start.length));
        if (isTemporary && !reservations.has(left)) fs.rmSync(left, { recursive: true, force: true });
      }
    } catch {
      // The file itself is complete, and the next write tries again.
    }
  }

  /** Replaces a file's content and flushes it to the disk. */
  function fill(file: string, flags: "wx" | number, data: Uint8Array): void {
    const descriptor = fs.openSync(file, flags, 0o600);
    try {
      fs.writeFileSync(descriptor, data);
      fs.ftruncateSync(descriptor, data.length);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  }

  return {
    checkFolder,
    temporary,
    /** Reserves disk space for one later write of a file, and returns its path, which must be removed if it isn't used. */
    reserve(file: string, bytes: number): string {
      const reservation = temporary(file);
      try {
        // The bytes are random, because file systems don't allocate space for holes, and may compress the rest.
        fill(reservation, "wx", crypto.getRandomValues(new Uint8Array(bytes)));
        reservations.add(reservation);
        return reservation;
      } catch (error) {
        fs.rmSync(reservation, { force: true });
        throw fileError(error, "write", file);
      }
    },
    /**
     * Replaces the text atomically: after a crash or error, the file contains either the old text or the new one.
     *
     * @param to the file's new name in its folder. A file of that name is replaced
     */
    write(file: string, text: string, reservation?: string, to = file): void {
      const written = reservation ?? temporary(file);
      try {
        // If another program removed the reservation, it is created again, because the text may contain the only valid tokens.
        const flags = reservation === undefined ? "wx" : constants.O_WRONLY | constants.O_CREAT;
        fill(written, flags, Buffer.from(text));
        rename(written, file);
        if (to !== file) rename(file, to);
        sweep(file);
      } catch (error) {
        fs.rmSync(written, { force: true });
        throw fileError(error, "write", file);
      }
    },
    exists: (file: string) => checkFolder(path.dirname(file)) && lstatIfPresent(file) !== undefined,
    read: (file: string, kind?: "public") =>
      checkFolder(path.dirname(file)) ? readPrivate(file, kind) : undefined,
    remove(file: string): void {
      if (!checkFolder(path.dirname(file))) return;
      try {
        fs.rmSync(file, { force: true });
        sweep(file);
      } catch (error) {
        throw fileError(error, "write", file);
      }
    },
    /**
     * Checks or creates a file that SQLite opens afterwards. An existing file is never opened here, because closing it would
     * release all of this process's locks on it.
     */
    prepare(file: string, kind: "public" | "secret"): void {
      checkFolder(path.dirname(file), true);
      const stats = lstatIfPresent(file);
      try {
        if (stats) checkAccess(kind, file, stats);
        else fs.closeSync(fs.openSync(file, "a", 0o600));
      } catch (error) {
        throw fileError(error, "write", file);
      }
    },
  };
}

/**
 * Reads a file without following links, and without waiting for a named pipe.
 *
 * @returns the text; `undefined` if the file doesn't exist
 * @throws {ComandaError} `state_unusable`, also if it isn't a regular file, or others have access to it
 */
function readPrivate(file: string, kind: "public" | "secret" = "secret"): string | undefined {
  const flags: Readonly<Record<string, number>> = constants;
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, (flags["O_NOFOLLOW"] ?? 0) | (flags["O_NONBLOCK"] ?? 0));
    checkAccess(kind, file, fs.fstatSync(descriptor));
    return fs.readFileSync(descriptor, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw fileError(error, "read", file);
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/**
 * Reads a file that only its owner can read, or that only root can change, as containers mount secrets.
 *
 * @returns the text; `undefined` if the file doesn't exist
 * @throws {ComandaError} `state_unusable`
 */
export function readSecret(file: string): string | undefined {
  try {
    const roots = uid === undefined ? undefined : fileOfRoot(path.resolve(file));
    return roots === undefined ? readPrivate(file) : fs.readFileSync(roots, "utf8");
  } catch (error) {
    throw fileError(error, "read", file);
  }
}

/** The most links that Linux follows (path_resolution(7)). */
const mostLinks = 40;

/**
 * Follows the links of a path by hand, because anyone who can change one of them, or a folder on the way, chooses the file.
 *
 * @returns the file itself; `undefined` if it doesn't exist, or anyone but root can change it, a folder or a link on the way
 */
function fileOfRoot(file: string): string | undefined {
  const { root } = path.parse(file);
  const owners = [0, fs.statSync(root).uid];
  let place = root;
  let names = path.relative(root, file).split(path.sep);
  for (let links = 0; links <= mostLinks;) {
    const stats = fs.lstatSync(place, { throwIfNoEntry: false });
    if (!stats || !owners.includes(stats.uid)) return undefined;
    if (stats.isSymbolicLink()) {
      const target = path.resolve(path.dirname(place), fs.readlinkSync(place));
      names = [...path.relative(root, target).split(path.sep), ...names];
      place = root;
      links += 1;
      continue;
    }
    // In a folder with the sticky bit, others can't replace root's entries.
    const isSticky = stats.isDirectory() && (stats.mode & 0o1000) !== 0;
    if ((stats.mode & 0o022) !== 0 && !isSticky) return undefined;
    const [name, ...others] = names;
    if (name === undefined) return stats.isFile() ? place : undefined;
    [place, names] = [path.join(place, name), others];
  }
  return undefined;
}

/** Checks a folder and its parents, with and without resolved links: each must belong to the user or root. */
function checkParents(folder: string): void {
  if (uid === undefined) return;
  let last = folder;
  while (!lstatIfPresent(last)) last = path.dirname(last);
  try {
    const { root } = path.parse(folder);
    // In a user namespace, root may have a different user id, which owns the topmost folder.
    const owners = [uid, 0, fs.statSync(root).uid];
    for (const start of [last, fs.realpathSync(last)])
      for (let each = start; ; each = path.dirname(each)) {
        checkAccess("parent", each, fs.lstatSync(each), owners);
        if (each === root) break;
      }
  } catch (error) {
    throw fileError(error, "read", last);
  }
}

/** Rejects a file or folder that others could replace, change or read, and anything but a regular file in place of a file. */
function checkAccess(kind: keyof typeof rules, file: string, stats: Stats, owners = [uid]): void {
  const { forbidden, command, isFile } = rules[kind];
  if (isFile && !stats.isFile())
    throw unusable(t`${file} is not a regular file.`, { hint: t`Move it elsewhere, then try again.` });
  if (uid === undefined) return;
  let fault: string | undefined;
  // The sticky bit protects each user's files in a shared folder, and the mode of a link has no meaning.
  const isProtected = stats.isSymbolicLink() || (kind === "parent" && (stats.mode & 0o1000) !== 0);
  if (!owners.includes(stats.uid)) fault = t`${file} belongs to another user (uid ${stats.uid}).`;
  else if ((stats.mode & forbidden) !== 0 && !isProtected) fault = t`Other users can read or change ${file}.`;
  if (fault === undefined) return;
  const hint = repairHint(file, stats, command);
  throw unusable(fault, { hint, hintFacts: isFile && hint !== undefined ? undefined : another });
}

/**
 * Returns how to make a file or folder usable. COMANDA_CONFIG_DIR may be any folder, such as `/etc`, so the owner and mode are
 * changed only of comanda's own folder, which has its name or its database, and of files in it.
 *
 * @param mode the command that repairs the mode
 */
function repairHint(place: string, stats: Stats, mode: string | undefined): string | undefined {
  const parent = path.dirname(place);
  const folder = stats.isDirectory() ? place : parent;
  const root = path.basename(folder) === "sessions" ? path.dirname(folder) : folder;
  const isOurs = path.basename(root) === "comanda" || fs.existsSync(path.join(root, "comanda.db"));
  if (stats.uid === uid)
    return isOurs && mode !== undefined ? t`Run: ${mode} ${shellWord(place)}` : undefined;
  if (uid === 0) return t`Run comanda without sudo, as the user who owns the file or folder.`;
  if (stats.uid !== 0) return undefined;
  try {
    const above = fs.statSync(parent);
    // In a folder of the user's own, root has probably created it for this user.
    if (isOurs && above.uid === uid) return t`Run: ${`sudo chown ${uid}`} ${shellWord(place)}`;
    // Containers mount a new volume as an empty folder of root's.
    if (stats.dev !== above.dev && fs.readdirSync(place).length === 0)
      return t`For a container volume, run this as root in the image: install -d -m 700 -o ${String(uid)} ${shellWord(place)}`;
  } catch {
    // It isn't a folder, or this user can't list it.
  }
  return undefined;
}

const another = { about: "settings_folder" } as const;

function unusable(message: string, options: ErrorOptions = { hintFacts: another }): ComandaError {
  return new ComandaError("state_unusable", message, options);
}

/** Creates a private folder with its parents. Node's `recursive` loops forever in `/proc`, which returns ENOENT. */
function createFolder(folder: string): void {
  if (lstatIfPresent(folder)) return;
  createFolder(path.dirname(folder));
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may create it at the same time.
    if (systemErrorCode(error) !== "EEXIST") throw fileError(error, "write", folder);
  }
}

function rename(file: string, to: string): void {
  fs.renameSync(file, to);
  if (uid === undefined) return;
  // Flushing the folder makes the rename survive a power failure.
  const descriptor = fs.openSync(path.dirname(to), "r");
  try {
    fs.fsyncSync(descriptor);
  } catch {
    // Some file systems can't flush a folder, but the rename is still atomic.
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Converts the error of a file operation into a `state_unusable` that names the file. */
export function fileError(error: unknown, verb: "read" | "write", file: string): ComandaError {
  if (error instanceof ComandaError) return error;
  const code = systemErrorCode(error) ?? "";
  const reason = fileErrorReason(error);
  let hint: string | undefined;
  if (code === "ENOSPC" || code === "EDQUOT") hint = t`Free up disk space, then try again.`;
  if (["EMFILE", "ENFILE", "EFBIG"].includes(code)) hint = t`Raise this limit, then try again.`;
  if (code === "EACCES" || code === "EPERM") hint = deniedHint(path.dirname(file)) ?? deniedHint(file);
  const hintFacts = hint === undefined ? another : undefined;
  const message = verb === "read" ? t`${file} can't be read: ${reason}.` : t`Can't write ${file}: ${reason}.`;
  return unusable(message, { hint, hintFacts, cause: error });
}

/** Returns how users can access a place; `undefined` if its owner and mode already allow them to. */
function deniedHint(place: string): string | undefined {
  try {
    const stats = fs.lstatSync(place);
    const needed = stats.isDirectory() ? 0o700 : 0o600;
    return repairHint(place, stats, (stats.mode & needed) === needed ? undefined : usualMode);
  } catch {
    return undefined;
  }
}

/** Returns the stats of the file or link itself; `undefined` if it doesn't exist. */
export function lstatIfPresent(file: string): Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw fileError(error, "read", file);
  }
}

/** Returns the bytes that this user can still write in the folder; `undefined` if the system doesn't report them. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Quotes a word for a POSIX shell, so a command in a hint can be pasted. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
