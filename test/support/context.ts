/** A command's context in memory: streams that a test reads back, and a clock that advances only when code waits. */
import { PassThrough, Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

import type { InputStream, ProcessContext, GlobalOptions } from "../../src/cli/context.js";
import type { Clock } from "../../src/base/clock.js";

/** Records what is written to it. It is a terminal if it has columns. */
export class Sink extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly stream = this;
  /** A character may be split between two chunks. */
  readonly #decoder = new StringDecoder("utf8");

  /** @param onText called with each piece that is written */
  constructor(
    readonly columns?: number,
    readonly onText: (text: string) => void = () => undefined,
  ) {
    super({ decodeStrings: false });
    this.isTTY = columns !== undefined;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    const text = typeof chunk === "string" ? chunk : this.#decoder.write(chunk);
    this.text += text;
    this.onText(text);
    done();
  }
}

/** @param given replaces the defaults: an empty stdin and environment, and no browser */
export function testContext({
  stdin = Readable.from([]),
  ...given
}: Partial<Omit<ProcessContext, "stdin"> & { stdin: InputStream }> = {}): ProcessContext {
  const signal = new AbortController().signal;
  return {
    env: {},
    host: process,
    stdin: () => stdin,
    stdout: new Sink(),
    stderr: new Sink(),
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    signal,
    grace: signal,
    critical: new Set(),
    openBrowser: () => Promise.reject(new Error("no browser here")),
    self: ["node", "comanda"],
    ...given,
  };
}

/** The surroundings of a command line that runs in this process. */
export interface InProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The contents of stdin; by default, it is empty and closed. */
  readonly input?: string | Uint8Array;
  readonly clock?: Clock;
  /** The width of the terminal; by default, stdout isn't a terminal. */
  readonly columns?: number;
  /** Whether stderr is a terminal; by default it isn't, as under cron. */
  readonly looksOn?: boolean;
  /** The user's answers to prompts, in order; by default, no one can answer. */
  readonly answers?: readonly string[];
  /** Called with each chunk that is written to stdout. */
  readonly onStdout?: (text: string) => void;
  readonly onStderr?: (text: string) => void;
  /** As {@link ProcessContext.signal}, and `grace`, which is the signal itself by default. */
  readonly signal?: AbortSignal;
  readonly grace?: AbortSignal;
}

/** @returns the context of one run, and functions that return what it has written */
export function openStreams({ env, input = "", columns, answers, ...options }: InProcessOptions) {
  const { looksOn = answers !== undefined, onStdout, onStderr, clock, signal, grace = signal } = options;
  const keyboard = new PassThrough();
  const left = [...(answers ?? [])];
  const stdout = new Sink(columns, onStdout);
  const stderr = new Sink(looksOn ? 80 : undefined, (text) => {
    onStderr?.(text);
    if (answers && /[?:)>] $/.test(text)) keyboard.write(`${left.shift() ?? ""}\n`);
  });
  const stdin = answers ? Object.assign(keyboard, { isTTY: true }) : Readable.from([Buffer.from(input)]);
  const context = testContext({
    ...{ stdin, stdout, stderr, env: answers ? { TERM: "dumb", ...env } : { ...env } },
    ...(clock && { clock }),
    ...(signal && { signal }),
    ...(grace && { grace }),
  });
  return { context, written: () => ({ stdout: stdout.text, stderr: stderr.text }) };
}

/** The global options with their defaults, except that a test never waits for a rate limit. */
export function testGlobals(given: Partial<GlobalOptions> = {}): GlobalOptions {
  return {
    store: undefined,
    stores: [],
    allStores: false,
    several: given.allStores === true || (given.stores?.length ?? 0) > 1,
    format: "table",
    quiet: false,
    debug: false,
    color: false,
    input: true,
    timeoutMs: undefined,
    maxWaitMs: 0,
    dryRun: false,
    ...given,
  };
}
