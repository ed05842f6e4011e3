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
    const bare = await serve([program("stub-server")]);
    const rates: number[] = [];
    const notes: string[] = [];
    try {
      for (let round = 0; round < 3; round += 1) {
        const [, script] = comanda;
        const args = [script, "emulator", "start", "--port", "0", "--orders", "0", "--no-limits", "--json"];
        const emulated = await serve(args);
        try {
          // The emulator's turn makes its orders first, which also warms it up; the bare server gets as many requests.
          const fast = await changesASecond(bare, "bare");
          const ours = await changesASecond(emulated, "emulator");
          rates.push(ours / fast);
          notes.push(`${Math.round(ours)}/s of ${Math.round(fast)}/s`);
        } finally {
          await emulated.stop();
        }
      }
    } finally {
      await bare.stop();
    }
    report.figure({
      what: "emulator: status changes a processor second, of a bare node:http server's",
      ...{ unit: "x", measured: median(rates), goal: { atLeast: 0.7 }, note: notes.join(", ") },
    });
    await summary(report);
  },
};

/** Each order is dispatched, delivered and finalized, so that every change is done. */
async function changesASecond(
  { greeting, pid }: Awaited<ReturnType<typeof serve>>,
  kind: "bare" | "emulator",
): Promise<number> {
  const script = program("status-changes");
  const { stdout } = await timed({
    args: [node, script, String(greeting["url"]), kind, String(orders), pid],
  });
  return Number(stdout);
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
    ...{ unit: "ms", measured: median(ms), goal: { atMost: 50 } },
  });
}
