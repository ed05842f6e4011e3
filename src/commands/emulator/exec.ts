/** `comanda emulator exec` runs a command against an emulator of its own. */
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { isatty } from "node:tty";

// Windows starts .cmd files, such as npm's and comanda's, only by cmd, and every word has to be quoted for it.
import spawn from "cross-spawn";

import type { Column } from "../../cli/column.js";
import { Exit, type Command } from "../../cli/command.js";
import type { Context, EndingSignal } from "../../cli/context.js";
import { printable } from "../../cli/escape.js";
import { ComandaError, systemErrorCode } from "../../client/errors.js";
import type { EmulatorOptions } from "../../emulator/index.js";
import { deviations, type ReadingValue } from "../../emulator/readings.js";
import { t } from "../../languages/language.js";

import { addSeedOptions, emulatorOptions, faultHelp, type SeedOptions } from "./options.js";
import { makeScratchMachine } from "./scratch-machine.js";

interface ExecOptions extends SeedOptions {
  /** Runs the command under each reading, too. */
  readonly matrix?: boolean;
  /** Lets what the command prints through, under each reading. */
  readonly show?: boolean;
}

export function exec(command: Command): void {
  addSeedOptions(command)
    .about(
      "run a command against an emulator of its own, with a store signed in",
      "The command runs with COMANDA_CONFIG_DIR, COMANDA_STORE and COMANDA_EMULATOR_URL set, and with this very " +
        "comanda on its path. The exit code is the command's own; nothing is left behind. This is how a script is " +
        "tested.",
      "Options of the emulator's stand before the command; -- between the two does no harm. The store has tokens, an " +
        "API key and a partner key. With --no-limits comanda keeps to no rate limit either.",
      "With --matrix the command runs again and again, each time against another service that keeps to the " +
        "specification: first the emulator as it is, then with each reading's other values. A table names the readings " +
        "that break the command, and the exit code is 0 only where every run's is. Where the command fails on the " +
        "emulator as it is, nothing else is run. What it prints is left out without --show.",
      faultHelp,
    )
    .arguments("<command...>")
    .runsProgram()
    .option("--matrix", "run the command under every reading of the specification")
    .option("--show", "with --matrix: let what the command prints through")
    .examples(
      "emulator exec -- ./close-day.sh",
      "emulator exec --matrix -- ./close-day.sh",
      "emulator exec --seed 7 --fault status=503,path=/dispatch,times=2 -- sh -c 'comanda orders dispatch 1'",
    )
    .does(run);
}

/** @throws {Exit} with the exit code of the command */
async function run(context: Context, options: ExecOptions, words: readonly string[]): Promise<void> {
  if (words[0] === "") {
    throw new ComandaError("usage", t`The command has no name.`, {
      hint: t`For example: comanda emulator exec ./close-day.sh`,
    });
  }
  const { matrix = false, show = false } = options;
  if (show && !matrix)
    throw new ComandaError("usage", t`--show goes with --matrix alone.`, { hint: t`Add --matrix.` });
  const seeded = await emulatorOptions(context, options);
  // An interrupt waits for the command, and for the removal of its files.
  const exitCode = await context.critical.run(() =>
    matrix ? runMatrix(context, seeded, words, show) : runInEmulator(context, seeded, words),
  );
  throw new Exit(exitCode);
}

/** One run of the command. */
interface MatrixResult {
  /** Null for the run without a reading. */
  readonly reading: string | null;
  readonly value: ReadingValue | null;
  readonly exit_code: number;
  readonly ok: boolean;
}

const columns: readonly Column<MatrixResult>[] = [
  { heading: "Reading", cell: ({ reading }) => reading ?? "default", isWord: true },
  { heading: "Value", cell: ({ value }) => value },
  { heading: "Exit code", align: "right", cell: ({ exit_code: code }) => code },
];

/** @returns 0 where the command succeeds under all readings */
async function runMatrix(
  context: Context,
  options: EmulatorOptions,
  words: readonly string[],
  show: boolean,
): Promise<number> {
  const { output } = context;
  const given = options.readings === "random" ? {} : options.readings;
  const results: MatrixResult[] = [];
  for (const deviation of [undefined, ...deviations]) {
    const { reading = null, value = null } = deviation ?? {};
    if (show) output.notice(reading === null ? t`The emulator as it is:` : `${reading}=${String(value)}:`);
    else output.status.show("bar", t`${results.length} of ${deviations.length + 1} runs`);
    const readings = { ...given, ...(deviation && { [deviation.reading]: deviation.value }) };
    const stdio = show ? "inherit" : "ignore";
    const exitCode = await runInEmulator(context, { ...options, readings }, words, stdio);
    results.push({ reading, value, exit_code: exitCode, ok: exitCode === 0 });
    // A command that fails here fails under every reading, and would hide the one that breaks it.
    if (reading === null && exitCode !== 0) break;
  }
  output.status.show("bar", undefined);
  const failures = results.filter(({ ok }) => !ok);
  // Programs get all results, people those that break the command.
  if (output.json) output.value(results);
  else {
    if (failures.length > 0) await output.records(columns, failures);
    output.sentence(t`Runs: ${results.length}, failed: ${failures.length}.`);
    if (results[0]?.ok === false)
      output.warn(t`the command fails without a reading already: mend that first`);
    else if (failures.length > 0)
      output.notice(t`To see one fail, give --reading with its name=value in the place of --matrix.`);
  }
  return failures.length === 0 ? 0 : 1;
}

/** @returns the exit code of the command */
async function runInEmulator(
  context: Context,
  options: EmulatorOptions,
  words: readonly string[],
  stdio: "inherit" | "ignore" = "inherit",
): Promise<number> {
  const { startEmulator } = await import("../../emulator/index.js");
  const emulator = await startEmulator(options);
  try {
    const scratch = await makeScratchMachine(context, emulator, options.rateLimits ?? true);
    try {
      return await runChild(words, scratch.env, context, stdio);
    } finally {
      scratch.remove();
    }
  } finally {
    await emulator.close();
  }
}

/**
 * Runs a command in the foreground as a shell would, with this program's streams, its signals and its exit code. A signal
 * goes to the command alone, which may end in its own way. Without a terminal it leads a group of processes: what it leaves
 * behind gets the signal, too, such as the program that a shell has waited for.
 *
 * @returns the command's exit code; 128 and the signal's number where a signal ended it; 127 not found, 126 not executable
 * @throws {ComandaError} `invalid_input` where the command can't be started for a reason that a shell has no code for
 */
async function runChild(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  { signal, onSignal, stderr, host }: Context,
  stdio: "inherit" | "ignore",
): Promise<number> {
  signal.throwIfAborted();
  const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  const leadsGroup = !atTerminal && host.platform !== "win32";
  let child: ChildProcess | undefined;
  let sentSignal: EndingSignal | undefined;
  // The listener is there before the command starts, so that a signal at that moment doesn't end comanda alone.
  const stopListening = onSignal((name) => {
    // A terminal sends Ctrl-C and Ctrl-\\ to the whole foreground, and a second signal makes many programs give up at once.
    if (atTerminal && (name === "SIGINT" || name === "SIGQUIT")) return;
    sentSignal = name;
    child?.kill(name);
  });
  try {
    child = spawn(command, args, { env, stdio, detached: leadsGroup });
    const started = child;
    const code = await new Promise<number>((resolve, reject) => {
      started.on("error", (error: NodeJS.ErrnoException) => {
        const exitCode = { ENOENT: 127, EACCES: 126, ENOEXEC: 126, ENOTDIR: 126 }[error.code ?? ""];
        if (exitCode === undefined) reject(error);
        else {
          const problem = exitCode === 127 ? t`is not found` : t`can't be run`;
          stderr.write(`comanda: ${printable(command)} ${problem}.\n`);
          resolve(exitCode);
        }
      });
      started.on("exit", (exitCode, signalName) => {
        resolve(exitCode ?? 128 + (signalName === null ? 0 : constants.signals[signalName]));
      });
    });
    if (leadsGroup && sentSignal && child.pid !== undefined) killGroup(host, child.pid, sentSignal);
    return code;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new ComandaError("invalid_input", t`The command can't be started: ${code}.`, {
      hint: t`Check the command's name and the length of its arguments.`,
    });
  } finally {
    stopListening();
  }
}

/** Sends a signal to the processes that a group still has, if it has any. */
function killGroup(host: Context["host"], leader: number, name: EndingSignal): void {
  try {
    host.kill(-leader, name);
  } catch (error) {
    if (systemErrorCode(error) !== "ESRCH") throw error;
  }
}
