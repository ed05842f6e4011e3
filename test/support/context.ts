/** A command's world in memory: streams that are read back, a clock that stands still until somebody waits. */
import { PassThrough, Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

import type { InputStream, ProcessContext, GlobalOptions } from "../../src/cli/context.js";
import type { Clock } from "../../src/base/clock.js";

/** Keeps what is written to it; a terminal where it has columns. */
export class Sink extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly stream = this;
  /** A character may come in two pieces. */
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

export interface GivenContext extends Partial<Omit<ProcessContext, "stdin">> {
  readonly stdin?: InputStream;
}

/** @param given in place of the usual: nothing to read, nothing in the environment, no browser */
export function testContext({ stdin = Readable.from([]), ...given }: GivenContext = {}): ProcessContext {
  const signal = new AbortController().signal;
  return {
    version: "0.0.0",
    env: {},
    host: process,
    stdin: () => stdin,
    stdout: new Sink(),
    stderr: new Sink(),
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    signal,
    grace: signal,
    onSignal: () => () => undefined,
    critical: new Set(),
    openBrowser: () => Promise.reject(new Error("no browser here")),
    self: ["node", "comanda"],
    ...given,
  };
}

/** What a command line that runs in this process finds around it. */
export interface InProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin holds; nothing, and closed at once, by default. */
  readonly input?: string | Uint8Array;
  readonly clock?: Clock;
  /** Of the terminal that stdout is; none by default. */
  readonly columns?: number;
  /** Is stderr a terminal? No by default, as under cron. */
  readonly looksOn?: boolean;
  /** What a person at both ends answers, one after the other; nobody is there by default. */
  readonly answers?: readonly string[];
  /** Called with each piece that is written there. */
  readonly onStdout?: (text: string) => void;
  readonly onStderr?: (text: string) => void;
  /** As {@link ProcessContext.signal}, and `grace`, which is the signal itself by default. */
  readonly signal?: AbortSignal;
  readonly grace?: AbortSignal;
}

/** @returns the context of one run, and what it has written to its streams */
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

/** The options that all commands know, as they are where none was typed, but for the wait: a test waits for nothing. */
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
