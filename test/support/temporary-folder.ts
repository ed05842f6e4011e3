/**
 * A run's temporary files are in memory if enough is free: they are deleted within seconds, and waiting for a disk would prove
 * nothing. The folder is deleted at the end of the run.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const memory = "/dev/shm";
/** Far more than a run needs. */
const neededBytes = 2 ** 30;

export default function setup(): (() => void) | undefined {
  if (process.env["TMPDIR"] !== undefined || !existsSync(memory)) return undefined;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < neededBytes) return undefined;
  // The path is as short as /tmp, so that messages with a file's name fit on a line.
  const folder = mkdtempSync(path.join(memory, "c-"));
  // The mode is that of /tmp, because some tests run as another user.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
