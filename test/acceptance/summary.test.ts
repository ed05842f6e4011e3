/** The built program as a script and cron use it: figures to the cent, and the rate limit kept across processes. */
import { readdirSync } from "node:fs";

import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { salesSchemas } from "../../src/api/answers.js";
import { Bench } from "../support/bench.js";
import { parseJson } from "../support/json.js";
import { snapshot } from "../support/folder-state.js";

const dayMs = 86_400_000;
/** São Paulo has had no daylight saving time since 2019: three hours behind UTC. */
const offsetMs = 3 * 3_600_000;
const zone = "America/Sao_Paulo";

function dayOf(instant: number): string {
  return new Date(instant - offsetMs).toISOString().slice(0, 10);
}

describe("figures", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open({ orders: 1_500, rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
    await bench.signIn();
  });
  afterAll(() => bench.close());

  const ordersBetween = (from: string, to: string) =>
    bench.emulator.world.orders.ofStore(501).filter(({ createdAt, status }) => {
      const day = dayOf(createdAt);
      return day >= from && day <= to && status !== "canceled";
    });
  const daysBack = fc.integer({ min: 1, max: 1_090 });

  test("change nothing but the kept answers, and only for the owner's eyes", async () => {
    const before = Object.keys(snapshot(bench.machine.configFolder));
    await bench.comanda(["report", "--tz", zone, "--out", "-"]);
    // Other programs are given the one file.
    expect(readdirSync(bench.machine.configFolder)).not.toContain("sales.db-wal");
    const added = Object.entries(snapshot(bench.machine.configFolder)).filter(
      ([name]) => !before.includes(name),
    );
    expect(added.map(([name]) => name)).toContain("sales.db");
    for (const [name, state] of added) {
      expect(name).toMatch(/^(sales|comanda)\.db$/);
      expect(state).toMatch(/^600 /);
    }
  });

  test("equal a plain count, whatever the period", async () => {
    await fc.assert(
      fc.asyncProperty(daysBack, daysBack, async (one, other) => {
        const [from, to] = [Math.max(one, other), Math.min(one, other)].map((days) =>
          dayOf(Date.now() - days * dayMs),
        );
        const period = ["--from", from ?? "", "--to", to ?? "", "--tz", zone, "--filter", "status!=canceled"];
        const counted = ordersBetween(from ?? "", to ?? "");
        const cents = (of: typeof counted) => of.reduce((sum, { total }) => sum + total, 0);
        const summary = await bench.comanda(["summary", ...period, "--json"]);
        expect(summary.code, summary.stderr).toBe(0);
        expect(salesSchemas().summary.parse(parseJson(summary.stdout))).toMatchObject({
          total_order_count: counted.length,
          total_revenue: cents(counted) / 100,
        });
        const grouped = await bench.comanda(["grouped", "--by", "day", ...period, "--json"]);
        const { groups } = salesSchemas().groupedSummary.parse(parseJson(grouped.stdout));
        const days = [...new Set(counted.map(({ createdAt }) => dayOf(createdAt)))].sort();
        // Days without orders are there, with 0.
        const withOrders = groups.filter(({ total_order_count }) => total_order_count > 0);
        expect(
          withOrders.map(({ key, total_order_count: orders, total_revenue }) => [key, orders, total_revenue]),
        ).toEqual(
          days.map((day) => {
            const own = counted.filter(({ createdAt }) => dayOf(createdAt) === day);
            return [day, own.length, cents(own) / 100];
          }),
        );
      }),
      { numRuns: 1 },
    );
  });

  test("end quietly where their reader has gone", async () => {
    const { code, stderr } = await bench.machine.shell(
      // The store's own zone: by another, comanda warns of an order in the hours between the two.
      `comanda grouped --by day --period last-year --tz ${zone} --format csv | head -1`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

test("5 calls a minute are kept by processes that start together", async () => {
  const bench = await Bench.open();
  try {
    await bench.signIn();
    bench.forgetRequests();
    const months = [2, 3, 4, 5, 6, 7].map((back) => {
      const now = new Date();
      return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7);
    });
    const codes = await Promise.all(
      months.map(
        async (period) => (await bench.comanda(`summary --period ${period} --max-wait 0 --json`)).code,
      ),
    );
    expect(codes.filter((code) => code === 0)).toHaveLength(5);
    expect(codes.filter((code) => code === 7)).toHaveLength(1);
    expect(bench.requests()).toHaveLength(5);
    // The answers are kept, so asking again what was answered takes no place.
    const again = await Promise.all(
      months
        .filter((_, index) => codes[index] === 0)
        .map(
          async (period) => (await bench.inProcess(`summary --period ${period} --max-wait 0 --json`)).code,
        ),
    );
    expect(again).toEqual([0, 0, 0, 0, 0]);
    expect(bench.requests()).toHaveLength(5);
  } finally {
    await bench.close();
  }
});
