/** Runs of many orders that are killed at random and gone on with: nothing is sent twice, and nothing is lost. */
import * as z from "zod/mini";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { minutes, soak } from "./size.js";

const kills = soak ? 500 : 4;
const ordersOfARun = 40;

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open({ env: { COMANDA_RATE_LIMITS: "off" } });
  bench.emulator.service.limiter.enabled = false;
  await bench.signIn();
});
afterAll(() => bench.close());

const rowSchema = z.looseObject({ order_id: z.string(), outcome: z.string() });

/** What the last, whole part of the run told of each order. */
function outcomesIn(stdout: string): Map<string, string> {
  const rows = stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => z.parse(rowSchema, JSON.parse(line)));
  return new Map(rows.map(({ order_id: order, outcome }) => [order, outcome]));
}

/** Starts the program, and kills it once the service has seen so many more requests; never where it sees fewer. */
async function run(line: string, orders: readonly string[], killAfter: number) {
  const before = bench.requests().length;
  const running = bench.machine.start(line.split(" "), { input: orders.join("\n") });
  const watch = setInterval(() => {
    if (bench.requests().length - before >= killAfter) running.child.kill("SIGKILL");
  }, 1);
  const finished = await running.finished;
  clearInterval(watch);
  return { ...finished, killed: finished.signal === "SIGKILL" };
}

test(
  `${kills} kills: no order is sent twice, and each is told of`,
  async () => {
    let left = kills;
    while (left > 0) {
      bench.forgetRequests();
      const orders = await Promise.all(Array.from({ length: ordersOfARun }, () => bench.order()));
      const killAfter = () => 1 + Math.floor(Math.random() * (ordersOfARun / 2));
      let part = await run("orders dispatch - --json --concurrency 8", orders, killAfter());
      while (part.killed) {
        left -= 1;
        part = await run("orders dispatch - --json --resume", orders, left > 0 ? killAfter() : Infinity);
      }
      expect([0, 10]).toContain(part.code);
      const told = outcomesIn(part.stdout);
      for (const order of orders) {
        const sent = bench.requests().filter((request) => request.endsWith(`/${order}/dispatch`)).length;
        const story = { order, sent, told: told.get(order), status: bench.stored(order).status };
        if (story.told === "unknown") expect(sent, JSON.stringify(story)).toBeLessThanOrEqual(1);
        else expect(story).toEqual({ order, sent: 1, told: "done", status: "released" });
      }
    }
  },
  soak ? 60 * minutes : 2 * minutes,
);
