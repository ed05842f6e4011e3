/** `comanda emulator exec`: runs a command against an emulator of its own. */
import { ComandaError, systemErrorCode } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { Exit, type Command } from "../../toolkit/command.js";
import type { Machine } from "../../toolkit/machine.js";

import { faultHelp, parseSeedOptions, seedOptions, tellDefects, type SeedOptions } from "./options.js";
import { runChild } from "./run-child.js";
import { makeScratchMachine } from "./scratch-machine.js";

export interface ExecOptions extends SeedOptions {
  /** The command's name and arguments. */
  readonly words: readonly string[];
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
      `API key and a partner key. With --no-limits comanda keeps to no rate limit either.\n\n${faultHelp}`,
    runsAnother: true,
    options: seedOptions,
    examples: [
      "emulator exec -- ./close-day.sh",
      "emulator exec --seed 7 --fault status=503,path=/dispatch,times=2 -- sh -c 'comanda orders dispatch 1'",
    ],
  },

  parse(line) {
    if (line.words[0] === "") {
      throw new ComandaError("usage", t`The command has no name.`, {
        hint: t`For example: comanda emulator exec ./close-day.sh`,
      });
    }
    return { ...parseSeedOptions(line), words: line.words };
  },

  /** @throws {Exit} with the exit code of the command */
  async run(machine, options) {
    // An interrupt waits for the command, and for the tidying up after it.
    throw new Exit(await machine.context.critical.run(() => execInEmulator(machine, options)));
  },
};

/** @returns the exit code of the command */
async function execInEmulator(
  machine: Machine,
  { words, scene, orders, seed, faults, limits }: ExecOptions,
): Promise<number> {
  const { context, output } = machine;
  const { signInStore, startEmulator } = await import("../../emulator/index.js");
  const emulator = await startEmulator({
    port: 0,
    scene,
    orders,
    seed,
    faults,
    rateLimits: limits,
    onDefect: tellDefects(output),
  });
  try {
    const scratch = await makeScratchMachine(context, emulator, {
      signedIn: signInStore(emulator.service),
      rateLimits: limits,
    }).catch((error: unknown) => {
      throw unusableFolder(error);
    });
    try {
      return await runChild(words, scratch.env, context);
    } catch (error) {
      throw unstartable(error);
    } finally {
      scratch.remove();
    }
  } finally {
    await emulator.close();
  }
}

function unusableFolder(error: unknown): unknown {
  if (error instanceof ComandaError && error.code === "state_unusable") {
    return new ComandaError("configuration", error.message, {
      ...(error.hint !== undefined && { hint: error.hint }),
      cause: error,
    });
  }
  const code = error instanceof ComandaError ? undefined : systemErrorCode(error);
  if (code === undefined) return error;
  return new ComandaError("configuration", t`The temporary folder can't be used: ${code}.`, {
    hint: t`Check that the folder of TMPDIR exists and can be written.`,
  });
}

function unstartable(error: unknown): unknown {
  const code = error instanceof ComandaError ? undefined : systemErrorCode(error);
  if (code === undefined) return error;
  return new ComandaError("invalid_input", t`The command can't be started: ${code}.`, {
    hint: t`Check the command's name and the length of its arguments.`,
  });
}
