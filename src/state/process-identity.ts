/**
 * Who holds a lock, told apart from every other process that ever had the same pid: pid, start time, boot, pid
 * namespace, host.
 */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import os from "node:os";
import { performance } from "node:perf_hooks";

import * as z from "zod/mini";

import type { HostProcess } from "./host-process.js";
import { statFields } from "./proc-stat.js";
import { createLiveness } from "./process-liveness.js";

export const processIdentitySchema = z.object({
  pid: z.int(),
  /** Linux: clock ticks since boot. Elsewhere: milliseconds since the epoch. `null` where it isn't known. */
  start: z.nullable(z.string()),
  /** Linux alone: changes with each boot. */
  boot: z.nullable(z.string()),
  /** Linux alone: a pid means nothing in another namespace (a container, for example). */
  pid_namespace: z.nullable(z.string()),
  host: z.string(),
});
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** A lock whose holder can't be asked after (another host, another container) counts as left behind after this. */
export const foreignLockMs = 10 * 60_000;

export interface ProcessTable {
  /** This process. Read once, when it is first asked for. */
  self(): ProcessIdentity;
  /** A short mark of this machine, boot and pid namespace: pids compare only within it. */
  tag(): string;
  /** Whether a process of this machine, boot and namespace has the pid. */
  exists(pid: number): boolean;
  /**
   * Whether the process is still there, stopped or not. One that ended but was not yet waited for (a zombie) isn't.
   * One on another host or in another pid namespace can't be judged: it counts as gone when what it left is older than
   * {@link foreignLockMs}.
   *
   * @param leftAt when it wrote what it left behind, by the file system's clock (milliseconds since the epoch)
   */
  isAlive(identity: ProcessIdentity, leftAt: number): boolean;
}

export function createProcessTable(host: HostProcess): ProcessTable {
  let cached: ProcessIdentity | undefined;
  let cachedTag: string | undefined;
  const liveness = createLiveness(host);

  function self() {
    cached ??= { pid: host.pid, host: os.hostname(), ...(host.platform === "linux" ? linux() : elsewhere()) };
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
    isAlive(identity, leftAt) {
      const here = self();
      if (identity.host === here.host) {
        const comparable = identity.boot === here.boot && identity.pid_namespace === here.pid_namespace;
        // Where there is no boot id, or another's, what is older than this boot was left by an earlier one.
        const beforeBoot = leftAt < Date.now() - os.uptime() * 1000;
        if (comparable && identity.boot !== null) return isRunning(identity);
        if (beforeBoot) return false;
        if (comparable) return isRunning(identity);
      }
      // A file from the future means that a clock was wrong: it must not lock up for good.
      return Math.abs(Date.now() - leftAt) <= foreignLockMs;
    },
  };
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

/** `null` where `/proc` isn't there or hides it. */
function readOr<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
