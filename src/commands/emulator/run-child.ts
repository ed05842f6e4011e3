/** Runs a command in the foreground, as a shell would: its own streams, its signals, its exit code. */
import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { isatty } from "node:tty";

import { printable } from "../../terminal/escape.js";
import type { Context } from "../context.js";
import { t } from "../../shared/language.js";

/**
 * @returns its exit code; 128 and the signal's number where a signal ended it; 127 not found, 126 not executable
 * @throws {Error} with the system's `code` where it can't be started for a reason that a shell has no code for
 */
export async function runChild(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  { signal, onSignal, stderr }: Pick<Context, "signal" | "onSignal" | "stderr">,
): Promise<number> {
  signal.throwIfAborted();
  const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  let child: ChildProcess | undefined;
  // Listened for before the command runs: a signal that comes as it starts is handed on too, and doesn't end comanda alone.
  const ignore = onSignal((name) => {
    // A terminal gives Ctrl-C and Ctrl-\\ to the whole foreground; a second one makes many programs give up at once.
    const comesByItself = atTerminal && (name === "SIGINT" || name === "SIGQUIT");
    if (!comesByItself) child?.kill(name);
  });
  try {
    child = spawn(command, args, { env, stdio: "inherit" });
    return await exitCodeOf(child, (code) => {
      stderr.write(`comanda: ${printable(command)} ${code === 127 ? t`is not found` : t`can't be run`}.\n`);
    });
  } finally {
    ignore();
  }
}

/** @param onUnstartable told of the code that a shell has for a command that can't be started */
function exitCodeOf(child: ChildProcess, onUnstartable: (code: number) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      const code = { ENOENT: 127, EACCES: 126, ENOEXEC: 126, ENOTDIR: 126 }[error.code ?? ""];
      if (code === undefined) {
        reject(error);
        return;
      }
      onUnstartable(code);
      resolve(code);
    });
    child.on("exit", (code, ended) => {
      resolve(code ?? 128 + (ended === null ? 0 : constants.signals[ended]));
    });
  });
}
