/**
 * Orders are altered between any two calls of a report. Whatever stands on it either has its headline's total, or is told
 * as a difference of so much; and where orders come to rest, nothing is left to tell.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { OrderRecord } from "../../../src/emulator/domain/orders.js";
import { reportShape } from "../../../src/sales/present/report-data.js";
import { reportPlan } from "../../../src/sales/report/plan.js";
import { tellFigure } from "../../support/soak.js";
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
  type Counted,
  type StoreCase,
} from "../support/oracle.js";
import { alter, alteration, differentDays, type Alteration } from "../support/restless.js";

const size = tries({ test: 2, search: 400, soak: 5_000 });
const runs = size.numRuns;
const { signal } = new AbortController();
const cases = storeCases({ dayStarts: ["00:00", "04:00"], days: 40, before: 40, orders: 24 }).filter(
  ({ zone }) => zone !== "Pacific/Apia",
);

const scenes = fc.record({
  given: cases,
  filters: fc.constantFrom([], ["status!=canceled"]),
  comparison: fc.constantFrom("previous", "week", undefined),
  compareSections: fc.boolean(),
  heatmap: fc.boolean(),
  keys: fc.boolean(),
  /** What was asked hours before, and is kept. */
  earlier: fc.array(fc.constantFrom("day", "hour", "status", "order_type", "sales_channel", "summary"), {
    maxLength: 3,
  }),
  before: fc.array(alteration, { maxLength: 2 }),
});
type Scene = typeof scenes extends fc.Arbitrary<infer Value> ? Value : never;

/** @param afterCall the alteration that follows each answer, if one does */
async function report(scene: Scene, afterCall: (calls: number) => Alteration | undefined) {
  const { given, filters, comparison, compareSections, heatmap, keys, earlier, before } = scene;
  const orders = [...given.orders];
  const kept = emptyKept();
  let now = afterwards(given) - 3 * 3_600_000;
  const ask = (isReport: boolean) => {
    let called = 0;
    return callsOver({ ...given, orders }, now, {
      ...{ filters, kept, now: () => now, freshness: { kind: "usual", maxAgeMs: undefined } },
      onCalled: () => {
        now += 1_000;
        called += 1;
        const change = isReport ? afterCall(called) : undefined;
        if (change) alter(orders, change);
      },
    });
  };
  const asked = asking(given, { now: afterwards(given), comparison });
  for (const by of earlier) {
    const { calls } = ask(false);
    await (by === "summary"
      ? calls.summary({ period: asked.current }, signal)
      : calls.grouped({ period: asked.current, dimension: by }, signal));
  }
  for (const change of before) alter(orders, change);
  now = afterwards(given);
  const { calls, request } = ask(true);
  const plan = reportPlan({ ...request, compareSections, heatmap, keys });
  const figures = await plan.fetch(calls, asked, signal);
  const { from } = given;
  const end = asked.previous?.to.date ?? "";
  const section = figures.sections.get("day");
  const days = [section?.current, section?.previous].map((side) => side?.figures);
  // Without the days of the period before, nothing is shared.
  const different = days.includes(undefined) ? [] : differentDays(days, [from, end]);
  return { figures, orders, request, different };
}

type Figures = Awaited<ReturnType<typeof report>>["figures"];

/** What a program reads, counted: each section less its headline. */
function differencesCountedIn(figures: Figures): ReadonlyMap<string, Counted> {
  const sum = (all: readonly Parameters<typeof told>[0][]): Counted => {
    const each = all.map(told);
    return {
      count: each.reduce((count, one) => count + one.count, 0),
      cents: each.reduce((cents, one) => cents + one.cents, 0),
    };
  };
  const { summary, sections, heatmap } = figures;
  const found = new Map<string, Counted>();
  const hold = (section: string, { count, cents }: Counted, headline: Counted) => {
    const difference = { count: count - headline.count, cents: cents - headline.cents };
    if (difference.count !== 0 || difference.cents !== 0) found.set(section, difference);
  };
  const headline = told(summary.current.figures);
  for (const [dimension, { current }] of sections)
    hold(dimension, sum(current.figures.grouped.groups), headline);
  if (heatmap) {
    const cells = heatmap.cells.map(({ sum: of }) => of);
    const count = cells.reduce((all, { orders }) => all + orders, 0);
    hold("heatmap", { count, cents: cells.reduce((all, { revenue }) => all + revenue, 0) }, headline);
  }
  for (const [dimension, { previous }] of sections)
    if (previous && summary.previous)
      hold(`previous_${dimension}`, sum(previous.figures.grouped.groups), told(summary.previous.figures));
  return found;
}

function toldIn(figures: Figures): ReadonlyMap<string, Counted> {
  const shape = reportShape(figures, { dateField: undefined, currency: undefined });
  const { differences } = shape as {
    readonly differences: readonly ({ readonly section: string } & Parameters<typeof told>[0])[];
  };
  return new Map(differences.map(({ section, ...difference }) => [section, told(difference)]));
}

test(`${runs} reports of orders that change at any call: no difference that isn't told`, async () => {
  let differences = 0;
  await fc.assert(
    fc.asyncProperty(
      scenes,
      fc.array(fc.option(alteration), { maxLength: 60 }),
      async (scene, alterations) => {
        const { figures, different } = await report(scene, (call) => alterations[call - 1] ?? undefined);
        expect(different).toEqual([]);
        const found = differencesCountedIn(figures);
        differences += found.size;
        expect(toldIn(figures)).toEqual(found);
      },
    ),
    size,
  );
  tellFigure({ what: "differences that were told", of: `${runs} reports`, seen: differences });
});

test(`${runs} reports of orders that change once, at any call, are of before or of after`, async () => {
  await fc.assert(
    fc.asyncProperty(scenes, fc.nat(30), alteration, async (scene, after, change) => {
      const { figures, orders, request, different } = await report(scene, (call) =>
        call === after ? change : undefined,
      );
      expect(different).toEqual([]);
      expect(toldIn(figures)).toEqual(new Map());
      const unchanged = await report(scene, () => undefined);
      const isNet = request.filters.length > 0;
      expect([orders, unchanged.orders].map((all) => countOf(scene.given, all, isNet))).toContainEqual(
        told(figures.summary.current.figures),
      );
    }),
    size,
  );
});

/** Orders of the period, by plain counting. */
function countOf(given: StoreCase, orders: readonly OrderRecord[], isNet: boolean): Counted {
  const all = ordersOfDays(orders, given.from, given.to, given);
  return counted(isNet ? all.filter(({ status }) => status !== "canceled") : all);
}
