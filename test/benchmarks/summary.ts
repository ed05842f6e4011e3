/** Sales figures of three years: 7 calls, one after the other. */
import { openDesk } from "./desk.js";
import { median, type Part } from "./figure.js";
import { node, paired, program, ratio } from "./processes.js";

const day = 24 * 60 * 60_000;
const date = (at: number) => new Date(at).toISOString().slice(0, 10);

export const summary: Part = {
  name: "summary",
  async run(report) {
    const desk = await openDesk();
    try {
      // A few days less than the three years that the service looks back.
      const period = `--from ${date(Date.now() - 1090 * day)} --to ${date(Date.now())} --tz UTC`;
      const command = desk.comanda(`grouped --by day ${period} --fresh --json`, {
        env: { COMANDA_RATE_LIMITS: "off" },
      });
      const script = program("undici-calls");
      const url = `${desk.url}/api/partner/v1/orders/summary/grouped?group_by=day`;
      const ms = await paired({ comanda: command, bare: { args: [node, script, url, "7"] } }, 15);
      report.figure({
        what: "36 months of grouped --by day, against a bare undici script",
        unit: "x",
        measured: ratio(ms.comanda, ms.bare),
        goal: { atMost: 1.6 },
        note: `${median(ms.comanda).toFixed(0)} ms; ${median(ms.bare).toFixed(0)} ms`,
      });
    } finally {
      await desk.close();
    }
  },
};
