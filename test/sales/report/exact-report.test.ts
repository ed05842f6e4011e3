/** What a report puts together of few answers equals a count over the orders: its headline, and each of its sections. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";

import type { Question } from "../../../src/sales/plan/request.js";
import { reportPlan } from "../../../src/sales/report/plan.js";
import { metricsOfSum } from "../../../src/sales/merge/sums.js";
import { passes } from "../../emulator/summary/brute-force.js";
import {
  afterwards,
  asking,
  callsOver,
  counted,
  countedBy,
  keyOf,
  ordersOfDays,
  storeCases,
  told,
  tries,
} from "../support/oracle.js";

const size = tries({ test: 2, search: 40, soak: 5_000 });
const runs = size.numRuns;
const { signal } = new AbortController();
const cases = storeCases({ dayStarts: ["00:00", "04:00"], days: 250, before: 60 });
const filterLists = fc.constantFrom([], ["status!=canceled"], ["status=canceled"], ["total>=10"]);

test(`${runs} reports have the orders of their days in every section`, async () => {
  await fc.assert(
    fc.asyncProperty(cases, filterLists, async (given, filters) => {
      const now = afterwards(given);
      const { calls: unheard, request, sent } = callsOver(given, now, { filters });
      let promised = 0;
      const calls = {
        ...unheard,
        // What turns out to be needed beside what was promised.
        announce: async (questions: readonly Question[]) => {
          const more = await unheard.count(questions);
          promised += more;
        },
      };
      const asked = asking(given, { now, comparison: "week" });
      if (!asked.previous) throw new Error("nothing is compared");
      const weekBefore = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 7 }).toString();
      const [otherFrom, otherTo] = [weekBefore(given.from), weekBefore(given.to)];
      fc.pre(given.zone !== "Pacific/Apia" || ![otherFrom, otherTo].includes("2011-12-30"));
      const plan = reportPlan({ ...request, compareSections: true, heatmap: true, keys: true });
      const outlook = await plan.outlook?.(calls, asked, signal);
      promised += await calls.count([...(await plan.questions(asked, calls)), ...(outlook?.questions ?? [])]);
      const { summary, sections, heatmap } = await plan.fetch(calls, asked, signal);
      expect(sent.length).toBeLessThanOrEqual(promised);

      const ordersOf = (from: string, to: string) =>
        ordersOfDays(given.orders, from, to, given).filter((order) =>
          request.filters.every((filter) => passes(order, filter, given.zone)),
        );
      const own = ordersOf(given.from, given.to);
      expect(told(summary.current.figures)).toEqual(counted(own));
      const { canceled } = summary.current;
      if (canceled)
        expect(told(canceled)).toEqual(counted(own.filter(({ status }) => status === "canceled")));
      if (!summary.previous) throw new Error("the comparison is missing");
      expect(told(summary.previous.figures)).toEqual(counted(ordersOf(otherFrom, otherTo)));
      const expectGroups = (side: "current" | "previous", orders: typeof own) => {
        for (const [dimension, section] of sections) {
          const { groups } = section[side]?.figures.grouped ?? { groups: [] };
          const byKey = new Map(groups.map((group) => [group.key, told(group)]));
          const expected = countedBy(orders, (order) => keyOf(order, dimension, given));
          expect([dimension, byKey]).toEqual([dimension, expected]);
        }
      };
      expectGroups("current", own);
      expectGroups("previous", ordersOf(otherFrom, otherTo));
      const cellOf = (weekday: unknown, hour: unknown) => `${String(weekday)} ${String(hour)}`;
      const cells = heatmap?.cells.map(
        ({ row, col, sum }) => [cellOf(row.key, col.key), told(metricsOfSum(sum))] as const,
      );
      expect(new Map(cells)).toEqual(
        countedBy(own, (order) => cellOf(keyOf(order, "day_of_week", given), keyOf(order, "hour", given))),
      );
    }),
    size,
  );
});
