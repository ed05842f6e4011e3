/** Opens and reads files that only their owner can read, and refuses all others. */
import { openFlags, type Disk, type FileStats } from "../../shared/disk.js";
import { shellWord } from "../../shared/shell-word.js";
import { t } from "../../shared/language.js";
import { ComandaError } from "../../shared/errors.js";
import type { HostProcess } from "../locks/process-identity.js";

/** A file that is read as a whole is no larger. None of comanda's comes near it. */
const maxBytes = 4 * 1024 * 1024;

/** No link is followed, and opening a named pipe doesn't wait for its other end. Windows has neither flag. */
const realAndUnwaiting = openFlags.noLinks | openFlags.unwaiting;

/**
 * Opens a file, or makes one of mode 0600 where the flags say so.
 *
 * @param others what others may do with it: `nothing`, or `read` for files without secrets
 * @returns the descriptor, which the caller closes
 * @throws {ComandaError} `state_unusable` for what isn't a regular file, or isn't the user's alone
 */
export function openPrivate(
  disk: Disk,
  file: string,
  flags: number,
  host: Pick<HostProcess, "getuid">,
  others: "nothing" | "read" = "nothing",
): { readonly descriptor: number; readonly stats: FileStats } {
  const descriptor = disk.open(file, flags | realAndUnwaiting, 0o600);
  try {
    const stats = disk.fstat(descriptor);
    refuseUnlessPrivate(file, stats, host, others);
    return { descriptor, stats };
  } catch (error) {
    disk.close(descriptor);
    throw error;
  }
}

/** @throws {ComandaError} `state_unusable` for what isn't a regular file, or isn't the user's alone */
export function refuseUnlessPrivate(
  file: string,
  stats: FileStats,
  host: Pick<HostProcess, "getuid">,
  others: "nothing" | "read",
): void {
  if (!stats.isFile()) {
    throw unusable(t`${file} is not a regular file.`, t`Move it away, then run the command again.`);
  }
  const uid = host.getuid?.();
  if (uid === undefined) return;
  if (stats.uid !== uid) {
    throw unusable(
      t`${file} belongs to another user (uid ${stats.uid}).`,
      t`Run comanda as that user, or remove the file and start anew.`,
    );
  }
  const forbidden = others === "read" ? 0o022 : 0o077;
  if ((stats.mode & forbidden) !== 0) {
    const can = others === "read" ? "change" : t`read or change`;
    throw unusable(t`Other users can ${can} ${file}.`, t`Type: chmod 600 ${shellWord(file)}`);
  }
}

/**
 * The text of a file, as {@link openPrivate} opens it.
 *
 * @throws {ComandaError} `state_unusable`, also for a file that is too large to be read at once; else the system's error
 */
export function readPrivate(
  disk: Disk,
  file: string,
  host: Pick<HostProcess, "getuid">,
  others?: "nothing" | "read",
): string {
  const { descriptor, stats } = openPrivate(disk, file, openFlags.read, host, others);
  try {
    if (stats.size <= maxBytes) return disk.readText(descriptor);
    throw unusable(t`${file} is too large to be comanda's.`, t`Move it away, then run the command again.`);
  } finally {
    disk.close(descriptor);
  }
}

function unusable(message: string, hint: string): ComandaError {
  return new ComandaError("state_unusable", message, { hint });
}
