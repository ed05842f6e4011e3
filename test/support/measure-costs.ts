/** Set up for every test file: what it costs the processor, for `npm run test:costs`. */
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";

import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Of a test file. */
    costs?: Costs;
  }
}

/** Seconds of the processor. */
export interface Costs {
  /** Of the tests' own process: the first file of a worker pays for what all of them load. */
  readonly own: number;
  /** Of the processes that it has started and that have ended; where the machine tells it, 0 elsewhere. */
  readonly started: number;
}

/** Linux: ticks of a hundredth of a second. */
const statistics = "/proc/self/stat";

function used(): Costs {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, started: ofStartedProcesses() };
}

function ofStartedProcesses(): number {
  if (!existsSync(statistics)) return 0;
  const text = readFileSync(statistics, "utf8");
  // proc_pid_stat(5): the name in brackets may hold anything; cutime and cstime are the 16th and 17th.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

const before = used();

afterAll(({}, { file }) => {
  const after = used();
  file.meta.costs = { own: after.own - before.own, started: after.started - before.started };
});
