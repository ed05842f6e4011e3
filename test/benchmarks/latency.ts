/** A service that takes its time: what counts is that as many orders are under way as may be. */
import { openDesk, withoutFolder, type Desk } from "./desk.js";
import { median, type Part, type Report } from "./figure.js";
import { paired, ratio, timed } from "./processes.js";

const delayMs = 20;
/** Of a list so many are out at once. */
const concurrency = 16;
const count = 2_000;

const line = "orders dispatch - --json";
const env = { COMANDA_RATE_LIMITS: "off" };

export const latency: Part = {
  name: "latency",
  async run(report) {
    const desk = await openDesk(delayMs);
    try {
      const orders = Array.from({ length: count }, (_, index) => `${1000 + index}`);
      const input = desk.file("ids.txt", orders.join("\n"));
      const command = desk.comanda(line, { input, env });
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
      await reportJournal(report, desk, input);
    } finally {
      await desk.close();
    }
  },
};

/** What whoever waits for a run waits for its journal. The processor's time is in `bulk`. */
async function reportJournal(report: Report, desk: Desk, input: string): Promise<void> {
  const ms = await paired(
    {
      written: desk.comanda(line, { input, env: { ...env, ...desk.credential } }),
      unwritten: desk.comanda(line, { input, env: { ...env, ...desk.credential, ...withoutFolder } }),
    },
    5,
  );
  report.figure({
    what: `a service that takes ${delayMs} ms: a run with its journal, of one without`,
    unit: "x",
    measured: ratio(ms.written, ms.unwritten),
    goal: { atMost: 1.03 },
    note: `${median(ms.written).toFixed(0)} ms; ${median(ms.unwritten).toFixed(0)} ms`,
  });
}
