/** Runs a command line of comanda's in this process: all of the program but the process around it. */
import { Readable } from "node:stream";

import { runLine } from "../../src/cli/program.js";
import { systemClock, type Clock } from "../../src/client/clock.js";

import { Sink, testContext } from "./context.js";

export interface InProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin holds; nothing, and closed at once, by default. */
  readonly input?: string;
  /** The machine's by default. */
  readonly clock?: Clock;
  /** Of the terminal that stdout is; none by default. */
  readonly columns?: number;
  /** Called with each piece that is written to stderr. */
  readonly onStderr?: (text: string) => void;
  /** Called with each piece that is written to stdout. */
  readonly onStdout?: (text: string) => void;
  /** As {@link Context.signal}; none comes by default. */
  readonly signal?: AbortSignal;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param self how a command starts comanda itself */
export async function runInProcess(
  args: readonly string[],
  self: readonly [node: string, script: string],
  { env = {}, input = "", clock = systemClock, columns, onStderr, onStdout, signal }: InProcessOptions = {},
): Promise<Ended> {
  const [stdout, stderr] = [new Sink(columns, onStdout), new Sink(undefined, onStderr)];
  const context = testContext({
    env,
    clock,
    self,
    stdout,
    stderr,
    stdin: Readable.from([Buffer.from(input)]),
    ...(signal && { signal, grace: signal }),
  });
  const code = await runLine(context, args);
  return { code, stdout: stdout.text, stderr: stderr.text };
}
