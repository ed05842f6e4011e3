/** Orders are altered between any two calls of `summary` and `grouped`. Answers that meet in one output agree. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";

import { groupedPlan, summaryPlan, type Plan } from "../../../src/sales/plan/plans.js";
import type { Comparison } from "../../../src/sales/period/comparison.js";
import {
  afterwards,
  asking,
  callsOver,
  counted,
  emptyKept,
  ordersOfDays,
  storeCases,
  told,
  tries,
} from "../support/oracle.js";
import { alter, alteration, differentDays, type Alteration } from "../support/restless.js";

const size = tries({ test: 8, search: 1_000, soak: 5_000 });
const runs = size.numRuns;
const { signal } = new AbortController();

const scenes = fc.record({
  given: storeCases({ dayStarts: ["00:00", "04:00"], days: 25, before: 20, orders: 24 }).filter(
    ({ zone }) => zone !== "Pacific/Apia",
  ),
  /** What was asked hours before, and is kept. */
  earlier: fc.array(fc.constantFrom("day", "status", "summary"), { maxLength: 2 }),
  before: fc.array(alteration, { maxLength: 2 }),
});
type Scene = typeof scenes extends fc.Arbitrary<infer Value> ? Value : never;

const many = fc.array(fc.option(alteration), { maxLength: 20 });
const always = fc.array(alteration, { minLength: 12, maxLength: 20 });
/** So long that days are shared with the week before. */
const longScenes = scenes.filter(
  ({ given: { from, to } }) => Temporal.PlainDate.from(from).until(to, { largestUnit: "day" }).days > 9,
);

interface Asked<Figures> {
  readonly plan: (now: number) => Plan<Figures>;
  readonly comparison?: Comparison;
}

/** @param afterCall the alteration that follows each answer, if one does */
async function ask<Figures>(
  { given, earlier, before }: Scene,
  { plan, comparison }: Asked<Figures>,
  afterCall: (calls: number) => Alteration | undefined,
) {
  const orders = [...given.orders];
  const kept = emptyKept();
  let now = afterwards(given) - 3 * 3_600_000;
  const open = (alterationAfter: typeof afterCall) => {
    let called = 0;
    return callsOver({ ...given, orders }, now, {
      ...{ kept, now: () => now, freshness: { kind: "usual", maxAgeMs: undefined } },
      onCalled: () => {
        now += 1_000;
        called += 1;
        const change = alterationAfter(called);
        if (change) alter(orders, change);
      },
    });
  };
  const asked = asking(given, { now: afterwards(given), comparison });
  for (const by of earlier) {
    const { calls } = open(() => undefined);
    await (by === "summary"
      ? calls.summary({ period: asked.current }, signal)
      : calls.grouped({ period: asked.current, dimension: by }, signal));
  }
  for (const change of before) alter(orders, change);
  now = afterwards(given);
  const { calls } = open(afterCall);
  const warnings: string[] = [];
  const warn = (message: string) => {
    warnings.push(message);
  };
  const figures = await plan(now).fetch({ ...calls, warn }, asked, signal);
  return { figures, warnings, orders };
}

const canceled = { plan: () => summaryPlan({ filters: [] }, true) };

test(`${runs} summaries of orders that change once are of before or of after, and so are their canceled ones`, async () => {
  await fc.assert(
    fc.asyncProperty(scenes, fc.nat(3), alteration, async (scene, after, change) => {
      const { figures, warnings, orders } = await ask(scene, canceled, (call) =>
        call === after ? change : undefined,
      );
      const { orders: unchanged } = await ask(scene, canceled, () => undefined);
      const { from, to } = scene.given;
      const right = [scene.given.orders, unchanged, orders].map((all) => {
        const ofPeriod = ordersOfDays(all, from, to, scene.given);
        return [counted(ofPeriod), counted(ofPeriod.filter(({ status }) => status === "canceled"))];
      });
      const { figures: whole, canceled: of } = figures.current;
      const answers = of ? right : right.map(([all]) => [all, null]);
      expect(answers).toContainEqual([told(whole), of && told(of)]);
      expect(warnings).toHaveLength(of ? 0 : 1);
    }),
    size,
  );
});

test(`${runs} summaries of orders that change at any call: what isn't known of the canceled is told`, async () => {
  let unknown = 0;
  await fc.assert(
    fc.asyncProperty(scenes, many, async (scene, alterations) => {
      const { figures, warnings } = await ask(scene, canceled, (call) => alterations[call - 1] ?? undefined);
      const isUnknown = figures.current.canceled === null;
      expect(warnings).toHaveLength(isUnknown ? 1 : 0);
      unknown += isUnknown ? 1 : 0;
    }),
    size,
  );
  expect(unknown).toBeGreaterThan(0);
});

const before = (day: string, days: number) => Temporal.PlainDate.from(day).subtract({ days }).toString();

test(`${runs} times the days that two periods share are the same`, async () => {
  await fc.assert(
    fc.asyncProperty(longScenes, always, async (scene, alterations) => {
      const plan = () => groupedPlan("day", { filters: [] });
      const asked = { plan, comparison: "week" } as const;
      const { figures } = await ask(scene, asked, (call) => alterations[call - 1] ?? undefined);
      const { from, to } = scene.given;
      const lists = [figures.current.figures, figures.previous?.figures];
      expect(differentDays(lists, [from, before(to, 7)])).toEqual([]);
      for (const list of lists) expect(list?.placed.map(({ group }) => group)).toEqual(list?.grouped.groups);
    }),
    size,
  );
});
