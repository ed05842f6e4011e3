/** Runs a command in the foreground, as a shell would: its own streams, its signals, its exit code. */
import { execFileSync, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { isatty } from "node:tty";

// Windows starts .cmd files, such as npm's and our own, by cmd alone, and every word has to be quoted for it.
import spawn from "cross-spawn";

import { printable } from "../../terminal/escape.js";
import { systemErrorCode } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { statFields } from "../../state/locks/process-identity.js";
import type { Context, EndingSignal } from "../../toolkit/context.js";

/** How long what the command has started may take to end after it, and how often that is looked at. */
const [orphansMs, lookMs] = [3_000, 20];

/**
 * A signal goes to the command alone, which may have its own way of ending. What it has left behind then gets the signal
 * too: a shell that dies of it leaves the program that it waited for.
 *
 * @returns its exit code; 128 and the signal's number where a signal ended it; 127 not found, 126 not executable
 * @throws {Error} with the system's `code` where it can't be started for a reason that a shell has no code for
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
  const left = new Map<string, { readonly pid: number; readonly name: EndingSignal }>();
  // Listened for before the command runs: a signal that comes as it starts is handed on too, and doesn't end comanda alone.
  const ignore = onSignal((name) => {
    // A terminal gives Ctrl-C and Ctrl-\\ to the whole foreground; a second one makes many programs give up at once.
    const comesByItself = atTerminal && (name === "SIGINT" || name === "SIGQUIT");
    if (comesByItself || child?.pid === undefined) return;
    for (const { key, pid } of below(child.pid, processes(host.platform))) left.set(key, { pid, name });
    child.kill(name);
  });
  try {
    child = spawn(command, args, { env, stdio });
    const code = await exitCodeOf(child, (failure) => {
      const isMissing = failure === 126 && host.platform !== "win32" && !isThere(command, env["PATH"] ?? "");
      const failed = isMissing ? 127 : failure;
      stderr.write(`comanda: ${printable(command)} ${failed === 127 ? t`is not found` : t`can't be run`}.\n`);
      return failed;
    });
    if (left.size > 0) {
      const running = () => processes(host.platform).filter(({ key }) => left.has(key));
      for (const { key, pid } of running()) send(host, pid, left.get(key)?.name ?? "SIGTERM");
      for (let ms = 0; ms < orphansMs && running().length > 0; ms += lookMs) await clock.sleep(lookMs);
    }
    return code;
  } finally {
    ignore();
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
  /** Number and start: a number alone may be another process's by the next look. */
  readonly key: string;
}

/** Lists this machine's running processes. None on Windows, where no signal is handed on. */
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
      // It ended just now.
      return [];
    }
  });
}

/** The way of macOS and the BSDs. */
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

function below(pid: number, all: readonly RunningProcess[]): readonly RunningProcess[] {
  return all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid, all)]);
}

/** The system says of a command too that it may not be run where it may not look into a folder of PATH for it. */
function isThere(command: string, folders: string): boolean {
  return (
    command.includes("/") ||
    folders.split(path.delimiter).some((folder) => existsSync(path.resolve(folder, command)))
  );
}

/** @param onUnstartable gets the code for a command that can't be started, and gives the one that a shell has for it */
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
    child.on("exit", (code, ended) => {
      resolve(code ?? 128 + (ended === null ? 0 : constants.signals[ended]));
    });
  });
}
