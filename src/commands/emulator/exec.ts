/** `comanda emulator exec` runs a command against an emulator of its own. */
import { ComandaError, systemErrorCode } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { Exit, type Command } from "../../toolkit/command.js";
import type { Machine } from "../../toolkit/machine.js";

import { presentMatrix, type MatrixResult } from "./matrix.js";
import { emulatorOptions, faultHelp, parseSeedOptions, seedOptions, type SeedOptions } from "./options.js";
import { runChild } from "./run-child.js";

export interface ExecOptions extends SeedOptions {
  /** The command's name and arguments. */
  readonly words: readonly string[];
  /** Runs the command under each reading, too. */
  readonly matrix: boolean;
}

export const exec: Command<ExecOptions> = {
  description: {
    usage: "exec <command...>",
    summary: "run a command against an emulator of its own, with a store signed in",
    description:
      "The command runs with COMANDA_CONFIG_DIR, COMANDA_STORE and COMANDA_EMULATOR_URL set, and with this very " +
      "comanda on its path. The exit code is the command's own; nothing is left behind. This is how a script is " +
      "tested.\n\n" +
      "Options of the emulator's stand before the command; -- between the two does no harm. The store has tokens, an " +
      `API key and a partner key. With --no-limits comanda keeps to no rate limit either.\n\n` +
      "With --matrix the command runs again and again, each time against another service that keeps to the " +
      "specification: first the emulator as it is, then with each reading's other values. A table names the readings " +
      "that break the command, and the exit code is 0 only where every run's is. Where the command fails on the " +
      "emulator as it is, nothing else is run. What it prints is left out.\n\n" +
      faultHelp,
    runsProgram: true,
    options: [
      ...seedOptions,
      { flags: "--matrix", description: "run the command under every reading of the specification" },
    ],
    examples: [
      "emulator exec -- ./close-day.sh",
      "emulator exec --matrix -- ./close-day.sh",
      "emulator exec --seed 7 --fault status=503,path=/dispatch,times=2 -- sh -c 'comanda orders dispatch 1'",
    ],
  },

  parse(line) {
    if (line.words[0] === "") {
      throw new ComandaError("usage", t`The command has no name.`, {
        hint: t`For example: comanda emulator exec ./close-day.sh`,
      });
    }
    return { ...parseSeedOptions(line), words: line.words, matrix: line.flag("--matrix") };
  },

  /** @throws {Exit} with the exit code of the command */
  async run(machine, options) {
    // An interrupt waits for the command, and for the removal of its files.
    throw new Exit(
      await machine.context.critical.run(() =>
        options.matrix ? execMatrix(machine, options) : execInEmulator(machine, options),
      ),
    );
  },
};

/** @returns 0 where the command succeeds under all readings */
async function execMatrix(machine: Machine, options: ExecOptions): Promise<number> {
  const { output } = machine;
  const { deviations } = await import("../../emulator/readings.js");
  const readingsOfOption = options.readings === "random" ? {} : options.readings;
  const results: MatrixResult[] = [];
  for (const deviation of [undefined, ...deviations]) {
    const { reading = null, value = null } = deviation ?? {};
    output.status.show("bar", t`${results.length} of ${deviations.length + 1} runs`);
    const readings = { ...readingsOfOption, ...(deviation && { [deviation.reading]: deviation.value }) };
    const exitCode = await execInEmulator(machine, { ...options, readings }, "ignore");
    results.push({ reading, value, exit_code: exitCode, ok: exitCode === 0 });
    // A command that fails here fails under every reading, and would hide the one that breaks it.
    if (reading === null && exitCode !== 0) break;
  }
  output.status.show("bar", undefined);
  await presentMatrix(results, output);
  return results.every(({ ok }) => ok) ? 0 : 1;
}

/** @returns the exit code of the command */
async function execInEmulator(
  machine: Machine,
  options: ExecOptions,
  stdio: "inherit" | "ignore" = "inherit",
): Promise<number> {
  const { context } = machine;
  const { startEmulator } = await import("../../emulator/index.js");
  const { makeScratchMachine } = await import("./scratch-machine.js");
  const emulator = await startEmulator({ ...(await emulatorOptions(machine, options)), port: 0 });
  try {
    const scratch = await makeScratchMachine(context, emulator, options.limits).catch((error: unknown) => {
      throw folderError(error);
    });
    try {
      return await runChild(options.words, scratch.env, context, stdio);
    } catch (error) {
      throw startError(error);
    } finally {
      scratch.remove();
    }
  } finally {
    await emulator.close();
  }
}

function folderError(error: unknown): unknown {
  if (error instanceof ComandaError && error.code === "state_unusable") {
    return new ComandaError("configuration", error.message, {
      hint: t`Choose another temporary folder with TMPDIR, which nobody else can write to.`,
      cause: error,
    });
  }
  const code = error instanceof ComandaError ? undefined : systemErrorCode(error);
  if (code === undefined) return error;
  return new ComandaError("configuration", t`The temporary folder can't be used: ${code}.`, {
    hint: t`Check that the folder of TMPDIR exists and can be written.`,
  });
}

function startError(error: unknown): unknown {
  const code = error instanceof ComandaError ? undefined : systemErrorCode(error);
  if (code === undefined) return error;
  return new ComandaError("invalid_input", t`The command can't be started: ${code}.`, {
    hint: t`Check the command's name and the length of its arguments.`,
  });
}
