/**
 * The program starts here: one command line, from its words to its exit code, and the process that it runs in, with its
 * streams and signals. Only the file of the command that it names is loaded.
 */
import { constants, fstatSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";

import { CommanderError } from "commander";
import ms from "ms";

import { systemClock } from "../base/clock.js";
import { defaults } from "../base/defaults.js";
import { ComandaError, systemErrorCode } from "../base/errors.js";
import { capitalized, t, translated, useLanguage } from "../languages/language.js";

import { collect, Command, Exit } from "./command.js";
import type { ProcessContext, StandardStream } from "./context.js";
import { createOutput } from "./output.js";
import { readers, type Format } from "./records.js";

declare const __VERSION__: string;

type Load = () => Promise<{ readonly default: (command: Command) => void }>;

/** What each command is for, and what puts onto it what it takes and does, in the order of the help. */
const groups: Readonly<Record<string, Readonly<Record<string, readonly [summary: string, load: Load]>>>> = {
  "On an evening:": {
    login: ["sign in at a store, or store its API key", () => import("../commands/login.js")],
    orders: ["change the status of orders", () => import("../commands/orders.js")],
    driver: ["assign the drivers of delivery orders", () => import("../commands/driver.js")],
    counter: [
      "one prompt for an evening: orders go out, arrive, are closed or canceled",
      () => import("../commands/counter.js"),
    ],
    prefill: [
      "make a pre-filled order, which opens in the store's digital menu",
      () => import("../commands/prefill.js"),
    ],
    history: [
      "what this machine sent: who did what to which order, and what came of it",
      () => import("../commands/history.js"),
    ],
  },
  "Figures:": {
    summary: [
      "orders, revenue and average order value of a period",
      async () => ({ default: (await import("../commands/figures.js")).summary }),
    ],
    grouped: [
      "the figures of a period, split by one dimension",
      async () => ({ default: (await import("../commands/figures.js")).grouped }),
    ],
    report: ["a period at a glance, as one HTML file with pictures", () => import("../commands/report.js")],
    sync: [
      "ask the last days again, keep them as rows for SQL, and tell what has changed",
      () => import("../commands/sync.js"),
    ],
  },
  "Stores:": {
    status: [
      "is the store signed in? A gate for scripts by its exit code",
      () => import("../commands/status.js"),
    ],
    stores: ["the stores that this machine knows", () => import("../commands/stores.js")],
    logout: [
      "revoke a store's tokens at the service, then forget them and its keys",
      () => import("../commands/logout.js"),
    ],
    env: ["the environments of the service that this machine knows", () => import("../commands/env.js")],
  },
  "This machine:": {
    doctor: ["what is wrong here, and what to do about it", () => import("../commands/doctor.js")],
    completion: [
      "completion by Tab, for bash, zsh, fish and PowerShell",
      () => import("../commands/completion.js"),
    ],
    help: ["help on a command or a topic", () => import("../commands/help.js")],
  },
  "Builders:": {
    demo: ["a guided tour on the emulator; it leaves nothing behind", () => import("../commands/demo.js")],
    emulator: [
      "the whole service on this machine, to try things on",
      () => import("../commands/emulator.js"),
    ],
    api: ["any call to the service, signed with the store's credentials", () => import("../commands/api.js")],
    mcp: ["serve figures and orders to an AI assistant", () => import("../commands/mcp.js")],
    openapi: [
      "print the API's description as an OpenAPI 3.1 document",
      () => import("../commands/openapi.js"),
    ],
  },
};

/** Never rejects: every failure is told on stderr and ends in the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const { context, end } = openProcess();
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (fault) => {
      void reportError(fault, argv, context).then((exitCode) => process.exit(exitCode));
    });
  }
  const exitCode = await runLine(context, argv);
  end.isOver = true;
  // A signal may have set it by now.
  if (exitCode !== 0) process.exitCode = exitCode;
  if (end.fault !== undefined) {
    (await createOutput(context, typedWishes(argv, context))).error(end.fault);
    process.exitCode ??= end.fault.exitCode;
  }
  // To close a database properly, SQLite copies its log into it and waits for the disk four times. The next process reads the log
  // all the same, as after a kill.
  if (!end.closesFiles) process.once("beforeExit", () => process.exit());
}

/** @returns the exit code; every failure has been told on stderr */
export async function runLine(context: ProcessContext, argv: readonly string[]): Promise<number> {
  await useLanguage(typedWishes(argv, context).language);
  try {
    const program = await createProgram(context, argv);
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    return reportError(error, argv, context);
  }
}

/**
 * Makes the tree of commands. A command that the line doesn't name is there as a name, to be suggested.
 *
 * @param argv without it, the tree has all commands
 */
export async function createProgram(context: ProcessContext, argv: readonly string[] = []): Promise<Command> {
  const { stdout, stderr } = context;
  const program = new Command("comanda", context)
    .version(context.version, "-V, --version", "print the version")
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // Errors are told by the one renderer, not by commander.
      outputError: () => undefined,
    })
    .option("-s, --store <alias>", "the store to work at", collect)
    .option("--all-stores", "every store that this machine knows; figures take --store several times too")
    .option("--json", "JSON on stdout, errors as JSON on stderr");
  program
    .addHelpOption(program.createOption("-h, --help").hideHelp())
    .addOption(
      program.createOption("--format <format>", "how results are printed").choices(Object.keys(readers)),
    )
    .option("-q, --quiet", "data, warnings and errors alone: no sentences, notices or progress")
    .option("--debug", "show each request, and where a fault arose")
    .option("--no-color", "no colours; FORCE_COLOR=1 has them without a terminal too")
    .option("--no-input", "never ask anything")
    .optionWithDefault("--timeout <duration>", "longest time for one request", ms(defaults.timeoutMs))
    .optionWithDefault(
      "--max-wait <duration>",
      "longest wait for a place within the rate limit",
      ms(defaults.maxWaitMs),
    )
    .option("--dry-run", "show what would be sent, send nothing");
  // Commander would show the help of the whole where the word before --help is no command.
  program.on("beforeHelp", () => {
    const [word = "-"] = program.args;
    if (!word.startsWith("-"))
      program.error(`error: unknown command '${word}'`, { code: "commander.unknownCommand" });
  });
  const isWhole = argv.length === 0 || argv[0] === "help";
  for (const [group, commands] of Object.entries(groups)) {
    program.commandsGroup(group);
    for (const [name, [summary, load]] of Object.entries(commands)) {
      const command = program.command(name).summary(summary);
      if (isWhole || argv.includes(name)) (await load()).default(command);
    }
  }
  if (argv[0] === "complete") {
    const { complete } = await import("../commands/completion.js");
    complete(program.command("complete", { hidden: true }), (words) => createProgram(context, words));
  }
  return program;
}

/**
 * How errors are told, read without the parser: the line may be what is wrong. A program that reads JSON or CSV reads the
 * errors beside it, too, in English. People have the first language that is set.
 */
export function typedWishes(argv: readonly string[], { env, host }: Pick<ProcessContext, "env" | "host">) {
  // What stands behind -- is another program's.
  const line = ` ${argv.slice(0, argv.includes("--") ? argv.indexOf("--") : undefined).join(" ")} `;
  // Windows has no locale in the environment.
  const system = host.platform === "win32" ? new Intl.DateTimeFormat().resolvedOptions().locale : "";
  const tags = [env["COMANDA_LANG"], env["LC_ALL"], env["LC_MESSAGES"], env["LANG"], system];
  const [, typed = "table"] = /^.* --format[= ](\S+) /.exec(line) ?? [];
  const named = typed in readers ? (typed as Format) : "table";
  const format = line.includes(" --json ") ? "json" : named;
  return {
    language: readers[format] === "person" && /^pt(?![a-z])/i.test(tags.find(Boolean) ?? "") ? "pt-BR" : "en",
    format,
    quiet: false,
    color: !line.includes(" --no-color "),
  } as const;
}

async function reportError(
  thrown: unknown,
  argv: readonly string[],
  context: ProcessContext,
): Promise<number> {
  if (thrown instanceof Exit) return thrown.exitCode;
  const error = toComandaError(thrown, context.signal.aborted ? context.signal.reason : undefined);
  if (error === undefined) return 0;
  const { code, exitCode } = error;
  // An output that can't be written is told by `main`, after everything else.
  if (code === "output_closed" || code === "output_failed") return exitCode;
  if (error.hintFacts) (await import("./hints.js")).completeCommandHint(error);
  const output = await createOutput(context, typedWishes(argv, context));
  // A person who pressed Ctrl-C needs no message, but a script that reads JSON does.
  if (output.json || (code !== "interrupted" && code !== "terminated")) output.error(error);
  // The stack alone: an error's `cause` may carry a code or a token.
  const isOwnFault = thrown instanceof Error && !(thrown instanceof ComandaError);
  if (isOwnFault && argv.includes("--debug")) context.stderr.write(`${thrown.stack ?? ""}\n`);
  return exitCode;
}

/**
 * @param interruption the signal's reason, if there was a signal
 * @returns `undefined` where nothing is wrong: commander throws after a help text, too
 */
export function toComandaError(thrown: unknown, interruption?: unknown): ComandaError | undefined {
  if (thrown instanceof ComandaError) return thrown;
  if (interruption instanceof ComandaError) return interruption;
  if (thrown instanceof CommanderError) return fromCommander(thrown);
  const words = thrown instanceof Error ? thrown.message.replace(/\.$/, "") : String(thrown);
  return new ComandaError("internal", t`comanda has a fault: ${words}.`, {
    hint: t`Run the same command with --debug to see where, and report it.`,
    cause: thrown,
  });
}

/** commander's sentences, such as "unknown option '--perid'", in the reader's language. */
function fromCommander({ code, exitCode, message }: CommanderError): ComandaError | undefined {
  if (exitCode === 0) return undefined;
  if (code === "commander.help")
    return new ComandaError("usage", t`A subcommand is missing.`, { hint: t`The help above lists them.` });
  const [text = "", near] = message.replace(/^error: /, "").split(/\n\(Did you mean (?:one of )?(.*)\?\)$/s);
  // The value of an option that isn't may be a secret.
  const [said = "", choices] = text
    .replace(/^(unknown option '[^=]*)=.*'$/s, "$1'")
    .split(/\.(?: Allowed choices are (.*)\.)?$/s);
  const values: string[] = [];
  const key = said.replaceAll(/'.*?'(?=[ .,]|$)|\d+/gs, (value) => `{${values.push(value) - 1}}`);
  const sentence = translated<string>(`${capitalized(key)}.`).replaceAll(
    /\{(\d)\}/g,
    (_, index) => values[Number(index)] ?? "",
  );
  const hint = choices === undefined ? t`Add --help to see what the command takes.` : t`It takes ${choices}.`;
  return new ComandaError("usage", sentence, { hint: near === undefined ? hint : t`Did you mean ${near}?` });
}

/** After a signal a command may wait so long for the answers to its requests. */
const graceMs = 3_000;
/** Then it has this time to report the outcomes, before the program is ended. */
const reportMs = 500;
/** Two signals within this time count as one: `npx` repeats the Ctrl-C that the terminal has sent to both programs. */
const duplicateMs = 300;

function openProcess() {
  /**
   * How the program ends: why a part of the output could not be written, whether files are closed, which takes longer, and
   * whether only output is left, which a reader may never take.
   */
  const end: { fault?: ComandaError; closesFiles: boolean; isOver: boolean } = {
    closesFiles: false,
    isOver: false,
  };
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
    // A write that is out isn't cut off: nothing reads it back, and many can't be repeated.
    setTimeout(() => {
      const waits = t`Waiting for the answers that are still out; a second signal gives them up.`;
      if (!end.isOver) stderr.write(`${reason.message} ${waits}\n`);
    }, duplicateMs).unref();
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

  const onLost = (code: string) => {
    if (code !== "EPIPE") {
      end.fault = new ComandaError("output_failed", t`The output can't be written (${code}).`, {
        hint: t`Check where it goes: the disk may be full. What was sent to the service by then has been done.`,
      });
      interrupt(end.fault);
      return;
    }
    // `comanda … | head` closes the pipe early, so nobody misses the rest of the output. No new work is begun, and the exit
    // code tells; a command without further work ends with its own code.
    const gone = new ComandaError("output_closed", t`The reader of the output has gone.`);
    void setImmediate().then(() => interrupt(gone));
  };
  // Without stderr no place is left to report it.
  const stderr = standardStream(2, () => undefined);
  const context: ProcessContext = {
    version: __VERSION__,
    env: process.env,
    host: process,
    stdin: () => process.stdin,
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
    opens: (name) => void (end.closesFiles ||= name === "sales"),
    openBrowser: async (url) => {
      const { default: open } = await import("open");
      await open(url);
    },
    self: [process.execPath, path.resolve(process.argv[1] ?? "comanda")],
  };
  return { context, end };
}

/** What is still to be written to one file or pipe, in its order: stdout and stderr may be the same. */
interface Backlog {
  readonly texts: { readonly descriptor: number; rest: Buffer; readonly onLost: (code: string) => void }[];
  /** Milliseconds until a full pipe is tried again; longer each time. */
  waitMs: number;
}

const backlogs = new Map<string, Backlog>();

/** Writes as much as a reader takes. A pipe that is full is tried again later, and signals are heard meanwhile. */
function writeOut(backlog: Backlog): void {
  const { texts } = backlog;
  for (let [first] = texts; first; [first] = texts) {
    try {
      first.rest = first.rest.subarray(writeSync(first.descriptor, first.rest));
      backlog.waitMs = 1;
    } catch (error) {
      const code = systemErrorCode(error) ?? "";
      if (code === "EAGAIN") {
        setTimeout(writeOut, backlog.waitMs, backlog);
        backlog.waitMs = Math.min(backlog.waitMs * 2, 50);
        return;
      }
      first.onLost(code);
      first.rest = Buffer.of();
    }
    if (first.rest.length === 0) texts.shift();
  }
}

/**
 * Writes to files and pipes with the system's own call: Node's streams take three milliseconds to open, and treat a text that
 * a full disk has cut short as written.
 *
 * @param onLost is called with the system's code if a text can't be written; nothing else is written then
 */
function standardStream(descriptor: 1 | 2, onLost: (code: string) => void): StandardStream {
  const stream = () => (descriptor === 1 ? process.stdout : process.stderr);
  const file = fstatSync(descriptor);
  if (file.isCharacterDevice() && stream().isTTY) {
    const terminal = stream().on("error", (error) => onLost(systemErrorCode(error) ?? ""));
    return {
      stream: terminal,
      isTTY: true,
      get columns() {
        // A terminal whose size was never set says 0, as many pseudo-terminals do.
        return terminal.columns || 80;
      },
      write: (text) => terminal.write(text),
    };
  }
  const name = `${file.dev}:${file.ino}`;
  const backlog = backlogs.get(name) ?? { texts: [], waitMs: 1 };
  backlogs.set(name, backlog);
  const isPipe = process.platform !== "win32" && (file.isFIFO() || file.isSocket());
  let target: number | undefined;
  let isLost = false;
  const lose = (code: string) => {
    if (!isLost) onLost(code);
    isLost = true;
  };
  return {
    get stream() {
      return stream();
    },
    get isBehind() {
      return backlog.texts.length > 0;
    },
    write(text) {
      if (isLost) return;
      target ??= isPipe ? withoutBlocking(descriptor, stream) : descriptor;
      backlog.texts.push({ descriptor: target, rest: Buffer.from(text), onLost: lose });
      if (backlog.texts.length === 1) writeOut(backlog);
    },
  };
}

/**
 * Returns a descriptor of a pipe whose writes fail instead of waiting for a reader. Linux opens a second one, so that programs
 * that share the first aren't affected. Elsewhere, and for sockets, Node's stream sets the first.
 */
function withoutBlocking(descriptor: 1 | 2, stream: () => NodeJS.WriteStream): number {
  try {
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    stream();
    return descriptor;
  }
}
