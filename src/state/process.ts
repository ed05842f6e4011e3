/** Which process this is, on which machine, and whether another one of that machine still runs. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

import { once } from "../api/basics.js";
import { systemErrorCode } from "../client/errors.js";

/** A number of a process means something only in its table. */
export const thisProcess = once(() => {
  const boot = readOr("", () => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
  const namespace = readOr("", () => readlinkSync("/proc/self/ns/pid"));
  const host = hostname();
  /** Which start of the machine, and which of its tables of processes. */
  const table = boot === "" ? host : `${boot} ${namespace}`;
  return { host, pid: process.pid, start: startOf(process.pid) ?? null, table };
});

/** @returns `undefined` where no process has that number, `null` where the system doesn't say when it started */
export function startOf(pid: number): string | null | undefined {
  const status = readOr("", () => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The name of the program, in brackets, may hold anything (proc_pid_stat(5)).
  const [state, ...fields] = status.slice(status.lastIndexOf(")") + 2).split(" ");
  if (status !== "") return state === "Z" || state === "X" ? undefined : (fields[18] ?? null);
  try {
    process.kill(pid, 0);
    return null;
  } catch (error) {
    // EPERM: it exists and is someone else's.
    return systemErrorCode(error) === "ESRCH" ? undefined : null;
  }
}

function readOr(otherwise: string, read: () => string): string {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
