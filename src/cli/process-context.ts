/** The one file that touches the process: it hands the commands the streams, signals and clock they work with. */
import { setMaxListeners } from "node:events";
import path from "node:path";

import { systemClock } from "../shared/clock.js";
import { t } from "../shared/language.js";
import type { Context, EndingSignal } from "../commands/index.js";
import { ComandaError, systemErrorCode } from "../shared/errors.js";
import { realSystem } from "../shared/system.js";
import { createCriticalSections } from "../state/locks/critical-sections.js";

import { openStdin, standardStream } from "./standard-stream.js";

/** How long a command may wait, after a signal, for the answers to what it has sent. */
const graceMs = 3_000;
/** How long it may take then to tell them, before the program ends all the same. */
const tellingMs = 500;
/** Two signals within this time are one: `npx` hands on the Ctrl-C that the terminal has given to both. */
const doubledMs = 300;

const endingSignals: readonly EndingSignal[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/** The signal has stopped this process by then, where it does. */
const suspendingMs = 100;

/** Stops the whole job, so that the shell gets its terminal back from all of it. */
async function suspend(): Promise<void> {
  process.kill(0, "SIGTSTP");
  await systemClock.sleep(suspendingMs);
}

export interface World {
  readonly context: Context;
  /** Called for an exception that nobody caught. */
  onFault(listener: (fault: unknown) => void): void;
  /** Takes the signal handlers away, so that a second Ctrl-C acts at once. */
  end(): void;
  /** Once all has been written: why not all of it could be. */
  outputFault(): Promise<ComandaError | undefined>;
}

/**
 * Tells how this program was started. For a single executable Node gives the name it was called by, which may be
 * found on the path.
 */
function ownCommand({ execPath, argv0, argv: [, script = "comanda"] }: NodeJS.Process): Context["self"] {
  return script === argv0 ? [execPath] : [execPath, path.resolve(script)];
}

export function createProcessContext(version: string): World {
  const interruption = new AbortController();
  const giveUp = new AbortController();
  // Each request that is under way listens to both; Node would take eleven for a leak and say so on stderr.
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
      if (performance.now() - stoppedAt > doubledMs) giveUp.abort(reason);
      return;
    }
    stoppedAt = performance.now();
    process.exitCode = reason.exitCode;
    interrupt(reason);
    // A command ends by itself when it sees the signal. This is for one that is stuck.
    setTimeout(() => void critical.idle().then(() => setImmediate(leave)), graceMs + tellingMs).unref();
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
    // Node waits for a thread that is inside a system call: another signal has to end that wait.
    end();
    process.exit();
  };

  // When nothing is left to be done, Node would take its heap apart, and SQLite move what it has logged into the database, with
  // four waits for the disk: the next process finds it in the log, as after a kill.
  const endAtOnce = () => process.exit();
  process.once("beforeExit", endAtOnce);

  const lastWorks = new Set<() => void>();
  const finish = () => {
    for (const work of lastWorks) work();
    lastWorks.clear();
  };

  // `comanda … | head` closes the pipe early: what is left unsaid then is of no interest to anyone. What is left to be
  // done isn't done, and the exit code tells; a command that had nothing left to do ends with its own.
  const closedPipe = () => {
    if (!interruption.signal.aborted)
      interrupt(new ComandaError("output_closed", t`The reader of the output has gone.`));
  };
  // What was done is told all the same, and nothing more is begun.
  let outputFault: ComandaError | undefined;
  const onLost = (text: string, code = t`unknown error`) => {
    if (code === "EPIPE") return;
    stderr.write(text);
    outputFault ??= new ComandaError("output_failed", t`The output can't be written (${code}).`, {
      hint: t`Check where it goes: the disk may be full. What was sent to the service by then has been done.`,
    });
    if (!interruption.signal.aborted) interrupt(outputFault);
  };
  const stdout = standardStream(1, {
    open: () =>
      process.stdout.on("error", (error) => {
        const code = systemErrorCode(error);
        if (code === "EPIPE") closedPipe();
        else onLost("", code);
      }),
    onLost,
  });
  let stdin: Context["stdin"] | undefined;
  // Nowhere is left to tell of it.
  const ignore = () => undefined;
  const stderr = standardStream(2, { open: () => process.stderr.on("error", ignore), onLost: ignore });

  return {
    context: {
      version,
      env: process.env,
      host: process,
      system: realSystem,
      get stdin() {
        return (stdin ??= openStdin());
      },
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
      ...(process.platform !== "win32" && { suspend }),
      onContinued: (listener) => {
        process.on("SIGCONT", listener);
        return () => process.off("SIGCONT", listener);
      },
      atExit: (work) => {
        if (lastWorks.size === 0) process.once("exit", finish);
        lastWorks.add(work);
        return () => {
          lastWorks.delete(work);
          if (lastWorks.size === 0) process.off("exit", finish);
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
      page: async (command, text) => {
        // Ctrl-C is the pager's own while it runs: it may end a search there.
        process.off("SIGINT", handlers.SIGINT).on("SIGINT", ignore);
        try {
          const { runPager } = await import("./pager.js");
          await runPager(command, text);
        } finally {
          process.off("SIGINT", ignore).on("SIGINT", handlers.SIGINT);
        }
      },
      self: ownCommand(process),
    },
    onFault: (listener) => {
      const told = (fault: unknown) => {
        finish();
        listener(fault);
      };
      process.on("uncaughtException", told);
      process.on("unhandledRejection", told);
    },
    end,
    outputFault: async () => {
      await stdout.flushed();
      return outputFault;
    },
  };
}
