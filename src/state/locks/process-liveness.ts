/** Whether a pid still stands for the process that it stood for. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

import { systemErrorCode } from "../../shared/errors.js";

/** What this layer needs to know of the process it runs in; Node's own `process` fits. */
export interface HostProcess {
  readonly pid: number;
  /** `linux`, `darwin`, `win32`, … */
  readonly platform: string;
  /** Of Node: `v20.18.1`. */
  readonly version?: string;
  /** `x64`, `arm64`, … */
  readonly arch?: string;
  /** Absent where files have no owner (Windows). */
  getuid?(): number;
  /** Signal 0 only asks whether the process exists. Throws `ESRCH` where it doesn't. */
  kill(pid: number, signal: 0 | "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT"): unknown;
}

/** `ps` tells whole seconds, and Node notes its start a moment after the system does. */
const startToleranceMs = 10_000;

/** Asking `ps` costs a process: while we wait for a lock, its answer serves for this long. */
const psAnswerMs = 500;

export interface Liveness {
  /** @param start as `ProcessIdentity` has it; `null` where only the pid is known */
  isRunning(pid: number, start: string | null): boolean;
}

export function createLiveness(host: HostProcess): Liveness {
  let asked: { pid: number; at: number; answer: string } | undefined;

  /** State and start of a process, in the words of `ps`; empty where it doesn't know it. */
  function ps(pid: number): string {
    const now = performance.now();
    if (asked?.pid !== pid || now - asked.at > psAnswerMs) asked = { pid, at: now, answer: askPs(pid) };
    return asked.answer;
  }

  return {
    isRunning(pid, start) {
      if (!hasPid(host, pid)) return false;
      if (host.platform === "win32") return true;
      if (host.platform === "linux") return sameTicks(pid, start) ?? hasPid(host, pid);
      return startedThen(ps(pid), start) ?? hasPid(host, pid);
    },
  };
}

function hasPid(host: HostProcess, pid: number): boolean {
  try {
    host.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and is someone else's.
    return systemErrorCode(error) !== "ESRCH";
  }
}

/** `undefined` where `/proc` doesn't tell: it is hidden, or the process ended just now. */
function sameTicks(pid: number, start: string | null): boolean | undefined {
  let fields: string[];
  try {
    fields = statFields(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return undefined;
  }
  const [state, threads, ticks] = [fields[3 - 3], fields[20 - 3], fields[22 - 3]];
  // A zombie's other threads may still be inside a system call; the last one takes the process along.
  if ((state === "Z" || state === "X") && !(Number(threads) > 1)) return false;
  return start === null || ticks === start;
}

function askPs(pid: number): string {
  try {
    return execFileSync("/bin/ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "";
  }
}

/** The way of macOS and the BSDs. `undefined` where `ps` said nothing. */
function startedThen(answer: string, start: string | null): boolean | undefined {
  const [, state, started] = /^(\S+)\s+(.+)$/.exec(answer) ?? [];
  if (state === undefined || started === undefined) return undefined;
  if (state.startsWith("Z")) return false;
  const at = Date.parse(`${started} UTC`);
  if (start === null || Number.isNaN(at)) return true;
  return Math.abs(at - Number(start)) <= startToleranceMs;
}

/**
 * The fields of `/proc/<pid>/stat` from the third on (proc_pid_stat(5)): the state first, the number of threads as
 * field 20, the start time in clock ticks as field 22. The name in field 2 may hold anything, spaces and parentheses
 * too, so fields are counted from its end.
 */
export function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
