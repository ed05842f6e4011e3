/** What processes have cost the processor, where the machine tells it (Linux). */
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessorTime {
  readonly name: string;
  readonly parent: number;
  /** Seconds of its own. */
  readonly own: number;
  /** Seconds of those that it has started and that have ended, and of theirs. */
  readonly ended: number;
}

const ticksInSecond = 100;

/** @returns `undefined` for a process that isn't there, and where the machine doesn't tell */
export function processorTime(pid: number | "self"): ProcessorTime | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // proc_pid_stat(5): the name in brackets, which may hold anything, is the 2nd field.
  const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  const seconds = (number: number) => (field(number) + field(number + 1)) / ticksInSecond;
  return { name, parent: field(4), own: seconds(14), ended: seconds(16) };
}

/** The processes that a process has started, with those that these have, as far as they are running. */
export function startedProcesses(pid: number): readonly ProcessorTime[] {
  const all = new Map<number, ProcessorTime>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const found = processorTime(Number(name));
    if (found) all.set(Number(name), found);
  }
  const below = (parent: number): ProcessorTime[] =>
    [...all].flatMap(([child, found]) => (found.parent === parent ? [found, ...below(child)] : []));
  return below(pid);
}
