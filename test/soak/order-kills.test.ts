/** Kills lists of orders at random and resumes them: no order is sent twice or lost. */
import { expect, test } from "vitest";

import type { OrderLine } from "../../src/core/orders.js";
import { Bench, parseJsonLines } from "../support/bench.js";
import { sized, tellFigure } from "../support/soak.js";

const kills = sized({ test: 2, search: 12, soak: 500 });
const ordersOfARun = 40;
const bench = await Bench.open({ env: { COMANDA_RATE_LIMITS: "off" } });
bench.emulator.service.limiter.enabled = false;
await bench.signIn();

/** Starts the program, and kills it after this number of requests, unless it ends before. */
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

test(`${kills} kills cause no order to be sent twice or lost, and each outcome is reported`, async () => {
  const faults: Record<string, string[]> = { "orders sent twice": [], "orders lost or misreported": [] };
  let [left, listed] = [kills, 0];
  while (left > 0) {
    bench.forgetRequests();
    const orders = await bench.orders(ordersOfARun);
    const killAfter = () => 1 + Math.floor(Math.random() * (ordersOfARun / 2));
    let part = await run("orders dispatch - --json", orders, killAfter());
    while (part.killed) {
      left -= 1;
      part = await run("orders dispatch - --json --resume", orders, left > 0 ? killAfter() : Infinity);
    }
    expect([0, 10]).toContain(part.code);
    const rows = parseJsonLines(part.stdout) as readonly OrderLine[];
    const reported = new Map(rows.map(({ order_id: order, outcome }) => [order, outcome]));
    const requests = bench.requests();
    for (const order of orders) {
      const sent = requests.filter((request) => request.endsWith(`/${order}/dispatch`)).length;
      const outcome = reported.get(order) ?? "not reported";
      const fault = `${order}: ${outcome}, sent ${sent} times`;
      // Orders that an earlier process changed are skipped.
      const isReported = outcome === "done" || outcome === "skipped";
      const isDone = isReported && sent === 1 && bench.stored(order).status === "released";
      if (outcome === "unknown") listed += 1;
      if (sent > 1) faults["orders sent twice"]?.push(fault);
      else if (outcome !== "unknown" && !isDone) faults["orders lost or misreported"]?.push(fault);
    }
  }
  const of = `${kills} kills of runs of orders`;
  for (const [what, { length }] of Object.entries(faults)) tellFigure({ what, of, wanted: 0, seen: length });
  tellFigure({ what: "orders unknown and listed", of, seen: listed });
  expect(Object.values(faults).flat()).toEqual([]);
});
