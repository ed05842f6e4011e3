/** A small disk that a test can fill, if this machine allows mounting one. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export type SmallDisk = ReturnType<typeof mountSmallDisk>;

const blockBytes = 4096;

/** @param blocks by default 64 KiB, which is too small for a database */
export function mountSmallDisk(blocks = 16) {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-disk-"));
  const filler = path.join(folder, "filler");
  let isReadOnly = false;
  const options = `size=${blocks * blockBytes},mode=0700`;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return {
    folder,
    /** Fills the disk, except for a number of blocks of 4 KiB. */
    fill(left = 0) {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(blockBytes, 1), { flag: "a" });
      } catch {
        // It is full.
      }
      truncateSync(filler, Math.max(0, statSync(filler).size - left * blockBytes));
    },
    empty: () => rmSync(filler, { force: true }),
    makeReadOnly() {
      // The disk itself can't be remounted while a program has one of its files open.
      isReadOnly = true;
      execFileSync("mount", ["--bind", folder, folder]);
      execFileSync("mount", ["-o", "remount,bind,ro", folder]);
    },
    remove: () => {
      for (let mounted = isReadOnly ? 2 : 1; mounted > 0; mounted -= 1)
        execFileSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Tests with such a disk are skipped if mounting isn't allowed: `describe.skipIf(!smallDiskAvailable)`. */
export const smallDiskAvailable = (() => {
  if (process.platform !== "linux") return false;
  try {
    mountSmallDisk().remove();
    return true;
  } catch {
    console.warn("Nothing can be mounted here (root is required): the tests on a full disk are skipped.");
    return false;
  }
})();
