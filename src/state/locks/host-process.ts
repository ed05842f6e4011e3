/** The process that comanda runs in, and whether another one of its machine runs. */
import { readFileSync } from "node:fs";

import { systemErrorCode } from "../../shared/errors.js";

/** What is asked of the process; Node's own `process` fits. */
export interface HostProcess {
  readonly pid: number;
  /** `linux`, `darwin`, `win32`, … */
  readonly platform: string;
  /** The version of Node: `v20.18.1`. */
  readonly version?: string;
  /** `x64`, `arm64`, … */
  readonly arch?: string;
  /** Absent where files have no owner (Windows). */
  getuid?(): number;
  /** Signal 0 only asks whether the process exists. Throws `ESRCH` where it doesn't. */
  kill(pid: number, signal: 0 | "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT"): unknown;
}

/** A stopped process runs. One that ended and was not yet waited for (a zombie) runs no more. */
export function isRunning(host: HostProcess, pid: number): boolean {
  try {
    host.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and is someone else's.
    if (systemErrorCode(error) === "ESRCH") return false;
  }
  return host.platform !== "linux" || !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    const [state, threads] = [3, 20].map(
      (field) => statFields(readFileSync(`/proc/${pid}/stat`, "latin1"))[field - 3],
    );
    // Its other threads may still be inside a system call; the last one takes the process along.
    return (state === "Z" || state === "X") && !(Number(threads) > 1);
  } catch {
    // `/proc` is hidden, or it has ended just now.
    return false;
  }
}

/**
 * The fields of `/proc/<pid>/stat` from the third on (proc_pid_stat(5)): the state first, the number of threads as
 * field 20, the start time in clock ticks as field 22. The name in field 2 may hold anything, spaces and parentheses
 * too, so fields are counted from its end.
 */
export function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
