/**
 * Who holds a lock, told apart from every other process that ever had the same pid: pid, start time, boot, pid
 * namespace, host.
 */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, uptime, userInfo } from "node:os";
import { performance } from "node:perf_hooks";

import * as z from "zod/mini";

import { once } from "../../shared/once.js";
import { createLiveness, statFields, type HostProcess } from "./process-liveness.js";

export const processIdentitySchema = once(() =>
  z.object({
    pid: z.int(),
    /** Linux: clock ticks since boot. Elsewhere: milliseconds since the epoch. `null` where it isn't known. */
    start: z.nullable(z.string()),
    /** Linux alone: changes with each boot. */
    boot: z.nullable(z.string()),
    /** Linux alone: a pid means nothing in another namespace (a container, for example). */
    pid_namespace: z.nullable(z.string()),
    host: z.string(),
  }),
);
export type ProcessIdentity = z.infer<ReturnType<typeof processIdentitySchema>>;

/** Of a process on another host, in another container or before a restart nothing can be seen from here. */
export type ProcessState = "running" | "gone" | "out of sight";

export interface ProcessTable {
  /** This process. Read once, when it is first asked for. */
  self(): ProcessIdentity;
  /** A short mark of this machine, boot and pid namespace: pids compare only within it. */
  tag(): string;
  /** Whether a process of this machine, boot and namespace has the pid. */
  exists(pid: number): boolean;
  /**
   * A stopped process is running. One that ended but was not yet waited for (a zombie) is gone.
   *
   * @param leftAt when it wrote what it left behind, by the file system's clock (milliseconds since the epoch)
   */
  look(identity: ProcessIdentity, leftAt: number): ProcessState;
  /** How long this machine has been running, in milliseconds. */
  uptimeMs(): number;
  /** Of the user that this process runs as; `null` where no name stands for the number, as in many a container. */
  userName(): string | null;
}

export function createProcessTable(host: HostProcess): ProcessTable {
  let cached: ProcessIdentity | undefined;
  let cachedTag: string | undefined;
  const liveness = createLiveness(host);

  function self() {
    cached ??= { pid: host.pid, host: hostname(), ...(host.platform === "linux" ? linux() : elsewhere()) };
    return cached;
  }

  function isRunning({ pid, start }: ProcessIdentity) {
    return pid === host.pid ? start === self().start : liveness.isRunning(pid, start);
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
    exists: (pid) => pid === host.pid || liveness.isRunning(pid, null),
    look(identity, leftAt) {
      if (!isInSight(identity, self())) return "out of sight";
      // Without a boot id, what is older than this boot was left by an earlier one.
      if (identity.boot === null && leftAt < Date.now() - uptimeMs()) return "gone";
      return isRunning(identity) ? "running" : "gone";
    },
    uptimeMs,
    userName: () => readOr(() => userInfo().username),
  };
}

function uptimeMs(): number {
  return uptime() * 1000;
}

/** Do the pids of both mean the same processes? A machine may be given another host name while it runs. */
function isInSight(identity: ProcessIdentity, here: ProcessIdentity): boolean {
  if (identity.boot !== here.boot || identity.pid_namespace !== here.pid_namespace) return false;
  const oneKernel = here.boot !== null && here.pid_namespace !== null;
  return oneKernel || identity.host === here.host;
}

function linux(): Pick<ProcessIdentity, "start" | "boot" | "pid_namespace"> {
  return {
    start: readOr(() => statFields(readFileSync("/proc/self/stat", "latin1"))[22 - 3] ?? null),
    boot: readOr(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()),
    pid_namespace: readOr(() => readlinkSync("/proc/self/ns/pid")),
  };
}

function elsewhere(): Pick<ProcessIdentity, "start" | "boot" | "pid_namespace"> {
  return { start: String(Math.round(performance.timeOrigin)), boot: null, pid_namespace: null };
}

/** `null` where the system doesn't tell, as where `/proc` isn't there or hides it. */
function readOr<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
