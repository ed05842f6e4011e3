/** Hands the commands their streams, signals and clock. No other file touches the process. */
import { setMaxListeners } from "node:events";
import path from "node:path";

import { systemClock } from "../client/clock.js";
import { t } from "../languages/language.js";

import { ComandaError, systemErrorCode } from "../client/errors.js";
import { createCriticalSections } from "../state/critical-sections.js";

import type { EndingSignal, InputStream, ProcessContext } from "./context.js";
import { openStdin, standardStream } from "./standard-stream.js";

/** After a signal a command may wait so long for the answers to its requests. */
const graceMs = 3_000;
/** Then it has this time to report the outcomes, before the program is ended. */
const reportMs = 500;
/** Two signals within this time count as one: `npx` repeats the Ctrl-C that the terminal has sent to both programs. */
const duplicateMs = 300;

const endingSignals: readonly EndingSignal[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

export interface ProcessWorld {
  readonly context: ProcessContext;
  /** Calls the listener for an exception that nobody caught. */
  onFault(listener: (fault: unknown) => void): void;
  /** Removes the signal handlers, so that a second Ctrl-C acts at once. */
  end(): void;
  /** Waits until all is written. @returns why a part of the output could not be written */
  outputFault(): Promise<ComandaError | undefined>;
}

export function createProcessContext(version: string): ProcessWorld {
  const interruption = new AbortController();
  const giveUp = new AbortController();
  // Each request that is out listens to both; Node would take eleven listeners for a leak and warn on stderr.
  setMaxListeners(0, interruption.signal, giveUp.signal);
  const critical = createCriticalSections();
  let stoppedAt = Number.NEGATIVE_INFINITY;
  const interrupt = (reason: ComandaError) => {
    interruption.abort(reason);
    setTimeout(() => giveUp.abort(reason), graceMs).unref();
  };
  const stop = (code: "interrupted" | "terminated") => () => {
    const reason = new ComandaError(code, code === "interrupted" ? t`Interrupted.` : t`Terminated.`);
    if (interruption.signal.aborted) {
      if (performance.now() - stoppedAt > duplicateMs) giveUp.abort(reason);
      return;
    }
    stoppedAt = performance.now();
    process.exitCode = reason.exitCode;
    interrupt(reason);
    // A command ends by itself when it sees the signal. This ends a command that is stuck.
    setTimeout(() => {
      if (critical.active > 0)
        stderr.write(
          `${t`Waiting for what must not be cut short, such as the answer to a renewal of the sign-in.`}\n`,
        );
      void critical.idle().then(() => setImmediate(leave));
    }, graceMs + reportMs).unref();
  };
  const handlers = {
    SIGINT: stop("interrupted"),
    SIGTERM: stop("terminated"),
    SIGHUP: stop("terminated"),
  } as const;
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler);
  const end = () => {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler);
  };
  /** Ends the program with the signal's exit code, or with the command's own where it has ended since. */
  const leave = () => {
    // Node waits for a thread inside a system call: another signal has to end that wait.
    end();
    process.exit();
  };

  // At a normal end Node would free its heap, and SQLite move its log into the database, with four waits for the disk. The
  // next process reads the log, as after a kill.
  const endAtOnce = () => process.exit();
  process.once("beforeExit", endAtOnce);

  // `comanda … | head` closes the pipe early, so nobody misses the rest of the output. The rest of the work isn't done,
  // and the exit code tells; a command without further work ends with its own code.
  const onClosedPipe = () => {
    if (!interruption.signal.aborted)
      interrupt(new ComandaError("output_closed", t`The reader of the output has gone.`));
  };
  // No new work is begun.
  let outputFault: ComandaError | undefined;
  const onLost = (code = t`unknown error`) => {
    if (code === "EPIPE") return;
    outputFault ??= new ComandaError("output_failed", t`The output can't be written (${code}).`, {
      hint: t`Check where it goes: the disk may be full. What was sent to the service by then has been done.`,
    });
    if (!interruption.signal.aborted) interrupt(outputFault);
  };
  const stdout = standardStream(1, {
    open: () =>
      process.stdout.on("error", (error) => {
        const code = systemErrorCode(error);
        if (code === "EPIPE") onClosedPipe();
        else onLost(code);
      }),
    onLost,
  });
  let stdin: InputStream | undefined;
  // Without stderr no place is left to report it.
  const ignore = () => undefined;
  const stderr = standardStream(2, { open: () => process.stderr.on("error", ignore), onLost: ignore });

  return {
    context: {
      version,
      env: process.env,
      host: process,
      stdin: () => (stdin ??= openStdin()),
      stdout,
      stderr,
      clock: systemClock,
      signal: interruption.signal,
      grace: giveUp.signal,
      onSignal: (listener) => {
        for (const signal of endingSignals) process.on(signal, listener);
        return () => {
          for (const signal of endingSignals) process.off(signal, listener);
        };
      },
      critical,
      closeFiles() {
        process.off("beforeExit", endAtOnce);
      },
      openBrowser: async (url) => {
        const { default: open } = await import("open");
        await open(url);
      },
      self: [process.execPath, path.resolve(process.argv[1] ?? "comanda")],
    },
    onFault: (listener) => {
      process.on("uncaughtException", listener);
      process.on("unhandledRejection", listener);
    },
    end,
    outputFault: async () => {
      await stdout.flushed();
      return outputFault;
    },
  };
}
