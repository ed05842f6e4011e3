/** The process that comanda runs in, what is known of its machine, and whether another one there runs. */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";

import { systemErrorCode } from "../../client/errors.js";
import { once } from "../../api/once.js";

/** The process, as far as comanda uses it; Node's own `process` fits. */
export interface HostProcess {
  readonly pid: number;
  /** `linux`, `darwin`, `win32`, … */
  readonly platform: string;
  /** The version of Node: `v20.18.1`. */
  readonly version?: string;
  /** `x64`, `arm64`, … */
  readonly arch?: string;
  /** It is absent where files have no owner (Windows). */
  getuid?(): number;
  /** Signal 0 only asks whether the process exists. Throws `ESRCH` where it doesn't. */
  kill(pid: number, signal: 0 | "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT"): unknown;
}

/** A process id means something only in its place. */
export interface ProcessPlace {
  readonly host: string;
  /** Linux alone: changes with each boot. */
  readonly boot: string | null;
  /** Linux alone: a pid means nothing in another namespace (a container, for example). */
  readonly pid_namespace: string | null;
}

export interface ProcessTable {
  /** This process. Read once, when it is first asked for. */
  self(): ProcessPlace & { readonly pid: number };
  /** A short mark of this machine, boot and pid namespace: pids compare only within it. */
  tag(): string;
  /** Whether a process of this machine, boot and namespace has the pid. */
  exists(pid: number): boolean;
  /** The name of the user that this process runs as. `null` where the number has no name, as in many containers. */
  userName(): string | null;
}

export function createProcessTable(host: HostProcess): ProcessTable {
  const self = once(() => ({ pid: host.pid, ...readPlace(host) }));
  return {
    self,
    tag: once(() => {
      const { host: name, boot, pid_namespace } = self();
      const place = JSON.stringify([name, boot, pid_namespace]);
      return createHash("sha256").update(place).digest("hex").slice(0, 8);
    }),
    exists: (pid) => pid === host.pid || isRunning(host, pid),
    userName: () => readOr(() => userInfo().username),
  };
}

function readPlace({ platform }: HostProcess): ProcessPlace {
  const isLinux = platform === "linux";
  return {
    host: hostname(),
    boot: isLinux ? readOr(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()) : null,
    pid_namespace: isLinux ? readOr(() => readlinkSync("/proc/self/ns/pid")) : null,
  };
}

/** `null` where the system doesn't tell, as where `/proc` isn't there or hides it. */
function readOr<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function isRunning(host: HostProcess, pid: number): boolean {
  try {
    host.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and is someone else's.
    return systemErrorCode(error) !== "ESRCH";
  }
}
