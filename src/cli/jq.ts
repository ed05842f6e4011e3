/**
 * `--jq` runs an expression of the jq language over a result. It may loop for ever or fill the memory, and nothing ends a
 * loop in this thread. So it runs here for a moment, which is enough for nearly all expressions; the rest goes to a thread
 * of its own, which a signal, a time limit and a memory limit end.
 */
import { createContext, Script } from "node:vm";
import { Worker } from "node:worker_threads";

import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import type { compileFilter, JqResult, JqValue } from "../terminal/jq-engine.js";
import type { Jq, JqOutcome } from "../terminal/output.js";

/** The build defines this script, which calls src/terminal/jq-engine.ts `engine`. */
declare const __JQ_ENGINE__: string;
const engine = __JQ_ENGINE__;

const mebibyte = 1024 * 1024;

export interface JqLimits {
  /** Milliseconds in this thread for a batch of values. */
  readonly momentMs: number;
  /** Minutes for one value. */
  readonly minutes: number;
  /** MiB that the process may grow by. */
  readonly memory: number;
  /** Mi characters of the results of one value. */
  readonly text: number;
}

const defaultLimits: JqLimits = { momentMs: 100, minutes: 1, memory: 256, text: 64 };

/** Handing values over takes longer than running most of them, so they go in batches. */
const batchSize = 256;

interface PendingValue {
  readonly value: JqValue;
  readonly resolve: (outcome: JqOutcome) => void;
}

/** @throws {ComandaError} `usage` where the expression isn't one */
export function createJq(expression: string, signal: AbortSignal, limitChanges: Partial<JqLimits> = {}): Jq {
  const limits = { ...defaultLimits, ...limitChanges };
  const outcomeOf = ({ text, fault, isCut }: JqResult): JqOutcome => {
    const reason = isCut ? t`it gives more than ${limits.text} MiB of text` : fault;
    return reason === undefined ? { text } : { text, fault: jqError("invalid_input", reason) };
  };
  const runHere = createRunner(expression, limits);
  const queue: PendingValue[] = [];
  let thread: Thread | undefined;
  const flush = () => {
    const batch = queue.splice(0);
    if (batch.length === 0) return;
    const results = thread ? undefined : runHere(batch.map(({ value }) => value));
    if (results) results.forEach((result, index) => batch[index]?.resolve(outcomeOf(result)));
    else (thread ??= new Thread(expression, signal, limits, outcomeOf)).take(batch);
  };
  return {
    run: (value) =>
      new Promise((resolve) => {
        queue.push({ value, resolve });
        if (queue.length === 1) queueMicrotask(flush);
        else if (queue.length === batchSize) flush();
      }),
    end: async () => {
      await thread?.end();
      thread = undefined;
    },
  };
}

type Runner = (values: readonly JqValue[]) => readonly JqResult[] | undefined;

/** @returns a function that runs the expression, and gives `undefined` where that takes longer than a moment */
function createRunner(expression: string, { text, momentMs }: JqLimits): Runner {
  const world: {
    readonly compiled?: ReturnType<typeof compileFilter>;
    values?: readonly JqValue[];
    readonly results?: readonly JqResult[];
  } = createContext({ atob, btoa, expression, maxLength: text * mebibyte });
  new Script(`${engine}\nvar compiled = engine.compileFilter(expression, maxLength);`).runInContext(world);
  const { compiled } = world;
  if (compiled && "fault" in compiled) throw jqError("usage", compiled.fault);
  const work = new Script("var results = values.map(compiled.filter);");
  return (values) => {
    world.values = values;
    try {
      work.runInContext(world, { timeout: momentMs });
      return world.results;
    } catch {
      // The time is over. Any other failure occurs in the thread again, which tells it.
      return undefined;
    }
  };
}

const serve = `
const { parentPort, workerData } = require("node:worker_threads");
const { filter } = engine.compileFilter(workerData.expression, workerData.maxLength);
parentPort.on("message", (values) => {
  for (const value of values) parentPort.postMessage(filter(value));
});`;

/** The limits of the thread are checked this often. */
const checkMs = 20;
/** After a signal the results that are ready still have this time. */
const graceMs = 500;

class Thread {
  readonly #limits: JqLimits;
  readonly #signal: AbortSignal;
  readonly #outcomeOf: (result: JqResult) => JqOutcome;
  readonly #worker: Worker;
  readonly #looking: NodeJS.Timeout;
  readonly #memoryBefore = process.memoryUsage.rss();
  readonly #pending: PendingValue[] = [];
  /** The time of the first value, and the time since the signal. They are counted in checks, so a stopped process loses none. */
  #ranMs = 0;
  #stoppingMs = 0;
  /** The outcome of the values that are left when the thread has been ended. */
  #rest: JqOutcome | undefined;

  constructor(
    expression: string,
    signal: AbortSignal,
    limits: JqLimits,
    outcomeOf: (result: JqResult) => JqOutcome,
  ) {
    this.#limits = limits;
    this.#signal = signal;
    this.#outcomeOf = outcomeOf;
    this.#worker = new Worker(`${engine}${serve}`, {
      eval: true,
      workerData: { expression, maxLength: limits.text * mebibyte },
      env: {},
      execArgv: [],
      // V8 ends the whole process at this limit, so it is out of reach.
      resourceLimits: { maxOldGenerationSizeMb: 4096 },
    });
    this.#worker.on("message", (result: JqResult) => {
      this.#ranMs = 0;
      this.#pending.shift()?.resolve(this.#outcomeOf(result));
    });
    this.#worker.on("error", ({ message }) =>
      this.#stop({ text: "", fault: jqError("invalid_input", message) }),
    );
    this.#looking = setInterval(() => this.#look(), checkMs);
  }

  take(batch: readonly PendingValue[]): void {
    if (this.#rest) for (const { resolve } of batch) resolve(this.#rest);
    else {
      if (this.#pending.length === 0) this.#ranMs = 0;
      this.#pending.push(...batch);
      this.#worker.postMessage(batch.map(({ value }) => value));
    }
  }

  async end(): Promise<void> {
    clearInterval(this.#looking);
    await this.#worker.terminate();
  }

  #look(): void {
    if (this.#pending.length === 0) return;
    const { memory, minutes } = this.#limits;
    this.#ranMs += checkMs;
    if (this.#signal.aborted) this.#stoppingMs += checkMs;
    const memoryUse = process.memoryUsage.rss() - this.#memoryBefore;
    if (this.#stoppingMs > graceMs) this.#stop({ text: "" });
    else if (memoryUse > memory * mebibyte)
      this.#stop(limitOutcome(t`it takes more than ${memory} MiB of memory`));
    else if (this.#ranMs > minutes * 60_000) this.#stop(limitOutcome(t`it takes longer than ${minutes} min`));
  }

  #stop(rest: JqOutcome): void {
    this.#rest = rest;
    void this.end();
    for (const { resolve } of this.#pending.splice(0)) resolve(rest);
  }
}

function limitOutcome(reason: string): JqOutcome {
  return { text: "", fault: jqError("invalid_input", reason) };
}

function jqError(code: "usage" | "invalid_input", reason: string): ComandaError {
  return new ComandaError(code, `--jq: ${reason}`, {
    hint: t`The language is described at https://jqlang.org/manual. --json alone shows what the expression is given.`,
  });
}
