/** Whether the state lies on another machine's disk, where the kernel's locks hold on one side alone. */
import path from "node:path";

import type { Disk } from "../../shared/disk.js";
import { t } from "../../shared/language.js";

/**
 * Network file systems by Linux's numbers (statfs(2)); no other system has fixed ones. FUSE isn't among them: most of
 * it is on this machine.
 */
const networkFileSystems: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xfe534d42: "SMB",
  0xff534d42: "SMB",
  0x00c36400: "Ceph",
  0x01021997: "9p",
  0x0bd00bd0: "Lustre",
  0x47504653: "GPFS",
  0x5346414f: "AFS",
  0x6b414653: "AFS",
  0x73757245: "Coda",
};

/**
 * @param folder need not be there yet: then the one is meant in which it will be made
 * @returns the name of the network's file system that the folder lies on; `undefined` where it is on this machine, or
 *   nobody says
 */
function networkFileSystem(disk: Disk, platform: string, folder: string): string | undefined {
  if (platform !== "linux") return undefined;
  try {
    return networkFileSystems[disk.fileSystemType(folder) >>> 0];
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? undefined : networkFileSystem(disk, platform, parent);
  }
}

/**
 * Says what is wrong with a folder on a network file system, and the way out.
 *
 * @param variable what moves the folder
 * @returns `undefined` where it is on this machine, or nobody says
 */
export function networkWarning(
  disk: Disk,
  platform: string,
  folder: string,
  variable: string,
): string | undefined {
  const network = networkFileSystem(disk, platform, folder);
  if (network === undefined) return undefined;
  return t`${folder} lies on a network file system (${network}), where one machine may not see what another locks. Give each machine a folder of its own with ${variable}; what machines are to share goes into PostgreSQL (COMANDA_STATE).`;
}
