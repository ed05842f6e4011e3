/** Runs one command line: loads only the command that it names, and handles the process's streams, signals and exit code. */
import { constants, fstatSync, openSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import path from "node:path";
import { setImmediate, setTimeout as delay } from "node:timers/promises";

import { CommanderError } from "commander";
import ms from "ms";

import { fileErrorReason, once } from "../base/basics.js";
import { systemClock } from "../base/clock.js";
import { defaults, version } from "../base/defaults.js";
import { completeHint, ComandaError, systemErrorCode } from "../base/errors.js";
import { spellFields } from "../base/fields.js";
import { t, useLanguage, type Language } from "../languages/language.js";
import type { DatabaseName } from "../state/database.js";

import { collect, Command, typedFormat, type RawOptions } from "./command.js";
import type { ProcessContext, StandardStream } from "./context.js";
import { hintFor } from "./hints.js";
import { createOutput, eraseLine } from "./output.js";
import { readers } from "./records.js";
import { wrapWords } from "./text.js";

type Load = () => Promise<{ readonly default: (command: Command) => void }>;

/** The commands in the order of the help, each with its summary and the file that adds its options and action. */
const groups: Readonly<Record<string, Readonly<Record<string, readonly [summary: string, load: Load]>>>> = {
  "Orders and everyday use:": {
    orders: ["change the status of orders", () => import("../commands/orders.js")],
    driver: ["assign drivers to delivery orders", () => import("../commands/driver.js")],
    counter: ["process the orders of a shift from one prompt", () => import("../commands/counter.js")],
    prefill: ["create a pre-filled order for the digital menu", () => import("../commands/prefill.js")],
    history: [
      "list changes sent from this machine and their outcomes",
      () => import("../commands/history.js"),
    ],
  },
  "Sales figures:": {
    summary: [
      "show a period's orders, revenue and average order value",
      () => import("../commands/figures/summary.js"),
    ],
    grouped: [
      "show a period's figures grouped by one dimension",
      () => import("../commands/figures/grouped.js"),
    ],
    report: ["write an HTML report of a period, with charts", () => import("../commands/figures/report.js")],
    sync: ["save recent days' sales in a database and report changes", () => import("../commands/sync.js")],
  },
  "Stores and sign-ins:": {
    login: ["sign in to a store, or save its API key", () => import("../commands/login.js")],
    logout: ["sign out: revoke and delete tokens, delete keys", () => import("../commands/logout.js")],
    status: ["show whether a store can be used (exit code 3 if not)", () => import("../commands/status.js")],
    stores: ["manage the stores on this machine", () => import("../commands/stores.js")],
  },
  "Setup and help:": {
    demo: ["watch the commands run on sample data", () => import("../commands/demo.js")],
    env: ["manage service environments", () => import("../commands/env.js")],
    doctor: ["find problems on this machine and suggest fixes", () => import("../commands/doctor.js")],
    mcp: ["serve sales figures and history to an AI assistant", () => import("../commands/mcp.js")],
    completion: [
      "generate completions for bash, zsh, fish or PowerShell",
      () => import("../commands/completion.js"),
    ],
    help: ["show help for a command or topic", () => import("../commands/help.js")],
  },
  "For developers:": {
    emulator: ["run an emulator of the service on this machine", () => import("../commands/emulator.js")],
    api: ["send a request with the store's credentials", () => import("../commands/api.js")],
    openapi: ["print the API's OpenAPI 3.1 document", () => import("../commands/openapi.js")],
  },
};

/** Runs the program. Never rejects: every failure is reported on stderr and by the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const context = openProcess();
  const program = createProgram(context);
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (fault) => {
      void reportEnd(context, program, fault ?? new Error(event)).then((exitCode) => process.exit(exitCode));
    });
  }
  const exitCode = await runLine(context, argv, program);
  context.end.isOver = true;
  // An exit code of 0 must not replace the one that a signal has set.
  if (exitCode !== 0) process.exitCode = exitCode;
  // To close a database properly, SQLite copies its log into it and waits for the disk four times. The next process can also read
  // the log, as after a kill. Programs other than comanda read the sales database.
  if (!context.openFiles.has("sales")) process.once("beforeExit", () => process.exit());
}

/** Runs a command line, reports every failure on stderr, and returns the exit code. */
export async function runLine(
  context: ProcessContext,
  argv: readonly string[],
  program = createProgram(context),
): Promise<number> {
  await useLanguage(languageOf(context));
  spellFields((field) => `--${field.replaceAll("_", "-")}`);
  try {
    if (argv[0] === "complete") {
      const { complete } = await import("../commands/completion.js");
      complete(program.command("complete", { hidden: true }));
    }
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    return reportEnd(context, program, error);
  }
  return reportEnd(context, program);
}

/** Returns the user's language: that of the first locale that is set. */
function languageOf({ env, host }: ProcessContext): Language {
  // Windows has no locale in the environment.
  const system = host.platform === "win32" ? new Intl.DateTimeFormat().resolvedOptions().locale : "";
  const tags = [env["COMANDA_LANG"], env["LC_ALL"], env["LC_MESSAGES"], env["LANG"], system];
  return /^pt(?![a-z])/i.test(tags.find(Boolean) ?? "") ? "pt-BR" : "en";
}

/** Creates the commands. Each has only a name and a summary until commander runs it, or `load` is called. */
export function createProgram(context: ProcessContext): Command {
  const { stdout } = context;
  const program = new Command("comanda", context)
    .version(version, "-V, --version", "print the version")
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => stdout.columns ?? 80,
      getOutHasColors: () => false,
      writeOut: (text) => void stdout.write(text),
    })
    .option("-s, --store <alias>", "store to use (repeatable in sales commands)", collect)
    .option("--all-stores", "use all stores on this machine (sales commands)")
    .option("--json", "print JSON; errors are JSON on stderr");
  const readFormat = () => {
    if (readers[typedFormat(program.opts<RawOptions>())] === "program") void useLanguage("en");
  };
  const format = program.createOption("--format <format>", "output format");
  // It is checked after the line has been read, because --json may follow it.
  format.argChoices = Object.keys(readers);
  const timeout = program.createOption("--timeout <duration>", "maximum time for one request");
  const maxWait = program.createOption("--max-wait <duration>", "maximum wait for rate limits and locks");
  program
    .addHelpOption(program.createOption("-h, --help").hideHelp())
    .addOption(format)
    .option("-q, --quiet", "print only data, warnings and errors")
    .option("--debug", "log every request and print stack traces")
    .option("--no-color", "disable colors (FORCE_COLOR=1 forces them on)")
    .option("--no-input", "never prompt")
    .addOption(timeout.default(undefined, ms(defaults.timeoutMs)))
    .addOption(maxWait.default(undefined, ms(defaults.maxWaitMs)))
    .option("--dry-run", "show the requests without sending them")
    // The errors of an invalid line, too, are in the language of their reader.
    .on("option:json", readFormat)
    .on("option:format", readFormat)
    .hook("preSubcommand", async (_, command) => {
      if (command instanceof Command) await command.load?.();
    });
  for (const [group, commands] of Object.entries(groups)) {
    program.commandsGroup(group);
    for (const [name, [summary, load]] of Object.entries(commands)) {
      const command = program.command(name).summary(summary);
      command.load = once(async () => (await load()).default(command));
    }
  }
  return program;
}

/**
 * Reports why a command failed, and that its output is lost, in one error.
 *
 * @param thrown `undefined` if the command has done its work
 * @returns the exit code
 */
async function reportEnd(context: ProcessContext, program: Command, thrown?: unknown): Promise<number> {
  // commander also throws after it has printed a help, and `emulator exec` with the exit code of its command.
  if (thrown instanceof CommanderError && thrown.exitCode !== 0) return thrown.exitCode;
  const lost = context.end?.lost;
  let error: ComandaError;
  if (thrown instanceof ComandaError) error = thrown;
  else if (thrown === undefined || thrown instanceof CommanderError) {
    if (!lost) return 0;
    error = lost.reworded(lost.message, {
      outcome: "done",
      hint: t`If changes were sent, they took effect.`,
    });
  } else if (context.signal.reason instanceof ComandaError) error = context.signal.reason;
  else {
    const text = typeof thrown === "string" ? thrown : typeof thrown;
    const words = thrown instanceof Error ? thrown.message.replace(/\.$/, "") : text;
    error = new ComandaError("internal", t`Internal error: ${words}.`, {
      hint: t`Run the same command with --debug, and report the error.`,
      cause: thrown,
    });
  }
  const { code, exitCode } = error;
  if (code === "output_closed") return exitCode;
  completeHint(error, hintFor);
  if (lost) {
    const where = t`Check the destination of the output: the disk may be full.`;
    error = error.reworded(code === lost.code ? lost.message : `${lost.message} ${error.message}`, {
      hint: [where, error.hint].filter(Boolean).join("\n"),
    });
  }
  // The line itself may be invalid: these are the options that commander has read.
  const read = program.opts<RawOptions>();
  const output = await createOutput(context, { format: typedFormat(read), color: read.color });
  // A person who pressed Ctrl-C needs only the next step, if there is one, and what wasn't sent. A script needs the error.
  const isOnlyStop = [t`Interrupted.`, t`Terminated.`].includes(error.message);
  if (output.json || !isOnlyStop) output.error(error);
  else for (const line of error.hint?.split("\n") ?? []) output.notice(line);
  // Only the stack is printed, because the `cause` of an error may contain a code or a token.
  if (thrown instanceof Error && thrown === error.cause && read.debug)
    context.stderr.write(`${thrown.stack ?? ""}\n`);
  return exitCode;
}

/** Time that a command may wait for answers to its requests after a signal. */
const graceMs = 3_000;
/** Time that it then has to report the outcomes before the program exits. */
const reportMs = 500;
/** Two signals within this time count as one, because `npx` repeats the Ctrl-C that the terminal has sent to both programs. */
const duplicateMs = 300;

const isWindows = process.platform === "win32";

function openProcess() {
  const terminals = [0, 1, 2].filter(isTerminal);
  const end: Required<ProcessContext>["end"] = {};
  const interruption = new AbortController();
  const giveUp = new AbortController();
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
    if (end.isOver) process.exit();
    interrupt(reason);
    // A change that was sent isn't aborted, because the API can't show its outcome, and many changes can't be repeated.
    setTimeout(() => {
      const waits = t`Waiting for pending answers, at most ${graceMs / 1_000} s. To stop waiting, press Ctrl-C again.`;
      const line = wrapWords(`${reason.message} ${waits}`, stderr.columns);
      // The status line may be in the way.
      if (!end.isOver) stderr.write(`${stderr.isTTY ? eraseLine : ""}${line}\n`);
    }, duplicateMs).unref();
    // Most commands end when the signal aborts. This ends one that is stuck.
    setTimeout(() => {
      if (critical.size > 0)
        stderr.write(`${t`Waiting for work that must finish, such as renewing the sign-in.`}\n`);
      void (async () => {
        while (critical.size > 0) {
          await Promise.allSettled(critical);
          // The command reports the outcome of this work, sets its own exit code, and usually ends.
          await delay(reportMs, undefined, { ref: false });
        }
        // Node waits for threads in system calls. Without these listeners, another signal ends that wait.
        for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(name, stop);
        process.exit();
      })();
    }, graceMs + reportMs).unref();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, stop);
  process.on("exit", () => {
    // Node resets the terminal when it exits, and aborts if it has closed. This signal ends the process before.
    process.removeAllListeners("SIGHUP");
    if (!terminals.every(isTerminal)) process.kill(process.pid, "SIGHUP");
  });

  const onLost = (error: unknown) => {
    if (systemErrorCode(error) !== "EPIPE") {
      end.lost = new ComandaError("output_failed", t`Can't write ${"stdout"}: ${fileErrorReason(error)}.`);
      interrupt(end.lost);
      return;
    }
    // `comanda … | head` doesn't read the rest of the output. A command that has more work to do stops with this code.
    const closed = new ComandaError("output_closed", t`Interrupted.`);
    void setImmediate().then(() => interrupt(closed));
  };
  // A failure of stderr can't be reported anywhere.
  const stderr = standardStream(2, terminals.includes(2), () => undefined);
  return {
    env: isWindows
      ? // There, the case of names doesn't matter, but it does in a copy.
        Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name.toUpperCase(), value]))
      : { ...process.env },
    host: process,
    // Node also reports here that a closed terminal can't be reset. Readers receive the errors of reading themselves.
    stdin: once(() => process.stdin.on("error", () => undefined)),
    stdout: standardStream(1, terminals.includes(1), onLost),
    stderr,
    end,
    clock: systemClock,
    signal: interruption.signal,
    grace: giveUp.signal,
    critical,
    openFiles: new Set<DatabaseName>(),
    openBrowser: async (url: string) => {
      const { default: open } = await import("open");
      // The browser inherits this process's variables, and keys must not get into it. The context has a copy.
      for (const name of Object.keys(process.env))
        if (name.toUpperCase().startsWith("COMANDA_")) Reflect.deleteProperty(process.env, name);
      await open(url);
    },
    self: [process.execPath, path.resolve(process.argv[1] ?? "comanda")],
  } satisfies ProcessContext;
}

/** Returns whether a standard stream is a terminal that hasn't closed. */
function isTerminal(descriptor: number): boolean {
  const file = fstatSync(descriptor);
  // Only another device needs the module, which loads others.
  const isDevice = file.isCharacterDevice() && (isWindows || file.rdev !== statSync(devNull).rdev);
  return isDevice && process.getBuiltinModule("node:tty").isatty(descriptor);
}

/** Texts that are still to be written to one file or pipe, in order. stdout and stderr may be the same file. */
interface Backlog {
  readonly texts: { readonly descriptor: number; rest: Buffer; readonly onLost: (error: unknown) => void }[];
  /** Milliseconds until a full pipe is tried again. It doubles each time. */
  waitMs: number;
}

const backlogs = new Map<string, Backlog>();

/** Writes as much as the file or pipe accepts. A full pipe is tried again later, so that signals are still handled. */
function writeOut(backlog: Backlog): void {
  const { texts } = backlog;
  for (let [first] = texts; first; [first] = texts) {
    try {
      first.rest = first.rest.subarray(writeSync(first.descriptor, first.rest));
      backlog.waitMs = 1;
    } catch (error) {
      if (systemErrorCode(error) === "EAGAIN") {
        setTimeout(writeOut, backlog.waitMs, backlog);
        backlog.waitMs = Math.min(backlog.waitMs * 2, 50);
        return;
      }
      first.onLost(error);
      first.rest = Buffer.of();
    }
    if (first.rest.length === 0) texts.shift();
  }
}

/**
 * Writes to files and pipes with system calls, because Node's streams take 3 ms to open, and don't report that a full disk truncated a
 * text. Calls `onLost` with the error if a text can't be written, and writes nothing more.
 */
function standardStream(descriptor: 1 | 2, isTTY: boolean, onLost: (error: unknown) => void): StandardStream {
  let isLost = false;
  const lose = (error: unknown) => {
    isLost = true;
    onLost(error);
  };
  const stream = once(() => (descriptor === 1 ? process.stdout : process.stderr).on("error", lose));
  const file = fstatSync(descriptor);
  const name = `${file.dev}:${file.ino}`;
  const backlog = backlogs.get(name) ?? { texts: [], waitMs: 1 };
  backlogs.set(name, backlog);
  const isPipe = !isWindows && (file.isFIFO() || file.isSocket());
  // A full pipe must not stop the program. Linux opens a second descriptor, so that programs that share the first aren't affected.
  // Elsewhere, and for sockets, Node's stream makes the first one fail instead of waiting.
  const target = once(() => {
    try {
      if (isPipe) return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      stream();
    }
    return descriptor;
  });
  return {
    isTTY,
    get stream() {
      return stream();
    },
    get columns() {
      // A terminal whose size was never set reports 0, as many pseudo-terminals do.
      return isTTY ? stream().columns || 80 : undefined;
    },
    write(text) {
      if (isLost) return;
      if (isTTY) {
        stream().write(text);
        return;
      }
      backlog.texts.push({ descriptor: target(), rest: Buffer.from(text), onLost: lose });
      if (backlog.texts.length === 1) writeOut(backlog);
    },
  };
}
