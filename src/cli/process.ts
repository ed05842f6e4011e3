/** The process as commands use it: streams, signals and clock. No other file touches it. */
import { setMaxListeners } from "node:events";
import { createReadStream, fstatSync, writeSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";

import { systemClock } from "../client/clock.js";
import { ComandaError, systemErrorCode } from "../client/errors.js";
import { t } from "../languages/language.js";

import type { InputStream, ProcessContext, StandardStream } from "./context.js";

/** After a signal a command may wait so long for the answers to its requests. */
const graceMs = 3_000;
/** Then it has this time to report the outcomes, before the program is ended. */
const reportMs = 500;
/** Two signals within this time count as one: `npx` repeats the Ctrl-C that the terminal has sent to both programs. */
const duplicateMs = 300;

interface OpenedProcess {
  readonly context: ProcessContext;
  /** Why a part of the output could not be written. */
  readonly outputFault: () => ComandaError | undefined;
}

export function openProcess(version: string): OpenedProcess {
  const interruption = new AbortController();
  const giveUp = new AbortController();
  // Each request that is out listens to both; Node would take eleven listeners for a leak and warn on stderr.
  setMaxListeners(0, interruption.signal, giveUp.signal);
  const critical = new Set<Promise<unknown>>();
  const interrupt = (reason: ComandaError) => {
    if (interruption.signal.aborted) return;
    interruption.abort(reason);
    setTimeout(() => giveUp.abort(reason), graceMs).unref();
  };

  let stoppedAt = Number.NEGATIVE_INFINITY;
  const stop = (signal: NodeJS.Signals) => {
    const reason =
      signal === "SIGINT"
        ? new ComandaError("interrupted", t`Interrupted.`)
        : new ComandaError("terminated", t`Terminated.`);
    if (interruption.signal.aborted) {
      if (performance.now() - stoppedAt > duplicateMs) giveUp.abort(reason);
      return;
    }
    stoppedAt = performance.now();
    process.exitCode = reason.exitCode;
    interrupt(reason);
    // A command ends by itself when it sees the signal. This ends a command that is stuck.
    setTimeout(() => {
      if (critical.size > 0)
        stderr.write(
          `${t`Waiting for what must not be cut short, such as the answer to a renewal of the sign-in.`}\n`,
        );
      void (async () => {
        while (critical.size > 0) await Promise.allSettled(critical);
        // What came to its end just now says by its own code how it ended.
        await setImmediate();
        // Node waits for a thread inside a system call: another signal has to end that wait.
        for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(name, stop);
        process.exit();
      })();
    }, graceMs + reportMs).unref();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, stop);

  // At a normal end Node would free its heap, and SQLite move its log into the database, with four waits for the disk. The
  // next process reads the log, as after a kill.
  const endAtOnce = () => process.exit();
  process.once("beforeExit", endAtOnce);

  let outputFault: ComandaError | undefined;
  const onLost = (code: string) => {
    if (code !== "EPIPE") {
      outputFault = new ComandaError("output_failed", t`The output can't be written (${code}).`, {
        hint: t`Check where it goes: the disk may be full. What was sent to the service by then has been done.`,
      });
      interrupt(outputFault);
      return;
    }
    // `comanda … | head` closes the pipe early, so nobody misses the rest of the output. No new work is begun, and the exit
    // code tells; a command without further work ends with its own code.
    const gone = new ComandaError("output_closed", t`The reader of the output has gone.`);
    void setImmediate().then(() => interrupt(gone));
  };
  let stdin: InputStream | undefined;
  // Without stderr no place is left to report it.
  const stderr = standardStream(2, () => undefined);
  return {
    context: {
      version,
      env: process.env,
      host: process,
      stdin: () => (stdin ??= openStdin()),
      stdout: standardStream(1, onLost),
      stderr,
      clock: systemClock,
      signal: interruption.signal,
      grace: giveUp.signal,
      onSignal: (listener) => {
        const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
        for (const signal of signals) process.on(signal, listener);
        return () => {
          for (const signal of signals) process.off(signal, listener);
        };
      },
      critical,
      closeFiles: () => void process.off("beforeExit", endAtOnce),
      openBrowser: async (url) => {
        const { default: open } = await import("open");
        await open(url);
      },
      self: [process.execPath, path.resolve(process.argv[1] ?? "comanda")],
    },
    outputFault: () => outputFault,
  };
}

/**
 * Writes to files and pipes by the system's call: Node's own streams take three milliseconds to open, and take a text that
 * a full disk has cut short for written.
 *
 * @param onLost is called with the system's code where a text can't be written; nothing more is then
 */
function standardStream(
  descriptor: 1 | 2,
  onLost: (code: string) => void,
): StandardStream & { readonly stream: NodeJS.WriteStream } {
  let isLost = false;
  let isDevice: boolean | undefined;
  let opened: NodeJS.WriteStream | undefined;
  return {
    get stream() {
      return (opened ??= (descriptor === 1 ? process.stdout : process.stderr).on("error", (error) =>
        onLost(systemErrorCode(error) ?? ""),
      ));
    },
    get isTTY() {
      isDevice ??= fstatSync(descriptor).isCharacterDevice();
      return isDevice && this.stream.isTTY;
    },
    get columns() {
      // A terminal whose size was never set says 0, as many pseudo-terminals do.
      return this.isTTY ? this.stream.columns || undefined : undefined;
    },
    write(text) {
      if (this.isTTY) return this.stream.write(text);
      let rest = Buffer.from(text);
      while (rest.length > 0 && !isLost) {
        try {
          rest = rest.subarray(writeSync(descriptor, rest));
        } catch (error) {
          const code = systemErrorCode(error) ?? "";
          if (code === "EAGAIN") {
            // A reader is slow.
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
          } else {
            isLost = true;
            onLost(code);
          }
        }
      }
      return !isLost;
    },
  };
}

/** Node takes a folder or a disk for an empty stream; reading it as a file gives an error. */
function openStdin(): InputStream {
  const stats = fstatSync(0);
  const isEmptyToNode = stats.isDirectory() || stats.isBlockDevice();
  return isEmptyToNode ? createReadStream("", { fd: 0 }) : process.stdin;
}
