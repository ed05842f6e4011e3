/**
 * Orders are altered between any two calls of a pivot. Its rows and columns are what answers about the whole period say of
 * them, or by so much more or less; where orders come to rest, each cell is of before or of after.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { dimensions, type Dimension } from "../../../src/contract/enums.js";
import type { Group } from "../../../src/contract/models.js";
import { pivotPlan } from "../../../src/sales/pivot/pivot.js";
import type { PivotCell } from "../../../src/sales/pivot/table.js";
import { chooseWay } from "../../../src/sales/pivot/way.js";
import type { PlannedCalls } from "../../../src/sales/plan/plans.js";
import { pivotShape } from "../../../src/sales/present/pivot-table.js";
import { tellFigure } from "../../support/soak.js";
import {
  afterwards,
  asking,
  callsOver,
  emptyKept,
  storeCases,
  told,
  tries,
  type Counted,
} from "../support/oracle.js";
import { countedCells } from "../support/pivot-oracle.js";
import { alter, alteration, type Alteration } from "../support/restless.js";

const size = tries({ test: 5, search: 1_000, soak: 5_000 });
const runs = size.numRuns;
const { signal } = new AbortController();

const scenes = fc.record({
  given: storeCases({ dayStarts: ["00:00", "04:00"], days: 40, before: 0, orders: 24 }).filter(
    ({ zone }) => zone !== "Pacific/Apia",
  ),
  pair: fc.oneof(
    // An order that another driver takes, or that is canceled, goes from one line of these to another.
    fc.constantFrom<readonly [Dimension, Dimension]>(
      ["driver_id", "order_type"],
      ["order_type", "status"],
      ["status", "driver_id"],
    ),
    fc
      .tuple(fc.constantFrom(...dimensions), fc.constantFrom(...dimensions))
      .filter(([rows, cols]) => rows !== cols && ![rows, cols].includes("payment_method_id")),
  ),
  /** What was asked hours before, and is kept. */
  earlier: fc.array(fc.constantFrom(...dimensions), { maxLength: 3 }),
  before: fc.array(alteration, { maxLength: 2 }),
});
type Scene = typeof scenes extends fc.Arbitrary<infer Value> ? Value : never;

/** @param afterCall the alteration that follows each answer, if one does */
async function pivotOf(
  { given, pair: [rows, cols], earlier, before }: Scene,
  afterCall: (calls: number) => Alteration | undefined,
) {
  const orders = [...given.orders];
  const kept = emptyKept();
  let now = afterwards(given) - 3 * 3_600_000;
  const ask = (alterationAfter: typeof afterCall) => {
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
  const asked = asking(given, { now: afterwards(given) });
  for (const by of earlier)
    await ask(() => undefined).calls.grouped({ period: asked.current, dimension: by }, signal);
  for (const change of before) alter(orders, change);
  now = afterwards(given);
  const { calls } = ask(afterCall);
  const answers = new Map<Dimension, readonly Group[]>();
  const recording: PlannedCalls = {
    ...calls,
    async grouped(question, ...rest) {
      const { period, dimension: by, filters } = question;
      const answer = await calls.grouped(question, ...rest);
      if (period === asked.current && filters === undefined) {
        // The last stands last.
        answers.delete(by);
        answers.set(by, answer.figures.grouped.groups);
      }
      return answer;
    },
  };
  const pivot = await pivotPlan({ rows, cols, dateField: undefined }).fetch(recording, asked, signal);
  const way = chooseWay({ rows, cols }, asked.current, undefined);
  return { pivot, orders, answers, way };
}

type Found = Awaited<ReturnType<typeof pivotOf>>;

/** By dimension and key; what no filter selects is one. */
function added(sums: readonly (readonly [string, Counted])[]): ReadonlyMap<string, Counted> {
  const all = new Map<string, Counted>();
  for (const [name, { count, cents }] of sums) {
    const before = all.get(name) ?? { count: 0, cents: 0 };
    all.set(name, { count: before.count + count, cents: before.cents + cents });
  }
  return new Map([...all].filter(([, { count, cents }]) => count !== 0 || cents !== 0).toSorted());
}

function nameOf(dimension: Dimension, key: Group["key"]): string {
  const isRest = key === null || key === "canceling" || key === "pending_online_payment";
  return `${dimension} ${isRest ? "rest" : String(key)}`;
}

/** What the table shows less what the last answers about the whole period say. */
function differencesCountedIn({ pivot, answers, way }: Found): ReadonlyMap<string, Counted> {
  if (way.kind === "days") return new Map();
  const minus = (groups: readonly Group[], name: (group: Group) => string) =>
    groups.map((group) => {
      const { count, cents } = told(group);
      return [name(group), { count: -count, cents: -cents }] as const;
    });
  const shown = (name: (cell: PivotCell) => string) =>
    pivot.cells.map((cell) => [name(cell), { count: cell.sum.orders, cents: cell.sum.revenue }] as const);
  if (way.kind === "parts") {
    const whole = [...answers.values()].at(-1) ?? [];
    return added([...shown(() => "all"), ...minus(whole, () => "all")]);
  }
  return added(
    (["row", "col"] as const).flatMap((side) => {
      const dimension = pivot[`${side}s`];
      return [
        ...shown((cell) => nameOf(dimension, cell[side].key)),
        ...minus(answers.get(dimension) ?? [], ({ key }) => nameOf(dimension, key)),
      ];
    }),
  );
}

function toldIn({ pivot, way }: Found): ReadonlyMap<string, Counted> {
  const { differences } = pivotShape(pivot, { dateField: undefined, currency: undefined });
  return added(
    differences.map(({ dimension, key, ...difference }) => [
      way.kind === "parts" ? "all" : nameOf(dimension, key),
      told(difference),
    ]),
  );
}

test(`${runs} pivots of orders that change at any call: no difference that isn't told`, async () => {
  let differences = 0;
  await fc.assert(
    fc.asyncProperty(
      scenes,
      fc.array(fc.option(alteration), { maxLength: 60 }),
      async (scene, alterations) => {
        const found = await pivotOf(scene, (call) => alterations[call - 1] ?? undefined);
        const expected = differencesCountedIn(found);
        differences += expected.size;
        expect(toldIn(found)).toEqual(expected);
      },
    ),
    size,
  );
  tellFigure({ what: "differences that were told", of: `${runs} pivots`, seen: differences });
  expect(differences).toBeGreaterThan(0);
});

test(`${runs} pivots of orders that change once, at any call, are of before or of after in every cell`, async () => {
  await fc.assert(
    fc.asyncProperty(scenes, fc.nat(12), alteration, async (scene, after, change) => {
      const { pivot, orders } = await pivotOf(scene, (call) => (call === after ? change : undefined));
      expect(pivot.differences).toEqual([]);
      const { orders: unchanged } = await pivotOf(scene, () => undefined);
      const wrong = [scene.given.orders, unchanged, orders].map((all) => {
        const { cells, left } = countedCells(pivot, { ...scene.given, orders: all }, []);
        return left + cells.filter(({ shown, expected }) => !isSame(shown, expected)).length;
      });
      expect(Math.min(...wrong)).toBe(0);
    }),
    size,
  );
});

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
