/** A list of orders while the chain's PostgreSQL server restarts. */
import { describe, expect, test } from "vitest";

import { isObject } from "../../src/base/basics.js";
import { systemClock } from "../../src/base/clock.js";
import { newStateKey } from "../state/support/chain.js";
import { queryAt } from "../state/support/engines.js";
import { afterwards } from "../support/cleanup.js";
import { Bench } from "../support/bench.js";
import { parseJsonLines } from "../support/json.js";
import { postgresPrograms, startCluster } from "../support/postgres-server.js";

describe.skipIf(postgresPrograms === undefined)("a list of orders", () => {
  /** Sends forty orders, and calls `meanwhile` after ten requests. */
  async function dispatched(
    meanwhile: (chain: {
      readonly restart: () => Promise<void>;
      readonly query: (sql: string) => Promise<unknown>;
      readonly pass: (ms: number) => void;
    }) => Promise<unknown>,
  ) {
    const cluster = await startCluster();
    afterwards(() => cluster.stop());
    const bench = await Bench.open();
    const address = `${cluster.address}/postgres`;
    const env = {
      COMANDA_STATE: address,
      COMANDA_STATE_KEY: newStateKey(),
      COMANDA_BASE_URL: bench.emulator.baseUrl,
      COMANDA_API_KEY: bench.keyOf(),
    };
    const orders = await bench.orders(40);
    bench.forgetRequests();
    bench.emulator.service.faults.set([{ delay: 1500, path: "/dispatch" }]);
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    const ended = bench.inProcess(["orders", "dispatch", ...orders, "--json"], { env, clock });
    while (bench.requests().length < 10) await new Promise((resolve) => setTimeout(resolve, 1));
    await meanwhile({
      restart: () => cluster.restart(),
      query: (sql) => queryAt(address, sql),
      pass: (ms) => void (aheadMs += ms),
    });
    const { code, stdout, stderr } = await ended;
    const outcomes = parseJsonLines(stdout);
    const history = await bench.inProcess("history --limit 100 --json", { env });
    return { bench, code, stderr, outcomes, rows: parseJsonLines(history.stdout), orders };
  }

  test("continues after the server restarts, and history has every outcome", async () => {
    const { bench, code, stderr, outcomes, rows, orders } = await dispatched(({ restart }) => restart());
    expect(code).toBe(0);
    expect(stderr).toBe("40 done\n");
    expect(outcomes).toEqual(orders.map((): unknown => expect.objectContaining({ outcome: "done" })));
    expect(bench.requests()).toHaveLength(orders.length);
    expect(rows).toEqual(
      orders.map((): unknown => expect.objectContaining({ outcome: "done", attempts: 1 })),
    );
  });

  test("stops if another process has taken over its lock, and sends nothing more", async () => {
    const { bench, code, outcomes, orders } = await dispatched(async ({ query, restart, pass }) => {
      await query(
        "update comanda.leases set id = 'another', process_table = 'another', until_at = 9999999999999",
      );
      // After this time, comanda checks whether it still holds the lease.
      pass(31_000);
      await restart();
    });
    expect(code).toBe(10);
    const failed = outcomes.filter((outcome) => isObject(outcome) && outcome["outcome"] !== "done");
    expect(failed).toEqual(
      failed.map((): unknown =>
        expect.objectContaining({
          code: "lock_timeout",
          message: expect.stringContaining('lock "list of orders') as string,
        }),
      ),
    );
    expect(bench.requests()).toHaveLength(orders.length - failed.length);
    expect(failed.length).toBeGreaterThan(0);
  });
});
