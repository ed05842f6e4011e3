/** The threads that simulated processes run in, and the program that they run. */
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

import { bundle, type Mutation } from "../realm.js";
import { Channel, newChannel } from "./channel.js";
import type { Order, Report } from "./messages.js";

const entry = fileURLToPath(new URL("worker.ts", import.meta.url));

/** Stands still until it is spoken to; then the speaker does, until it has answered. */
export class Thread {
  readonly #channel: Channel<Order, Report>;
  readonly #worker: Worker;

  constructor(code: string) {
    const shared = newChannel();
    this.#channel = new Channel<Order, Report>(shared, 0);
    this.#worker = new Worker(code, { eval: true, workerData: shared, execArgv: [], env: {} });
    this.#worker.unref();
  }

  tell(order: Order): Report {
    return this.#channel.exchange(order);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Threads that no process runs in are used again: to start one takes longer than many worlds. */
export class Threads {
  readonly #free: Thread[] = [];
  readonly #all: Thread[] = [];

  constructor(readonly code: string) {}

  take(): Thread {
    const free = this.#free.pop();
    if (free) return free;
    const thread = new Thread(this.code);
    this.#all.push(thread);
    return thread;
  }

  giveBack(thread: Thread): void {
    this.#free.push(thread);
  }

  async end(): Promise<void> {
    await Promise.all(this.#all.map((thread) => thread.end()));
  }
}

/** @throws {Error} where a mutation doesn't fit: the code has changed since */
export async function loadThreads(mutations: readonly Mutation[] = []): Promise<Threads> {
  return new Threads(await bundle(entry, mutations));
}
