/** Which process this is, and what is known of its machine. */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";

import { isRunning, type HostProcess } from "./host-process.js";

export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Linux alone: changes with each boot. */
  readonly boot: string | null;
  /** Linux alone: a pid means nothing in another namespace (a container, for example). */
  readonly pid_namespace: string | null;
}

export interface ProcessTable {
  /** This process. Read once, when it is first asked for. */
  self(): ProcessIdentity;
  /** A short mark of this machine, boot and pid namespace: pids compare only within it. */
  tag(): string;
  /** Whether a process of this machine, boot and namespace has the pid. */
  exists(pid: number): boolean;
  /** The name of the user that this process runs as. `null` where the number has no name, as in many containers. */
  userName(): string | null;
}

export function createProcessTable(host: HostProcess): ProcessTable {
  let cached: ProcessIdentity | undefined;
  let cachedTag: string | undefined;

  function self(): ProcessIdentity {
    const isLinux = host.platform === "linux";
    cached ??= {
      pid: host.pid,
      host: hostname(),
      boot: isLinux ? readOr(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()) : null,
      pid_namespace: isLinux ? readOr(() => readlinkSync("/proc/self/ns/pid")) : null,
    };
    return cached;
  }

  return {
    self,
    tag() {
      if (cachedTag === undefined) {
        const { host: name, boot, pid_namespace } = self();
        const place = JSON.stringify([name, boot, pid_namespace]);
        cachedTag = createHash("sha256").update(place).digest("hex").slice(0, 8);
      }
      return cachedTag;
    },
    exists: (pid) => pid === host.pid || isRunning(host, pid),
    userName: () => readOr(() => userInfo().username),
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
