/**
 * The thread that simulated processes run in, one at a time. All that a process does to the world is a request to the
 * simulation, which answers whenever it is that process's turn: so the thread stands still in the middle of a call.
 */
import { setImmediate as immediate } from "node:timers";
import { workerData } from "node:worker_threads";

import type { Disk, FileStats } from "../../../src/shared/disk.js";
import { diskError } from "../guest-devices.js";
import type { Hooks, SendEvents } from "../guest.js";
import { useTime } from "../simulated-fs.js";
import { Channel } from "./channel.js";
import { begin } from "./guest.js";
import type { Moment, Note, Order, Report, Start, Told } from "./messages.js";

/** Of everybody who runs comanda here. */
const uid = 1000;

const channel = new Channel<Report, Order>(workerData as SharedArrayBuffer, 1);
let notes: Note[] = [];
let moment: Moment = { now: 0, monotonic: 0, running: [] };
let current: Current | undefined;

/** The process is dead: whatever it still tries comes to nothing. */
class Dead extends Error {}

function say(call?: Report["call"]): Order {
  const order = channel.exchange({ notes, ...(call && { call }) });
  [notes, moment] = [[], order];
  return order;
}

/** One process. */
class Current {
  isDead = false;
  readonly timers = new Map<number, { readonly fire: () => void; readonly repeats: boolean }>();
  readonly sends = new Map<number, SendEvents>();
  readonly hooks: Hooks;
  #ids = 0;
  #random: number;

  constructor(readonly start: Start) {
    this.#random = start.id * 7919;
    this.hooks = this.#hooks();
  }

  note(note: Note): void {
    if (!this.isDead) notes.push(note);
  }

  call(name: string, ...given: readonly unknown[]): unknown {
    if (this.isDead) throw new Dead();
    const order = say({ name, given });
    if (order.order === "done") return order.result;
    if (order.order === "failed") throw diskError(order.code);
    this.isDead = true;
    throw new Dead();
  }

  tell(told: Told): void {
    this.note({ note: "tell", told });
  }

  timer(ms: number, fire: () => void, repeats: boolean): () => void {
    const id = (this.#ids += 1);
    this.timers.set(id, { fire, repeats });
    this.note({ note: "timer", id, ms, repeats });
    return () => {
      if (this.timers.delete(id)) this.note({ note: "cancel", id });
    };
  }

  /** Numbers that look random and are always the same. */
  #draw(): number {
    this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
    return this.#random >>> 8;
  }

  #hooks(): Hooks {
    const { pid, place } = this.start;
    return {
      ...{ pid, place, uid, home: "/home/ana/comanda", stdin: "", disk: diskOver(this) },
      openSqlite: () => {
        throw new TypeError("there is no database in these worlds");
      },
      now: () => moment.now,
      monotonic: () => moment.monotonic,
      timer: (ms, fire, repeats) => this.timer(ms, fire, repeats),
      soon: (fire) => this.timer(0, fire, false),
      send: (request, events) => {
        const id = (this.#ids += 1);
        this.sends.set(id, events);
        this.note({ note: "send", id, request });
        return { isSent: () => true, giveUp: () => this.sends.delete(id) };
      },
      bytes: (count) => Uint8Array.from({ length: count }, () => this.#draw() & 0xff),
      fraction: () => (this.#draw() % 1000) / 1000,
      runs: (other) => moment.running.includes(other),
      print: () => undefined,
      exit: () => this.note({ note: "exit" }),
    };
  }
}

type Answers = Omit<FileStats, "isFile" | "isDirectory" | "isSymbolicLink"> & { readonly kind: string };

function statsOf(answer: unknown): FileStats {
  const stats = answer as Answers;
  return {
    ...stats,
    isFile: () => stats.kind === "file",
    isDirectory: () => stats.kind === "folder",
    isSymbolicLink: () => stats.kind === "link",
  };
}

/** Bytes travel as text of one character each. */
function diskOver(process: Current): Disk {
  const call = (name: string, ...given: readonly unknown[]) => process.call(name, ...given);
  return {
    open: (file, flags, mode = 0o600) => call("open", file, flags, mode) as number,
    close: (descriptor) => process.note({ note: "close", descriptor }),
    fstat: (descriptor) => statsOf(call("fstat", descriptor)),
    stamp(descriptor) {
      const { ino, mtimeNs } = call("stamp", descriptor) as {
        readonly ino: string;
        readonly mtimeNs: string;
      };
      return { ino: BigInt(ino), mtimeNs: BigInt(mtimeNs) };
    },
    isNamed: (descriptor, file) => call("isNamed", descriptor, file) as boolean,
    stat: (file) => statsOf(call("stat", file)),
    lstat: (file) => statsOf(call("lstat", file)),
    accessFolder: (folder) => void call("accessFolder", folder),
    read(descriptor, into, position) {
      const bytes = Buffer.from(call("read", descriptor, into.length, position ?? null) as string, "latin1");
      into.set(bytes);
      return bytes.length;
    },
    readText: (descriptor) => call("readText", descriptor) as string,
    write: (descriptor, bytes, position = -1) =>
      call("write", descriptor, Buffer.from(bytes).toString("latin1"), position) as number,
    ftruncate: (descriptor, length) => void call("ftruncate", descriptor, length),
    fsync: (descriptor) => void call("fsync", descriptor),
    fdatasync: (descriptor) => void call("fdatasync", descriptor),
    fdatasyncMeanwhile: () => Promise.reject(new Error("see guest-devices.ts")),
    fchmod: (descriptor, mode) => void call("fchmod", descriptor, mode),
    link: (file, name) => void call("link", file, name),
    rename: (from, to) => void call("rename", from, to),
    unlink: (file) => void call("unlink", file),
    remove: (file) => void call("remove", file),
    mkdir: (folder, mode) => void call("mkdir", folder, mode),
    rmdir: (folder) => void call("rmdir", folder),
    readdir: (folder) => call("readdir", folder) as string[],
    readlink: (file) => call("readlink", file) as string,
    touch: (file) => void call("touch", file),
  };
}

function follow(order: Order): void {
  switch (order.order) {
    case "start": {
      const process = (current = new Current(order.start));
      useTime(
        () => moment.now,
        () => process.hooks.fraction(),
      );
      Object.assign(globalThis, { setImmediate: (work: () => void) => process.timer(0, work, false) });
      begin(process.hooks, order.start, (told) => process.tell(told)).catch(faultOf);
      break;
    }
    case "timer": {
      const timer = current?.timers.get(order.id);
      if (timer && !timer.repeats) current?.timers.delete(order.id);
      timer?.fire();
      break;
    }
    case "answer":
      current?.sends.get(order.id)?.answer(order.answer);
      break;
    case "die":
      if (current) current.isDead = true;
      break;
    default:
      throw new Error(`"${order.order}" comes to nobody who waits`);
  }
}

function faultOf(error: unknown): void {
  if (error instanceof Dead || current?.isDead) return;
  notes.push({
    note: "fault",
    text: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
}

process.on("unhandledRejection", faultOf);
process.on("uncaughtException", faultOf);

async function serve(): Promise<never> {
  let order = channel.hear();
  moment = order;
  for (;;) {
    try {
      follow(order);
    } catch (error) {
      faultOf(error);
    }
    // All that is awaited and has come is done by then.
    await new Promise((resolve) => immediate(resolve));
    order = say();
  }
}

void serve();
