/**
 * `--jq` runs an expression of the jq language over a result. It may loop for ever or fill the memory, and nothing ends a
 * loop in this thread. So it runs in a thread of its own, which a signal, a time limit and a memory limit end.
 */
import { Worker } from "node:worker_threads";

import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import type { JqResult, JqValue } from "../terminal/jq-engine.js";
import type { Jq, JqOutcome } from "../terminal/output.js";

/** The build defines this script, which calls src/terminal/jq-engine.ts `engine`. */
declare const __JQ_ENGINE__: string;

const serve = `${__JQ_ENGINE__}
const { parentPort, workerData } = require("node:worker_threads");
const { filter, fault } = engine.compileFilter(workerData.expression, workerData.maxLength);
parentPort.postMessage(fault);
parentPort.on("message", (value) => parentPort.postMessage(filter(value)));`;

const mebibyte = 1024 * 1024;

export interface JqLimits {
  /** Minutes for one value. */
  readonly minutes: number;
  /** MiB that the process may grow by. */
  readonly memory: number;
  /** Mi characters of the results of one value. */
  readonly text: number;
}

const defaultLimits: JqLimits = { minutes: 1, memory: 256, text: 64 };

/** The limits are checked this often. */
const checkMs = 20;
/** After a signal the results that are ready still have this time. */
const graceMs = 500;

/** @throws {ComandaError} `usage` where the expression isn't one */
export async function createJq(
  expression: string,
  signal: AbortSignal,
  limitChanges: Partial<JqLimits> = {},
): Promise<Jq> {
  const limits = { ...defaultLimits, ...limitChanges };
  const worker = new Worker(serve, {
    eval: true,
    workerData: { expression, maxLength: limits.text * mebibyte },
    env: {},
    execArgv: [],
    // V8 ends the whole process at this limit, so it is out of reach.
    resourceLimits: { maxOldGenerationSizeMb: 4096 },
  });
  const fault = await new Promise<string | undefined>((resolve) => worker.once("message", resolve));
  if (fault === undefined) return new JqThread(worker, signal, limits);
  await worker.terminate();
  throw jqError("usage", fault);
}

class JqThread implements Jq {
  readonly #limits: JqLimits;
  readonly #signal: AbortSignal;
  readonly #worker: Worker;
  readonly #checks: NodeJS.Timeout;
  readonly #memoryBefore = process.memoryUsage.rss();
  /** The values that are out, in their order. */
  readonly #pending: ((outcome: JqOutcome) => void)[] = [];
  /** The time of the first value, and the time since the signal. They are counted in checks, so a stopped process loses none. */
  #ranMs = 0;
  #stoppingMs = 0;
  /** The outcome of all values since the thread has been ended. */
  #rest: JqOutcome | undefined;

  constructor(worker: Worker, signal: AbortSignal, limits: JqLimits) {
    this.#worker = worker;
    this.#signal = signal;
    this.#limits = limits;
    worker.on("message", (result: JqResult) => {
      this.#ranMs = 0;
      this.#pending.shift()?.(this.#outcomeOf(result));
    });
    worker.on("error", ({ message }) => this.#stop(faultOf(message)));
    this.#checks = setInterval(() => this.#check(), checkMs);
  }

  run(value: JqValue): Promise<JqOutcome> {
    if (this.#rest) return Promise.resolve(this.#rest);
    if (this.#pending.length === 0) this.#ranMs = 0;
    this.#worker.postMessage(value);
    return new Promise((resolve) => this.#pending.push(resolve));
  }

  async end(): Promise<void> {
    clearInterval(this.#checks);
    await this.#worker.terminate();
  }

  #outcomeOf({ text, fault, isCut }: JqResult): JqOutcome {
    const reason = isCut ? t`it gives more than ${this.#limits.text} MiB of text` : fault;
    return reason === undefined ? { text } : { ...faultOf(reason), text };
  }

  #check(): void {
    if (this.#pending.length === 0) return;
    const { memory, minutes } = this.#limits;
    this.#ranMs += checkMs;
    if (this.#signal.aborted) this.#stoppingMs += checkMs;
    const memoryUse = process.memoryUsage.rss() - this.#memoryBefore;
    if (this.#stoppingMs > graceMs) this.#stop({ text: "" });
    else if (memoryUse > memory * mebibyte)
      this.#stop(faultOf(t`it takes more than ${memory} MiB of memory`));
    else if (this.#ranMs > minutes * 60_000) this.#stop(faultOf(t`it takes longer than ${minutes} min`));
  }

  #stop(rest: JqOutcome): void {
    this.#rest = rest;
    void this.end();
    for (const resolve of this.#pending.splice(0)) resolve(rest);
  }
}

function faultOf(reason: string): JqOutcome {
  return { text: "", fault: jqError("invalid_input", reason) };
}

function jqError(code: "usage" | "invalid_input", reason: string): ComandaError {
  return new ComandaError(code, `--jq: ${reason}`, {
    hint: t`The language is described at https://jqlang.org/manual. --json alone shows what the expression is given.`,
  });
}
