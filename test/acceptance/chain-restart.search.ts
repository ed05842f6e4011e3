/** A list of orders while the chain's PostgreSQL server restarts. */
import { expect, test } from "vitest";

import { stateAt } from "../state/support/engines.js";
import { afterwards } from "../support/resources.js";
import { Bench, parseJsonLines } from "../support/bench.js";
import { postgresPrograms, startCluster } from "../support/postgres-server.js";

test.skipIf(postgresPrograms === undefined)(
  "a list of orders continues after the server restarts, and history has every outcome",
  async () => {
    const cluster = await startCluster();
    afterwards(() => cluster.stop());
    const bench = await Bench.open();
    const env = { ...stateAt(`${cluster.address}/postgres`), ...bench.keyEnvironment() };
    const orders = await bench.orders(40);
    bench.forgetRequests();
    bench.emulator.service.faults.set([{ delay: 1500, path: "/dispatch" }]);
    const ended = bench.inProcess(["orders", "dispatch", ...orders, "--json"], { env });
    await expect.poll(() => bench.requests().length, { interval: 1 }).toBeGreaterThanOrEqual(10);
    await cluster.restart();
    const { stdout, ...end } = await ended;
    expect(end).toEqual({ code: 0, stderr: "40 done\n" });
    expect(parseJsonLines(stdout)).toMatchObject(orders.map(() => ({ outcome: "done" })));
    expect(bench.requests()).toHaveLength(orders.length);
    const history = await bench.inProcess("history --limit 100 --json", { env });
    expect(parseJsonLines(history.stdout)).toMatchObject(Array(40).fill({ outcome: "done", attempts: 1 }));
  },
);
