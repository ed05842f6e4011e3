/** What the command prints with `--json` equals a brute-force count over the emulator's orders, to the cent. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Filter } from "../../../src/api/filters.js";
import { salesSchemas } from "../../../src/api/answers.js";
import { dimensions } from "../../../src/api/values.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { groupSlowly, selectSlowly } from "../../emulator/summary/brute-force.js";
import { Desk, start, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { sized } from "../../support/soak.js";

const zones = ["America/Sao_Paulo", "Europe/Lisbon", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"] as const;
const stores = [501, 502, 503] as const;

interface Case {
  readonly store: (typeof stores)[number];
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly filters: readonly (readonly [text: string, filter: Filter])[];
}

const filterLists = fc.subarray<Case["filters"][number]>([
  ["status!=canceled", { field: "status", operator: "not_in", values: ["canceled"] }],
  ["order_type=delivery,takeout", { field: "order_type", operator: "in", values: ["delivery", "takeout"] }],
  ["total>=49.90", { field: "total", operator: "gteq", values: ["49.90"] }],
  ["customer_origin=null", { field: "customer_origin", operator: "null", values: ["true"] }],
  ["created_at_time<15:00", { field: "created_at_time", operator: "lt", values: ["15:00"] }],
  ["driver_id_not_in=11", { field: "driver_id", operator: "not_in", values: ["11"] }],
]);

/** Days back from today; the oldest that the service takes in any zone is one short of three years. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    store: fc.constantFrom(...stores),
    zone: fc.constantFrom(...zones),
    back: fc.tuple(fc.integer({ min: 0, max: 1_094 }), fc.integer({ min: 0, max: 1_094 })),
    filters: filterLists,
  })
  .map(caseOf);

function caseOf({
  store,
  zone,
  back,
  filters,
}: Omit<Case, "from" | "to"> & { back: readonly number[] }): Case {
  const today = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone).toPlainDate();
  const day = (days: number) => today.subtract({ days }).toString();
  return { store, zone, filters, from: day(Math.max(...back)), to: day(Math.min(...back)) };
}

/** What is drawn by chance may hold hardly an order. */
const threeYears = caseOf({ store: stores[0], zone: zones[0], back: [0, 1_094], filters: [] });

/** From March to August a zone ahead of Universal Time has three days more than six months there, and half an hour. */
const marchToAugust: Case = {
  ...{ store: stores[0], zone: "Australia/Lord_Howe", filters: [] },
  ...{ from: "2025-03-01", to: "2025-08-31" },
};

describe("what comanda prints", () => {
  const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ orders: 3_000, seed: 5, now: desk.clock, rateLimits: false });
    for (const id of stores) await desk.signIn(`s${id}`, emulator.baseUrl, tokenFor(emulator, id));
  });
  afterAll(async () => {
    await emulator.close();
    desk.remove();
  });

  const argsOf = ({ store, zone, from, to, filters }: Case) => [
    ...["--store", `s${store}`, "--tz", zone, "--from", from, "--to", to, "--json", "--fresh"],
    ...filters.flatMap(([text]) => ["--filter", text]),
  ];
  const ask = async (args: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await desk.run(args);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as unknown;
  };
  const selected = ({ store, zone, from, to, filters }: Case) => {
    const startOf = (date: string, days: number) =>
      Temporal.PlainDate.from(date).add({ days }).toZonedDateTime(zone).epochMilliseconds;
    const period = { dateField: "created_at", start: startOf(from, 0), end: startOf(to, 1) - 1 } as const;
    const storeZone = emulator.world.stores.get(store)?.timeZone ?? "";
    const orders = selectSlowly(
      emulator.world.orders.ofStore(store),
      { period, filters: filters.map(([, filter]) => filter) },
      storeZone,
    );
    return { orders, period, storeZone };
  };
  const figures = (count: number, cents: bigint) => ({
    total_order_count: count,
    total_revenue: Number(cents) / 100,
    // Half up, in hundredths.
    average_order_value: count === 0 ? 0 : Number((2n * cents + BigInt(count)) / (2n * BigInt(count))) / 100,
  });

  test("What summary prints is the count of the period's orders", async () => {
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const { orders } = selected(given);
        const cents = orders.reduce((sum, { total }) => sum + BigInt(total), 0n);
        expect(salesSchemas().summary.parse(await ask(["summary", ...argsOf(given)]))).toMatchObject(
          figures(orders.length, cents),
        );
        counted += orders.length;
      }),
      { numRuns: sized({ test: 3, search: 40, soak: 500 }), examples: [[threeYears], [marchToAugust]] },
    );
    expect(counted).toBeGreaterThan(100);
  });

  test("What grouped prints is the count of each group's orders, for every dimension", async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.constantFrom(...dimensions), async (given, by) => {
        const { orders, period, storeZone } = selected(given);
        const expected = groupSlowly(orders, { groupBy: by, period, filters: [] }, storeZone);
        const answer = salesSchemas().groupedSummary.parse(
          await ask(["grouped", "--by", by, ...argsOf(given)]),
        );
        expect(answer.group_by).toBe(by);
        const withOrders = answer.groups.filter(({ total_order_count: orders }) => orders > 0);
        expect(withOrders.length).toBe(expected.size);
        for (const { key, label, ...metrics } of withOrders) {
          const group = typeof key === "boolean" ? undefined : expected.get(key);
          expect(metrics, `${by} ${String(key)} ${String(label)}`).toMatchObject(
            figures(group?.count ?? -1, group?.cents ?? 0n),
          );
        }
      }),
      { numRuns: sized({ test: 5, search: 80, soak: 1000 }) },
    );
  });
});
