/** The emulator against a bare server. */
import { median, type Part } from "./figure.js";
import { comanda, node, program, serve, timed } from "./processes.js";

const orders = 8_000;

export const emulator: Part = {
  name: "emulator",
  async run(report) {
    if (process.platform !== "linux") {
      report.skip("emulator: status changes", "processor time is read from /proc, which this system has not");
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
      goal: { atLeast: 0.6 },
      note: notes.join(", "),
    });
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
