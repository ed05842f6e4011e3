/** Runs a command in the foreground as a shell would, with this program's streams, its signals and its exit code. */
import { execFileSync, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { isatty } from "node:tty";

// Windows starts .cmd files, such as npm's and comanda's, only by cmd, and every word has to be quoted for it.
import spawn from "cross-spawn";

import { printable } from "../../terminal/escape.js";
import { systemErrorCode } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Context, EndingSignal } from "../../toolkit/context.js";

/** Processes that the command has started may end so long after it; this is checked so often. */
const [orphansMs, checkMs] = [3_000, 20];

/**
 * A signal goes first to the command alone, which may end in its own way. Processes that it leaves behind get the signal,
 * too: a shell that dies of it leaves the program that it waited for.
 *
 * @returns the command's exit code; 128 and the signal's number where a signal ended it; 127 not found, 126 not executable
 * @throws {Error} with the system's `code` where the command can't be started for a reason that a shell has no code for
 */
export async function runChild(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  {
    signal,
    onSignal,
    stderr,
    clock,
    host,
  }: Pick<Context, "signal" | "onSignal" | "stderr" | "clock" | "host">,
  stdio: "inherit" | "ignore" = "inherit",
): Promise<number> {
  signal.throwIfAborted();
  const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  let child: ChildProcess | undefined;
  const descendants = new Map<string, { readonly pid: number; readonly name: EndingSignal }>();
  // The listener is there before the command starts, so that a signal at that moment doesn't end comanda alone.
  const stopListening = onSignal((name) => {
    // A terminal sends Ctrl-C and Ctrl-\\ to the whole foreground, and a second signal makes many programs give up at once.
    const sentByTerminal = atTerminal && (name === "SIGINT" || name === "SIGQUIT");
    if (sentByTerminal || child?.pid === undefined) return;
    for (const { key, pid } of descendantsOf(child.pid, processes(host.platform)))
      descendants.set(key, { pid, name });
    child.kill(name);
  });
  try {
    child = spawn(command, args, { env, stdio });
    const code = await exitCodeOf(child, (failure) => {
      const isMissing = failure === 126 && host.platform !== "win32" && !isThere(command, env["PATH"] ?? "");
      const exitCode = isMissing ? 127 : failure;
      stderr.write(
        `comanda: ${printable(command)} ${exitCode === 127 ? t`is not found` : t`can't be run`}.\n`,
      );
      return exitCode;
    });
    if (descendants.size > 0) {
      const running = () => processes(host.platform).filter(({ key }) => descendants.has(key));
      for (const { key, pid } of running()) send(host, pid, descendants.get(key)?.name ?? "SIGTERM");
      for (let ms = 0; ms < orphansMs && running().length > 0; ms += checkMs) await clock.sleep(checkMs);
    }
    return code;
  } finally {
    stopListening();
  }
}

/** Sends a signal to a process that may have ended by now. */
function send(host: Context["host"], pid: number, name: EndingSignal): void {
  try {
    host.kill(pid, name);
  } catch (error) {
    if (systemErrorCode(error) !== "ESRCH") throw error;
  }
}

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** Number and start, since another process may have the number by the next check. */
  readonly key: string;
}

/** Windows hands no signals on, so its list is empty. */
function processes(platform: string): readonly RunningProcess[] {
  if (platform === "win32") return [];
  if (platform !== "linux") return fromPs();
  return readdirSync("/proc").flatMap((name) => {
    try {
      if (!/^\d+$/.test(name)) return [];
      const [state, parent, start] = [0, 1, 22 - 3].map(
        (field) => statFields(readFileSync(`/proc/${name}/stat`, "latin1"))[field],
      );
      return state === "Z"
        ? []
        : [{ pid: Number(name), parent: Number(parent), key: `${name} ${start ?? ""}` }];
    } catch {
      // The process has ended meanwhile.
      return [];
    }
  });
}

/**
 * The fields of `/proc/<pid>/stat` from the third on (proc_pid_stat(5)): the state first, the start time in clock ticks as
 * field 22. The name in field 2 may hold anything, spaces and parentheses too, so fields are counted from its end.
 */
function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** macOS and the BSDs have no /proc. */
function fromPs(): readonly RunningProcess[] {
  const lines = execFileSync("/bin/ps", ["-A", "-o", "pid=,ppid=,stat=,lstart="], { encoding: "utf8" }).split(
    "\n",
  );
  return lines.flatMap((line) => {
    const [, pid, parent, state, start] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state?.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), key: `${pid} ${start ?? ""}` }];
  });
}

function descendantsOf(pid: number, all: readonly RunningProcess[]): readonly RunningProcess[] {
  return all
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
}

/** The system gives the same error for a missing command where a folder of PATH can't be read. */
function isThere(command: string, folders: string): boolean {
  return (
    command.includes("/") ||
    folders.split(path.delimiter).some((folder) => existsSync(path.resolve(folder, command)))
  );
}

/** @param onUnstartable reports a command that can't be started, and gives the exit code */
function exitCodeOf(child: ChildProcess, onUnstartable: (code: number) => number): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      const code = { ENOENT: 127, EACCES: 126, ENOEXEC: 126, ENOTDIR: 126 }[error.code ?? ""];
      if (code === undefined) {
        reject(error);
        return;
      }
      resolve(onUnstartable(code));
    });
    child.on("exit", (code, signalName) => {
      resolve(code ?? 128 + (signalName === null ? 0 : constants.signals[signalName]));
    });
  });
}
