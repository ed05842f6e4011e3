/** A service that takes its time: what counts is that as many orders are under way as may be. */
import { openDesk } from "./desk.js";
import { median, type Part } from "./figure.js";
import { timed } from "./processes.js";

const delayMs = 20;
const concurrency = 16;
const count = 2_000;

export const latency: Part = {
  name: "latency",
  async run(report) {
    const desk = await openDesk(delayMs);
    try {
      const orders = Array.from({ length: count }, (_, index) => `${1000 + index}`);
      const command = desk.comanda(`orders dispatch - --json --concurrency ${concurrency}`, {
        input: desk.file("ids.txt", orders.join("\n")),
        env: { COMANDA_RATE_LIMITS: "off" },
      });
      const best = concurrency / (delayMs / 1000);
      const rates: number[] = [];
      for (let round = 0; round < 5; round += 1) rates.push(count / ((await timed(command)).ms / 1000));
      const rate = median(rates);
      report.figure({
        what: `a service that takes ${delayMs} ms, ${concurrency} at once: of concurrency / latency`,
        unit: "%",
        measured: (rate / best) * 100,
        goal: { atLeast: 90 },
        note: `${Math.round(rate)}/s of ${best}/s; timers of 20 ms fire after 20 to 21 ms`,
      });
    } finally {
      await desk.close();
    }
  },
};
