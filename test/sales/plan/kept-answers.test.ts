/** What follows from kept answers equals a count over the orders, and nothing is taken from days that aren't over. */
import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { Dimension } from "../../../src/contract/enums.js";
import type { Freshness } from "../../../src/sales/ledger/freshness.js";
import { requestedPeriods } from "../../../src/sales/plan/request.js";
import { createStoreCalls } from "../../../src/sales/plan/store-calls.js";
import { syncQuestions } from "../../../src/sales/plan/sync.js";
import { sized } from "../../support/soak.js";
import { scenario, type Scenario } from "../support/arbitraries.js";
import { FakeService, metrics } from "../support/fake-service.js";
import { emptyKept } from "../support/oracle.js";

const { signal } = new AbortController();

/** A service and a ledger in memory, with as many calls at any time as are wanted. */
function store(given: Scenario) {
  const service = new FakeService(given.orders, { ...given.choices, weekForm: "iso", monthForm: "iso" });
  const kept = emptyKept();
  let calls = 0;
  const ask = (
    now: number,
    freshness: Freshness,
    { exactOnly = false, storeZone }: { exactOnly?: boolean; storeZone?: string } = {},
  ) =>
    createStoreCalls({
      source: {
        ...kept,
        ...{ now: () => now, ahead: () => 0, storeZone },
        async call(query) {
          calls += 1;
          const answer = "group_by" in query ? service.grouped(query) : service.summary(query);
          return { askedAt: now, answer: await answer };
        },
      },
      request: { dateField: undefined, filters: [] },
      freshness,
      onWarning: (message) => {
        throw new Error(message);
      },
      exactOnly,
    });
  const sync = async (now: number, dimensions: readonly Dimension[], since: string) => {
    const all = ask(now, { kind: "fresh" }, { exactOnly: true });
    for (const question of syncQuestions({ since, dimensions }, { now, zone: given.choices.zone }))
      await all.grouped(question, signal);
  };
  const counted = () => {
    const before = calls;
    calls = 0;
    return before;
  };
  return { service, sync, ask, counted };
}

function asked({ choices: { zone } }: Scenario, now: number, period: { from: string; to: string }) {
  const request = { dateField: undefined, filters: [], comparison: undefined, comparisonIsOptional: false };
  return requestedPeriods({ period, ...request }, { now, zone, onWarning: () => undefined }).current;
}

/** The last days of a random store's time, soon after, so that a run asks few windows. */
const days16 = scenario
  .map((given): Scenario => {
    const to = Date.parse(given.to);
    const earliest = new Date(to - 16 * 86_400_000).toISOString().slice(0, 10);
    const now = Math.min(given.now, to + 10 * 86_400_000);
    return { ...given, now, from: given.from < earliest ? earliest : given.from };
  })
  // Apia left a day out when it changed sides of the date line: nobody can ask for it alone.
  .filter(({ from, to }) => from !== "2011-12-30" || to !== "2011-12-30");

const figures = ({
  key,
  total_order_count,
  total_revenue,
  average_order_value,
}: ReturnType<FakeService["group"]>[number]) => ({
  key,
  total_order_count,
  total_revenue,
  average_order_value,
});

test("After a sync any whole days are answered without a call, as a count of their orders", async () => {
  await fc.assert(
    fc.asyncProperty(days16, async (given) => {
      const { service, sync, ask, counted } = store(given);
      await sync(given.now, ["day", "driver_id"], given.from);
      counted();
      const period = asked(given, given.now, given);
      const orders = given.orders.filter((order) => {
        const day = service.createdOn(order);
        return day >= given.from && day <= given.to;
      });
      // How the service writes them is learned of its answers about the same days.
      const learned = ["week", "month", "day_of_week"] as const;
      for (const dimension of learned)
        await ask(given.now, { kind: "fresh" }, { exactOnly: true }).grouped({ period, dimension }, signal);
      counted();
      const offline = ask(given.now, { kind: "offline" });
      const { figures: summary, age } = await offline.summary({ period }, signal);
      expect(summary).toEqual(metrics(orders));
      expect(age).toMatchObject({ askedAt: given.now, kept: true });
      for (const dimension of ["day", "week", "month", "day_of_week", "driver_id"] as const) {
        const groups = (await offline.grouped({ period, dimension }, signal)).figures.grouped.groups.map(
          figures,
        );
        const count = service.group(orders, dimension).map(figures);
        expect(dimension === "driver_id" ? new Set(groups) : groups).toEqual(
          dimension === "driver_id" ? new Set(count) : count,
        );
      }
      expect(counted()).toBe(0);
    }),
    { numRuns: sized({ test: 10, search: 60, soak: 1_000 }) },
  );
});

const october: Scenario = {
  choices: {
    zone: "America/Sao_Paulo",
    endIncluded: true,
    halfYearIs180Days: false,
    weekForm: "iso",
    monthForm: "iso",
  },
  now: Date.parse("2026-10-20T15:00:00Z"),
  from: "2026-10-01",
  to: "2026-10-31",
  orders: [],
};
const at = (text: string) => Date.parse(text);
const days = (from: string, to: string) => asked(october, at("2026-11-20T15:00:00Z"), { from, to });
const ofDays = (from: string, to: string) => [{ period: days(from, to) }];
const usual = (maxAgeMs?: number): Freshness => ({ kind: "usual", maxAgeMs });

test("A day that lasted when its month was asked is not known, and neither is one of another zone", async () => {
  const { sync, ask } = store(october);
  await sync(october.now, ["day"], "2026-10-01");
  const offline = ask(at("2026-11-20T15:00:00Z"), { kind: "offline" });
  await offline.assertAnswerable(ofDays("2026-10-05", "2026-10-19"));
  await expect(offline.assertAnswerable(ofDays("2026-10-05", "2026-10-20"))).rejects.toThrow(
    "2026-10-05 to 2026-10-20",
  );
  const elsewhere = ask(october.now, { kind: "offline" }, { storeZone: "America/Manaus" });
  await expect(elsewhere.assertAnswerable(ofDays("2026-10-05", "2026-10-19"))).rejects.toThrow("2026-10-05");
});

test.each([
  ["an answer of this morning", "2026-11-01T09:00:00Z", "2026-11-01T18:00:00Z", usual(), 0],
  ["one of two days ago", "2026-11-01T09:00:00Z", "2026-11-03T18:00:00Z", usual(), 1],
  [
    "one of two days ago, where that is young enough",
    "2026-11-01T09:00:00Z",
    "2026-11-03T18:00:00Z",
    usual(7 * 86_400_000),
    0,
  ],
  ["any, where nothing may be old", "2026-11-01T09:00:00Z", "2026-11-01T18:00:00Z", { kind: "fresh" }, 1],
] as const)("A week of synced days: %s", async (_, synced, now, freshness, calls) => {
  const { sync, ask } = store(october);
  await sync(at(synced), ["day"], "2026-10-01");
  expect(await ask(at(now), freshness).count(ofDays("2026-10-05", "2026-10-11"))).toBe(calls);
});

test("Figures of several days are as old as the oldest, and each is the newest that is known", async () => {
  const { sync, ask } = store(october);
  await sync(at("2026-10-12T15:00:00Z"), ["day"], "2026-10-01");
  const weekAgo = ask(at("2026-10-19T15:00:00Z"), { kind: "fresh" }, { exactOnly: true });
  await weekAgo.grouped({ period: days("2026-10-08", "2026-10-15"), dimension: "day" }, signal);
  const offline = ask(at("2026-11-20T15:00:00Z"), { kind: "offline" });
  const ageOf = async (from: string, to: string) =>
    (await offline.summary({ period: days(from, to) }, signal)).age.askedAt;
  expect(await ageOf("2026-10-09", "2026-10-11")).toBe(at("2026-10-19T15:00:00Z"));
  expect(await ageOf("2026-10-07", "2026-10-11")).toBe(at("2026-10-12T15:00:00Z"));
  const then = ask(at("2026-11-20T15:00:00Z"), { kind: "as of", at: at("2026-10-13T00:00:00Z") });
  expect((await then.summary({ period: days("2026-10-09", "2026-10-11") }, signal)).age.askedAt).toBe(
    at("2026-10-12T15:00:00Z"),
  );
});
