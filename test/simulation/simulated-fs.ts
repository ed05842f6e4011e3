/**
 * `node:fs` for those packages that write files by themselves: `conf`, and what it writes with. The bundles of the
 * simulation have it in the place of the real one (`realm.ts`), so that their calls go to the simulated disk as well.
 */
import { openFlags, type Disk } from "../../src/shared/disk.js";

let disk: Disk;

/** The disk of the process that runs from now on: one realm runs one process at a time. */
export function useDisk(given: Disk): void {
  disk = given;
}

/**
 * The clock and chance of those packages. They look at the time only to give up trying in a loop: each look is a while
 * after the last one, or they would never.
 */
export function useTime(now: () => number, fraction: () => number): void {
  let looks = 0;
  Date.now = () => now() + (looks += 1) * lookMs;
  Math.random = fraction;
}

const lookMs = 200;

interface Written {
  readonly encoding?: string;
  readonly mode?: number;
}

function openSync(file: string, flags: string, mode = 0o666): number {
  if (flags !== "w") throw new Error(`no package opens a file as "${flags}"`);
  const descriptor = disk.open(file, openFlags.write + openFlags.create, mode);
  if (disk.fstat(descriptor).size > 0) disk.ftruncate(descriptor, 0);
  return descriptor;
}

/** As the system's: perhaps not all of it. */
function writeSync(descriptor: number, data: string | Uint8Array, position?: number): number {
  return disk.write(descriptor, typeof data === "string" ? Buffer.from(data, "utf8") : data, position);
}

function readFileSync(file: string): string {
  const descriptor = disk.open(file, openFlags.read);
  try {
    return disk.readText(descriptor);
  } finally {
    disk.close(descriptor);
  }
}

function writeFileSync(file: string, data: string | Uint8Array, { mode }: Written = {}): void {
  const descriptor = openSync(file, "w", mode);
  try {
    const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
    for (let written = 0; written < bytes.length;)
      written += disk.write(descriptor, bytes.subarray(written), written);
  } finally {
    disk.close(descriptor);
  }
}

/** Only ever asked for a folder that is there. */
function mkdirSync(folder: string): void {
  if (!disk.stat(folder).isDirectory()) throw new Error(`${folder} was to be a folder`);
}

function chmodSync(file: string, mode: number): void {
  const descriptor = disk.open(file, openFlags.write);
  try {
    disk.fchmod(descriptor, mode);
  } finally {
    disk.close(descriptor);
  }
}

/** Who is asked for it puts the real name in the place of this one: here there is no link that may be followed. */
function realpathSync(file: string): string {
  if (disk.lstat(file).isSymbolicLink()) return disk.readlink(file);
  return file;
}

function existsSync(file: string): boolean {
  try {
    disk.stat(file);
    return true;
  } catch {
    return false;
  }
}

/** The names that only have to be there, when the packages load. */
function neverCalled(): never {
  throw new Error("no package calls this one");
}

/** Nobody waits for it: it is done at once. */
function unlink(file: string, done: (error: unknown) => void): void {
  try {
    disk.unlink(file);
    done(null);
  } catch (error) {
    done(error);
  }
}

const calls = {
  ...{
    openSync,
    writeSync,
    readFileSync,
    writeFileSync,
    mkdirSync,
    chmodSync,
    realpathSync,
    existsSync,
    unlink,
  },
  closeSync: (descriptor: number) => disk.close(descriptor),
  fsyncSync: (descriptor: number) => disk.fsync(descriptor),
  renameSync: (from: string, to: string) => disk.rename(from, to),
  unlinkSync: (file: string) => disk.unlink(file),
  statSync: (file: string) => ({ ...disk.stat(file), gid: disk.stat(file).uid }),
  ...Object.fromEntries(
    [
      ...[
        "chmod",
        "chown",
        "close",
        "fsync",
        "mkdir",
        "realpath",
        "stat",
        "open",
        "readFile",
        "rename",
        "write",
      ],
      ...["writeFile", "chownSync", "createWriteStream", "watch", "watchFile", "unwatchFile"],
    ].map((name) => [name, neverCalled]),
  ),
};

export default calls;
export const createWriteStream = neverCalled;
