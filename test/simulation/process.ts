/** A simulated process: what it runs, what it has open, what it has told. */
import type { Disk, FileStats } from "../../src/shared/disk.js";
import { DiskError, type OpenFile, type SimulatedDisk } from "./disk.js";
import type { Machine } from "./places.js";
import type { Task } from "./plan.js";
import type { Realm } from "./realm.js";

/** Of everybody who runs comanda here. */
export const uid = 1000;

/** The longest sleep, in milliseconds, of a process that looks again and again; and what it becomes at most. */
const [napMs, overslept] = [250, 1000];

/** What is told of an order. */
export interface Row {
  readonly order_id: string;
  readonly outcome: string;
}

/** How a process begins. */
type Started = Pick<Process, "name" | "machine" | "pid" | "task" | "orders" | "stdin" | "realm" | "index">;

export class Process {
  readonly files = new OpenFiles();
  state: "running" | "ended" | "killed" = "running";
  exitCode: number | undefined;
  stdout = "";
  stderr = "";
  /** What it has done and waited for so far. */
  steps = 0;
  /** Each of its steps, while troubles may come. */
  readonly doings: string[] = [];
  /** Its next call to the disk fails. */
  nextCallFails = false;
  /** A refresh of its own is out, or answered and not on the disk yet. */
  asks = false;
  /** When it last was to go on after a wait (milliseconds that never jump). */
  ranAt = 0;
  terminate: () => void = () => undefined;
  readonly naps = new Naps();

  readonly name: string;
  readonly machine: Machine;
  /** Means something on its machine alone. */
  readonly pid: number;
  readonly task: Task;
  readonly orders: readonly string[];
  /** What is piped into it. */
  readonly stdin: string;
  readonly realm: Realm;
  /** Troubles come to it by its place in the plan; to those that mend nothing comes. */
  readonly index: number | undefined;

  constructor(started: Started) {
    this.name = started.name;
    this.machine = started.machine;
    this.pid = started.pid;
    this.task = started.task;
    this.orders = started.orders;
    this.stdin = started.stdin;
    this.realm = started.realm;
    this.index = started.index;
  }

  get runs(): boolean {
    return this.state === "running";
  }

  rows(): readonly Row[] {
    return this.stdout
      .split("\n")
      .filter((line) => line.startsWith('{"order_id"'))
      .map((line) => JSON.parse(line) as Row);
  }

  /** How it ended, for the story. */
  ending(): string {
    const rows = this.rows().map(({ order_id: order, outcome }) => `${order} ${outcome}`);
    return `ends with ${this.exitCode ?? "?"}${rows.length === 0 ? "" : ` and has told: ${rows.join(", ")}`}`;
  }
}

/** The sleeps of one process. */
export class Naps {
  /** Short ones in a row. */
  #count = 0;

  /**
   * Whoever looks again and again whether it is its turn wakes up later and later, as on a busy machine: a thousand looks
   * show no more than thirty, and took most of the time of all worlds.
   *
   * @returns for how long it really sleeps, in milliseconds
   */
  oversleeps(ms: number): number {
    this.#count = ms >= 1 && ms <= napMs ? this.#count + 1 : 0;
    const later = ms * 2 ** Math.min(Math.max(this.#count - 3, 0), 6);
    return Math.max(ms, Math.min(later, overslept));
  }
}

export class OpenFiles {
  readonly #open = new Map<number, OpenFile>();

  add(file: OpenFile): number {
    let descriptor = 10;
    while (this.#open.has(descriptor)) descriptor += 1;
    this.#open.set(descriptor, file);
    return descriptor;
  }

  get(descriptor: number): OpenFile {
    const file = this.#open.get(descriptor);
    if (!file) throw DiskError.of("EBADF");
    return file;
  }

  close(descriptor: number): void {
    this.get(descriptor);
    this.#open.delete(descriptor);
  }
}

function asStats(stats: ReturnType<SimulatedDisk["stats"]>): FileStats {
  return { ...stats, ino: Number(stats.ino) };
}

/** The calls of one process to the disk, as the program makes them. */
export function diskFor({ files }: Pick<Process, "files">, disk: SimulatedDisk): Disk {
  return {
    open: (file, flags, mode = 0o600) => files.add(disk.open(uid, file, flags, mode)),
    close: (descriptor) => files.close(descriptor),
    fstat: (descriptor) => asStats(disk.stats(files.get(descriptor).inode)),
    stat: (file) => asStats(disk.stat(file, true)),
    lstat: (file) => asStats(disk.stat(file, false)),
    accessFolder: (folder) => void disk.stat(folder, true),
    // The one that Linux usually has, ext4.
    fileSystemType: (folder) => (disk.stat(folder, true), 0xef53),
    read: (descriptor, into, position) => disk.read(files.get(descriptor), into, position),
    readText: (descriptor) => disk.readText(files.get(descriptor)),
    write: (descriptor, bytes, position = -1) => disk.write(files.get(descriptor), bytes, position),
    ftruncate: (descriptor, length) => disk.ftruncate(files.get(descriptor), length),
    fsync: (descriptor) => disk.fsync(files.get(descriptor)),
    fchmod: (descriptor, mode) => disk.fchmod(files.get(descriptor), uid, mode),
    rename: (from, to) => disk.rename(from, to),
    unlink: (file) => disk.unlink(file),
    remove(file) {
      try {
        disk.unlink(file);
      } catch (error) {
        if (!(error instanceof DiskError && error.code === "ENOENT")) throw error;
      }
    },
    mkdir: (folder, mode) => disk.mkdir(uid, folder, mode),
    readdir: (folder) => disk.readdir(folder),
    readlink: (file) => disk.readlink(file),
    realpath: (file) => disk.realpath(file),
  };
}

interface Watcher {
  readonly before: (call: string, given: readonly unknown[]) => void;
  readonly after: (call: string, given: readonly unknown[]) => void;
}

/**
 * @param watcher told of each call and of what it is given, before it is made and when it was
 * @param errorOf makes an error of the process's own realm
 */
export function watched(disk: Disk, { before, after }: Watcher, errorOf: (code: string) => Error): Disk {
  const watch = <Given extends unknown[], Result>(name: string, call: (...given: Given) => Result) => {
    return (...given: Given): Result => {
      try {
        before(name, given);
        const result = call(...given);
        after(name, given);
        return result;
      } catch (error) {
        throw error instanceof DiskError ? errorOf(error.code) : error;
      }
    };
  };
  const calls = Object.entries(disk).map(([name, call]) => [
    name,
    watch(name, call as (...given: unknown[]) => unknown),
  ]);
  // The kind of the file system is always the same, whenever it is looked at: that is no step.
  return {
    ...(Object.fromEntries(calls) as unknown as Disk),
    fileSystemType: (folder: string) => disk.fileSystemType(folder),
  };
}
