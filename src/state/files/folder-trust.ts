/**
 * Folders are checked as OpenSSH checks those of its keys: who can write to a folder, or to one above it, can put other
 * files in the place of comanda's. Windows has neither owners nor modes of this kind; there a folder only has to be one.
 */
import path from "node:path";

import { openFlags, type Disk, type FileStats } from "../disk.js";
import { t } from "../../languages/language.js";
import { shellWord } from "../shell-word.js";
import { ComandaError } from "../../client/errors.js";
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
      if (!trusted.has(root)) checkParents(disk, path.dirname(root), uid);
      const below = foldersOf(folder).slice(foldersOf(root).length - 1);
      return below.every((each) => checkOwn(each, uid));
    },
  };
}

/** All that Windows can say of a folder. */
function isThere(disk: Disk, folder: string): boolean {
  const stats = withFileErrors("read", folder, () => ifPresent(() => disk.stat(folder)));
  if (stats && !stats.isDirectory()) throw notFolder(folder);
  return stats !== undefined;
}

/** The folders that a path leads through, from the top down, and itself. */
function foldersOf(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [...foldersOf(parent), folder];
}

function refuseForeign(folder: string, stats: FileStats, uid: number): void {
  if (stats.isSymbolicLink()) {
    throw unusable(
      t`${folder} is a link. comanda's folder and all in it have to be real.`,
      t`Put the folder itself there, ${chooseAnother()}.`,
    );
  }
  if (!stats.isDirectory()) throw notFolder(folder);
  if (stats.uid !== uid) throw notYours(folder, stats, uid);
}

function isWritableByOthers({ mode }: FileStats): boolean {
  return (mode & 0o022) !== 0;
}

/** The sticky bit and its like say that a folder is shared on purpose, such as `/tmp`: it is left as it is. */
const sharedOnPurpose = 0o7000;

function makePrivate(disk: Disk, folder: string, { mode }: FileStats): void {
  try {
    if ((mode & sharedOnPurpose) === 0 && isMadePrivate(disk, folder)) return;
  } catch {
    // The mode is as it was.
  }
  throw unusable(
    t`Other users can write to ${folder}.`,
    t`Type: chmod 700 ${shellWord(folder)}\nOr choose another folder with COMANDA_CONFIG_DIR.`,
  );
}

/** Some file systems take any mode and keep none. */
function isMadePrivate(disk: Disk, folder: string): boolean {
  const descriptor = disk.open(folder, openFlags.read | openFlags.folder | openFlags.noLinks);
  try {
    disk.fchmod(descriptor, 0o700);
    return !isWritableByOthers(disk.fstat(descriptor));
  } finally {
    disk.close(descriptor);
  }
}

/**
 * The folders above, as they are named and as they are in truth: the user's own or root's, and none that all may write to
 * without the sticky bit. That a group may write to one is let pass: where each user has a group of their own, it is the
 * rule.
 */
function checkParents(disk: Disk, folder: string, uid: number): void {
  const named = foldersOf(folder).filter((each) => lstatIfPresent(disk, each));
  const last = named.at(-1) ?? folder;
  const real = withFileErrors("read", last, () => disk.realpath(last));
  for (const each of new Set([...named, ...foldersOf(real)])) refuseUnsafeParent(disk, each, uid);
}

function refuseUnsafeParent(disk: Disk, folder: string, uid: number): void {
  const stats = lstatIfPresent(disk, folder);
  if (!stats) return;
  // Where not all users are mapped (a user namespace), root has another number: that of the topmost folder's owner.
  const isTrusted =
    stats.uid === uid || stats.uid === 0 || stats.uid === disk.lstat(path.parse(folder).root).uid;
  if (!isTrusted) throw notYours(folder, stats, uid);
  if (stats.isSymbolicLink()) return;
  if (!stats.isDirectory()) throw notFolder(folder);
  if ((stats.mode & 0o1002) === 0o002) {
    throw unusable(
      t`All users can write to ${folder}, which comanda's folder lies in.`,
      t`Type: chmod o-w ${shellWord(folder)}\nOr choose another folder with COMANDA_CONFIG_DIR.`,
    );
  }
}

function noFolder(): ComandaError {
  return unusable(
    t`comanda has no folder to keep things in: this user has no home folder, or the current folder is gone.`,
    t`Choose a folder with COMANDA_CONFIG_DIR.`,
  );
}

function notFolder(folder: string): ComandaError {
  return unusable(t`${folder} is not a folder.`, t`Move it away, ${chooseAnother()}.`);
}

function notYours(folder: string, stats: FileStats, uid: number): ComandaError {
  return unusable(
    t`${folder} belongs to another user (uid ${stats.uid}).`,
    t`Run comanda as that user, ${chooseAnother()}, or make it yours: chown ${uid} ${shellWord(folder)}`,
  );
}

function unusable(message: string, hint: string): ComandaError {
  return new ComandaError("state_unusable", message, { hint });
}

/**
 * NFS, SMB, Ceph, 9p, Lustre, GPFS, AFS and Coda by Linux's numbers (statfs(2)); no other system has fixed ones. FUSE isn't
 * among them: most of it is on this machine.
 */
const networkFileSystems: ReadonlySet<number> = new Set([
  ...[0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x00c36400, 0x01021997],
  ...[0x0bd00bd0, 0x47504653, 0x5346414f, 0x6b414653, 0x73757245],
]);

/**
 * Says what is wrong with a folder on a network file system, where the kernel's locks hold on one side alone.
 *
 * @param folder need not be there yet: then the one is meant in which it will be made
 * @returns `undefined` where it is on this machine, or nobody says
 */
export function networkWarning(disk: Disk, platform: string, folder: string): string | undefined {
  if (platform !== "linux" || !isOnNetwork(disk, folder)) return undefined;
  return t`${folder} lies on a network file system, where one machine may not see what another locks. Give each machine a folder of its own with COMANDA_CONFIG_DIR; what machines are to share goes into PostgreSQL (COMANDA_STATE).`;
}

function isOnNetwork(disk: Disk, folder: string): boolean {
  try {
    return networkFileSystems.has(disk.fileSystemType(folder) >>> 0);
  } catch {
    const parent = path.dirname(folder);
    return parent !== folder && isOnNetwork(disk, parent);
  }
}
