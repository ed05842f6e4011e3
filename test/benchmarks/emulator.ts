/** The emulator against a bare server, and its figures over many orders. */
import { bearer, createTestEmulator, start } from "../emulator/support.js";

import { median, type Part } from "./figure.js";
import { comanda, node, program, serve, timed } from "./processes.js";

const orders = 8_000;

export const emulator: Part = {
  name: "emulator",
  async run(report) {
    if (process.platform !== "linux") {
      report.skip("emulator: status changes", "processor time is read from /proc, which this system has not");
      await summary(report);
      return;
    }
    const [, script] = comanda;
    const start = [script, "emulator", "start", "--port", "0", "--orders", "0", "--no-limits", "--json"];
    const rates: number[] = [];
    const notes: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      // Both anew in each round, and with as many requests to warm up: the emulator's first make its orders.
      const fast = await changesASecond([program("stub-server")], "bare");
      const ours = await changesASecond(start, "emulator");
      rates.push(ours / fast);
      notes.push(`${Math.round(ours)}/s of ${Math.round(fast)}/s`);
    }
    report.figure({
      what: "emulator: status changes a processor second, of a bare node:http server's",
      unit: "x",
      measured: median(rates),
      goal: { atLeast: 0.7 },
      note: notes.join(", "),
    });
    await summary(report);
  },
};

/** Each order is dispatched, delivered and finalized, so that every change is done. */
async function changesASecond(args: readonly string[], kind: "bare" | "emulator"): Promise<number> {
  const { greeting, pid, stop } = await serve(args);
  try {
    const script = program("status-changes");
    const { stdout } = await timed({
      args: [node, script, String(greeting["url"]), kind, String(orders), pid],
    });
    return Number(stdout);
  } finally {
    await stop();
  }
}

async function summary(report: Parameters<Part["run"]>[0]): Promise<void> {
  const service = createTestEmulator({ orders: 100_000 });
  const token = service.accessToken();
  const period = (from: number) =>
    `start_date=${new Date(start - from).toISOString()}&end_date=${new Date(start).toISOString()}`;
  const ms: number[] = [];
  for (let round = 0; round < 25; round += 1) {
    service.advance(61);
    // Another period each time, so that nothing can be remembered.
    const query = period(150 * 86_400_000 + round * 1000);
    const began = performance.now();
    const answer = await service.request(`/api/partner/v1/orders/summary?${query}`, {
      headers: bearer(token),
    });
    await answer.text();
    ms.push(performance.now() - began);
    if (answer.status !== 200) throw new Error(`the emulator answered ${answer.status}`);
  }
  report.figure({
    what: "emulator: summary over 100,000 orders",
    unit: "ms",
    measured: median(ms),
    goal: { atMost: 50 },
  });
}
