/** Runs of many orders that are killed at random and gone on with: nothing is sent twice, and nothing is lost. */
import { afterAll, beforeAll, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { minutes, sized, timeLimit } from "../support/soak.js";
import { outcomesIn, ToldOrders } from "./support/told-orders.js";

const kills = sized({ test: 2, search: 12, soak: 500 });
const ordersOfARun = 40;

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open({ env: { COMANDA_RATE_LIMITS: "off" } });
  bench.emulator.service.limiter.enabled = false;
  await bench.signIn();
});
afterAll(() => bench.close());

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
    const told = new ToldOrders();
    let left = kills;
    while (left > 0) {
      bench.forgetRequests();
      const orders = await Promise.all(Array.from({ length: ordersOfARun }, () => bench.order()));
      const killAfter = () => 1 + Math.floor(Math.random() * (ordersOfARun / 2));
      let part = await run("orders dispatch - --json", orders, killAfter());
      while (part.killed) {
        left -= 1;
        part = await run("orders dispatch - --json --resume", orders, left > 0 ? killAfter() : Infinity);
      }
      expect([0, 10]).toContain(part.code);
      told.add(bench, orders, outcomesIn(part.stdout));
    }
    told.tell(`${kills} kills of runs of orders`);
    expect(told.faults).toEqual([]);
  },
  timeLimit(3 * minutes),
);
