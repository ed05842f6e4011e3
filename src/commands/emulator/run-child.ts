/** Runs a command in the foreground as a shell would, with this program's streams, its signals and its exit code. */
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { isatty } from "node:tty";

// Windows starts .cmd files, such as npm's and comanda's, only by cmd, and every word has to be quoted for it.
import spawn from "cross-spawn";

import { printable } from "../../cli/escape.js";
import { systemErrorCode } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { Context, EndingSignal } from "../../toolkit/context.js";

/**
 * A signal goes to the command alone, which may end in its own way. Without a terminal it leads a group of processes: what
 * it leaves behind gets the signal, too, such as the program that a shell has waited for.
 *
 * @returns the command's exit code; 128 and the signal's number where a signal ended it; 127 not found, 126 not executable
 * @throws {Error} with the system's `code` where the command can't be started for a reason that a shell has no code for
 */
export async function runChild(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  { signal, onSignal, stderr, host }: Pick<Context, "signal" | "onSignal" | "stderr" | "host">,
  stdio: "inherit" | "ignore" = "inherit",
): Promise<number> {
  signal.throwIfAborted();
  const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  const leadsGroup = !atTerminal && host.platform !== "win32";
  let child: ChildProcess | undefined;
  let sentSignal: EndingSignal | undefined;
  // The listener is there before the command starts, so that a signal at that moment doesn't end comanda alone.
  const stopListening = onSignal((name) => {
    // A terminal sends Ctrl-C and Ctrl-\\ to the whole foreground, and a second signal makes many programs give up at once.
    const sentByTerminal = atTerminal && (name === "SIGINT" || name === "SIGQUIT");
    if (sentByTerminal) return;
    sentSignal = name;
    child?.kill(name);
  });
  try {
    child = spawn(command, args, { env, stdio, detached: leadsGroup });
    const code = await exitCodeOf(child, (exitCode) => {
      const problem = exitCode === 127 ? t`is not found` : t`can't be run`;
      stderr.write(`comanda: ${printable(command)} ${problem}.\n`);
    });
    if (leadsGroup && sentSignal && child.pid !== undefined) sendToGroup(host, child.pid, sentSignal);
    return code;
  } finally {
    stopListening();
  }
}

/** Sends a signal to the processes that a group still has, if it has any. */
function sendToGroup(host: Context["host"], leader: number, name: EndingSignal): void {
  try {
    host.kill(-leader, name);
  } catch (error) {
    if (systemErrorCode(error) !== "ESRCH") throw error;
  }
}

/** @param onUnstartable reports a command that can't be started */
function exitCodeOf(child: ChildProcess, onUnstartable: (exitCode: number) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      const exitCode = { ENOENT: 127, EACCES: 126, ENOEXEC: 126, ENOTDIR: 126 }[error.code ?? ""];
      if (exitCode === undefined) {
        reject(error);
        return;
      }
      onUnstartable(exitCode);
      resolve(exitCode);
    });
    child.on("exit", (code, signalName) => {
      resolve(code ?? 128 + (signalName === null ? 0 : constants.signals[signalName]));
    });
  });
}
