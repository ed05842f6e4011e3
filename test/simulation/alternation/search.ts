/** Looks for a world in which processes that take turns break a promise, and for the shortest story of it. */
import { cpuUsage } from "node:process";

import fc from "fast-check";

import type { SearchOptions } from "../search.js";
import { plansOf, subjects, type Plan, type Subject } from "./plan.js";
import { play, tell } from "./simulate.js";
import type { Threads } from "./threads.js";

export interface Search {
  readonly worlds: number;
  /** Of all threads. */
  readonly cpuSeconds: number;
  /** File calls, and what was waited for. */
  readonly steps: number;
  /** Troubles that came about. */
  readonly met: ReadonlySet<string>;
  readonly found?: {
    readonly subject: Subject;
    readonly seed: number;
    readonly plan: Plan;
    readonly story: string;
  };
}

export interface AlternationSearchOptions extends SearchOptions {
  /** Worlds of one seed and subject. */
  readonly batch: number;
}

const names = Object.keys(subjects) as readonly Subject[];

export function search(
  threads: Threads,
  { cpuSeconds, seed: firstSeed, seeds, batch }: AlternationSearchOptions,
): Search {
  const start = cpuUsage();
  const used = () => (cpuUsage(start).user + cpuUsage(start).system) / 1e6;
  const met = new Set<string>();
  let [worlds, steps] = [0, 0];
  const holds = (plan: Plan) => {
    const { machine, broken } = play(threads, plan);
    worlds += 1;
    for (const process of machine.processes) steps += process.steps;
    for (const what of machine.met) met.add(what);
    return broken.length === 0;
  };
  for (let seed = firstSeed; seed < firstSeed + seeds && used() < cpuSeconds; seed += 1)
    for (const subject of names) {
      const property = fc.property(plansOf(subject), holds);
      const [plan] = fc.check(property, { seed, numRuns: batch }).counterexample ?? [];
      if (!plan) continue;
      const found = { subject, seed, plan, story: tell(play(threads, plan)) };
      return { worlds, cpuSeconds: used(), steps, met, found };
    }
  return { worlds, cpuSeconds: used(), steps, met };
}
