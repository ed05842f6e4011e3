/**
 * A run's temporary files lie in memory where there is room: what is written there is gone a second later, and nothing is
 * proved by waiting until a disk has it. What a run leaves behind goes with it.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const memory = "/dev/shm";
/** What a run takes at the most, by far. */
const neededBytes = 2 ** 30;

export default function setup(): (() => void) | undefined {
  if (process.env["TMPDIR"] !== undefined || !existsSync(memory)) return undefined;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < neededBytes) return undefined;
  // Short, as /tmp is: what is told of a file in it fits a line.
  const folder = mkdtempSync(path.join(memory, "c-"));
  // As /tmp is: some tests run as another user.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
