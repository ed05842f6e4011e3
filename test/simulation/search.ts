/** Looks for a world in which a promise is broken, and for the shortest story of it. */
import { cpuUsage } from "node:process";

import fc from "fast-check";

import { collectGarbage } from "../support/collect-garbage.js";
import { plans, type Plan } from "./plan.js";
import { play, tell } from "./simulate.js";
import type { Beginning } from "./beginning.js";

export interface SearchOptions {
  /** The search ends when so much time of the processor is used. */
  readonly cpuSeconds: number;
  /** Of the first worlds; others count up from it. */
  readonly seed: number;
  /** How many of them at most. */
  readonly seeds: number;
}

export interface Search {
  readonly worlds: number;
  readonly cpuSeconds: number;
  /** Troubles and faults that came about, each with the number of its worlds. */
  readonly met: ReadonlyMap<string, number>;
  readonly found?: { readonly seed: number; readonly plan: Plan; readonly story: string };
}

/** Worlds of one seed. */
const batch = 25;

/** So many seeds leave so many open files behind. */
const seedsOfCollection = 8;

export async function search(
  beginning: Beginning,
  { cpuSeconds, seed: firstSeed, seeds }: SearchOptions,
): Promise<Search> {
  const start = cpuUsage();
  const used = () => (cpuUsage(start).user + cpuUsage(start).system) / 1e6;
  const met = new Map<string, number>();
  let worlds = 0;
  const holds = fc.property(plans, (plan) => {
    const { world, broken } = play(beginning, plan);
    worlds += 1;
    for (const what of world.met) met.set(what, (met.get(what) ?? 0) + 1);
    return broken.length === 0;
  });
  for (let seed = firstSeed; seed < firstSeed + seeds && used() < cpuSeconds; seed += 1) {
    if ((seed - firstSeed) % seedsOfCollection === 0) await collectGarbage();
    const [plan] = fc.check(holds, { seed, numRuns: batch }).counterexample ?? [];
    if (plan) {
      const found = { seed, plan, story: tell(play(beginning, plan)) };
      return { worlds, cpuSeconds: used(), met, found };
    }
  }
  return { worlds, cpuSeconds: used(), met };
}
