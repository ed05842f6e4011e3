import type { Command } from "commander";

import type { LogEntry } from "../../emulator/index.js";
import { ComandaError, systemErrorCode } from "../../shared/errors.js";
import type { Context } from "../context.js";
import { Exit } from "../exit.js";
import { leaf, perform } from "../leaf.js";
import { addSeedOptions, readFaults, tellDefects, type SeedOptions } from "./options.js";

export function execEmulatorCommand(context: Context): Command {
  const command = leaf({
    usage: "exec <command...>",
    summary: "run a command against an emulator of its own, with a store signed in",
    description:
      "The command runs with COMANDA_CONFIG_DIR, COMANDA_STORE and COMANDA_EMULATOR_URL set, and with this very " +
      "comanda on its path. The exit code is the command's own; nothing is left behind. This is how a script is " +
      "tested.\n\n" +
      "Options of the emulator's stand before the command; -- between the two does no harm. The store has tokens, an " +
      "API key and a partner key. With --no-limits comanda keeps to no rate limit either.",
    runsAnother: true,
    examples: [
      "emulator exec -- ./close-day.sh",
      "emulator exec --seed 7 --fault status=503,path=/dispatch,times=2 -- sh -c 'comanda orders dispatch 1'",
    ],
  });
  addSeedOptions(command);
  return perform(command, context, async ({ output }, words) => {
    // An interrupt waits for the command, and for the tidying up after it.
    throw new Exit(
      await context.critical.run(() =>
        execInEmulator(context, words, { ...command.opts<SeedOptions>(), onDefect: tellDefects(output) }),
      ),
    );
  });
}

/** @returns the exit code of the command */
async function execInEmulator(
  context: Context,
  words: readonly string[],
  {
    orders,
    seed,
    fault = [],
    limits,
    onDefect,
  }: SeedOptions & { readonly onDefect: (entry: LogEntry) => void },
): Promise<number> {
  if (words[0] === "")
    throw new ComandaError("usage", "The command has no name.", {
      hint: "For example: comanda emulator exec ./close-day.sh",
    });
  const [{ parseFault, signInStore, startEmulator }, { makeScratchMachine }, { runChild }] =
    await Promise.all([
      import("../../emulator/index.js"),
      import("./scratch-machine.js"),
      import("./run-child.js"),
    ]);
  const emulator = await startEmulator({
    port: 0,
    orders,
    seed,
    faults: readFaults(fault, parseFault),
    rateLimits: limits,
    onDefect,
  });
  try {
    const machine = await makeScratchMachine(context, emulator, {
      signedIn: signInStore(emulator.service),
      rateLimits: limits,
    }).catch((error: unknown) => {
      throw unusableFolder(error);
    });
    try {
      return await runChild(words, machine.env, context);
    } catch (error) {
      throw unstartable(error);
    } finally {
      machine.remove();
    }
  } finally {
    await emulator.close();
  }
}

function unusableFolder(error: unknown): unknown {
  if (error instanceof ComandaError && error.code === "state_unusable") {
    return new ComandaError("configuration", error.message, {
      hint: "Set TMPDIR to a folder that no other user can write to.",
    });
  }
  const code = error instanceof ComandaError ? undefined : systemErrorCode(error);
  if (code === undefined) return error;
  return new ComandaError("configuration", `The temporary folder can't be used: ${code}.`, {
    hint: "Check that the folder of TMPDIR exists and can be written.",
  });
}

function unstartable(error: unknown): unknown {
  const code = error instanceof ComandaError ? undefined : systemErrorCode(error);
  if (code === undefined) return error;
  return new ComandaError("invalid_input", `The command can't be started: ${code}.`, {
    hint: "Check the command's name and the length of its arguments.",
  });
}
