/** Set up for every test file: what it costs the processor, for `npm run test:costs`. */
import process from "node:process";

import { afterAll } from "vitest";

import { processorTime } from "./processor-time.js";

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

function used(): Costs {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, started: processorTime("self")?.ended ?? 0 };
}

const before = used();

afterAll(({}, { file }) => {
  const after = used();
  file.meta.costs = { own: after.own - before.own, started: after.started - before.started };
});
