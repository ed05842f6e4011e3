/**
 * Folders are checked as OpenSSH checks those of its keys: who can write to a folder, or to one above it, can put other
 * files in the place of comanda's. Windows has neither owners nor modes of this kind; there a folder only has to be one.
 */
import path from "node:path";

import { openFlags, type Disk, type FileStats } from "../../shared/disk.js";
import { t } from "../../shared/language.js";
import { shellWord } from "../../shared/shell-word.js";
import { ComandaError } from "../../shared/errors.js";
import { chooseAnother, ifPresent, lstatIfPresent, withFileErrors } from "./file-errors.js";
import type { HostProcess } from "../locks/process-identity.js";

export interface FolderTrust {
  /**
   * Checks a folder, those between it and the configuration folder, and those above; each one once. If others may write
   * to a folder of comanda's own, it is made private, with a warning.
   *
   * @param folder the configuration folder or one in it
   * @returns whether it is there
   * @throws {ComandaError} `state_unusable` where it isn't a folder, or others could change what lies in it; it says which
   *   one, and what to type
   */
  check(folder: string): boolean;
}

export interface FolderTrustOptions {
  /** The configuration folder: an absolute path in its normal form; `undefined` if there is none. */
  readonly root: string | undefined;
  readonly disk: Disk;
  readonly host: Pick<HostProcess, "getuid">;
  readonly warn: (message: string) => void;
}

export function createFolderTrust({ root, disk, host, warn }: FolderTrustOptions): FolderTrust {
  const uid = host.getuid?.();
  const trusted = new Set<string>();
  let parentsAreChecked = false;

  function checkOwn(folder: string, uid: number): boolean {
    if (trusted.has(folder)) return true;
    const stats = lstatIfPresent(disk, folder);
    if (!stats) return false;
    refuseForeign(folder, stats, uid);
    if (isWritableByOthers(stats)) {
      makePrivate(disk, folder, stats);
      warn(t`Other users could write to ${folder}. It is yours alone now (mode 700).`);
    }
    trusted.add(folder);
    return true;
  }

  return {
    check(folder) {
      if (root === undefined) throw noFolder();
      if (uid === undefined) return isThere(disk, folder);
      if (trusted.has(folder)) return true;
      if (!parentsAreChecked) checkParents(disk, root, uid);
      parentsAreChecked = true;
      return foldersFrom(root, folder).every((each) => checkOwn(each, uid));
    },
  };
}

/** All that Windows can say of a folder. */
function isThere(disk: Disk, folder: string): boolean {
  const stats = withFileErrors("read", folder, () => ifPresent(() => disk.stat(folder)));
  if (stats && !stats.isDirectory()) throw notFolder(folder);
  return stats !== undefined;
}

function noFolder(): ComandaError {
  return unusable(
    t`comanda has no folder to keep things in: this user has no home folder, or the current folder is gone.`,
    t`Choose a folder with COMANDA_CONFIG_DIR or COMANDA_DATA_DIR.`,
  );
}

/** Lists the folders from the configuration folder down to this one. */
function foldersFrom(root: string, folder: string): string[] {
  if (folder === root) return [root];
  const parent = path.dirname(folder);
  if (parent === folder) throw new ComandaError("internal", t`A folder outside of comanda's own was meant.`);
  return [...foldersFrom(root, parent), folder];
}

function refuseForeign(folder: string, stats: FileStats, uid: number): void {
  if (stats.isSymbolicLink()) {
    throw unusable(
      t`${folder} is a link. comanda's folder and all in it have to be real.`,
      t`Put the folder itself there, ${chooseAnother()}.`,
    );
  }
  if (!stats.isDirectory()) throw notFolder(folder);
  if (stats.uid !== uid) {
    throw unusable(
      t`${folder} belongs to another user (uid ${stats.uid}).`,
      t`Run comanda as that user, ${chooseAnother()}, or make it yours: chown ${uid} ${shellWord(folder)}`,
    );
  }
}

function notFolder(folder: string): ComandaError {
  return unusable(t`${folder} is not a folder.`, t`Move it away, ${chooseAnother()}.`);
}

function isWritableByOthers({ mode }: FileStats): boolean {
  return (mode & 0o022) !== 0;
}

/** The sticky bit and its like say that a folder is shared on purpose, such as `/tmp`: it is left as it is. */
const sharedOnPurpose = 0o7000;

function makePrivate(disk: Disk, folder: string, { mode }: FileStats): void {
  if ((mode & sharedOnPurpose) === 0) {
    try {
      const descriptor = disk.open(folder, openFlags.read | openFlags.folder | openFlags.noLinks);
      try {
        disk.fchmod(descriptor, 0o700);
        // Some file systems take any mode and keep none.
        if (!isWritableByOthers(disk.fstat(descriptor))) return;
      } finally {
        disk.close(descriptor);
      }
    } catch {
      // The mode is as it was.
    }
  }
  throw unusable(
    t`Other users can write to ${folder}.`,
    t`Type: chmod 700 ${shellWord(folder)}\nOr choose another folder with COMANDA_CONFIG_DIR or COMANDA_DATA_DIR.`,
  );
}

/** Linux follows as many links in one path. */
const maxLinks = 40;

/**
 * The folders above, from the top down: the user's own or root's, and none that all may write to without the sticky
 * bit. That a group may write to one is let pass: where each user has a group of their own, it is the rule.
 *
 * A link among them (`/var` on macOS) is followed here, step by step, so that the folders that it leads through are
 * checked too.
 *
 * @throws {ComandaError} `state_unusable`
 */
export function checkParents(disk: Disk, folder: string, uid: number): void {
  let current = path.parse(folder).root;
  const top = withFileErrors("read", current, () => disk.lstat(current));
  // Where not all users are mapped (a user namespace), root has another number: that of this folder's owner.
  const owners = new Set([uid, 0, top.uid]);
  refuseUnsafeParent(current, top, owners, uid);
  const left = namesOf(path.dirname(folder));
  let links = 0;
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const next = path.join(current, name);
    const stats = name === ".." ? undefined : lstatIfPresent(disk, next);
    if (name !== ".." && !stats) return;
    if (stats) refuseUnsafeParent(next, stats, owners, uid);
    if (!stats?.isSymbolicLink()) {
      current = next;
      continue;
    }
    links += 1;
    if (links > maxLinks)
      throw unusable(t`${folder} leads through too many links.`, t`Mend them, ${chooseAnother()}.`);
    const target = withFileErrors("read", next, () => disk.readlink(next));
    if (path.isAbsolute(target)) current = path.parse(target).root;
    left.unshift(...namesOf(target));
  }
}

function namesOf(text: string): string[] {
  return text.split(path.sep).filter((name) => name !== "" && name !== ".");
}

function refuseUnsafeParent(
  folder: string,
  stats: FileStats,
  owners: ReadonlySet<number>,
  uid: number,
): void {
  if (!owners.has(stats.uid)) {
    throw unusable(
      t`${folder}, which comanda's folder lies in, belongs to another user (uid ${stats.uid}).`,
      t`Run comanda as that user, ${chooseAnother()}, or make it yours: chown ${uid} ${shellWord(folder)}`,
    );
  }
  if (stats.isSymbolicLink()) return;
  if (!stats.isDirectory()) {
    throw unusable(
      t`${folder} is not a folder, so comanda's can't lie in it.`,
      t`Move it away, ${chooseAnother()}.`,
    );
  }
  if ((stats.mode & 0o1002) === 0o002) {
    throw unusable(
      t`All users can write to ${folder}, which comanda's folder lies in.`,
      t`Type: chmod o-w ${shellWord(folder)}\nOr choose another folder with COMANDA_CONFIG_DIR or COMANDA_DATA_DIR.`,
    );
  }
}

function unusable(message: string, hint: string): ComandaError {
  return new ComandaError("state_unusable", message, { hint });
}
