/** One signed call over loopback HTTP, from the command line to the printed result. */
import { openDesk } from "./desk.js";
import { median, type Part } from "./figure.js";
import { medianPeakMiB, node, paired, program, ratio } from "./processes.js";

const rounds = 25;
const major = Number(process.versions.node.split(".")[0]);

export const oneCall: Part = {
  name: "one-call",
  async run(report) {
    const desk = await openDesk();
    // The first round asks.
    const keeping = await openDesk();
    try {
      const off = { env: { COMANDA_RATE_LIMITS: "off" } };
      // To count against the rate limit is part of a call: all rounds together stay below 300 in 3 minutes.
      const dispatch = desk.comanda("orders dispatch 4711 --json");
      const script = program("fetch-call");
      const ms = await paired(
        {
          nothing: { args: [node, "-e", "0"] },
          dispatch,
          fetch: { args: [node, script, `${desk.url}/api/partner/v1/orders/4711/dispatch`] },
          // 5 in a minute would not do.
          summary: desk.comanda("summary --period yesterday --fresh --json", off),
          kept: keeping.comanda("summary --period last-month --json", off),
        },
        rounds,
      );
      const goal = { atMost: major >= 22 ? 2.8 : 3.6 };
      const note = `${median(ms.dispatch).toFixed(1)} ms; node -e 0: ${median(ms.nothing).toFixed(1)} ms`;
      const [calls, sums] = ["orders dispatch --json", "summary --json, limits off"];
      report.figure({ what: calls, unit: "x", measured: ratio(ms.dispatch, ms.nothing), goal, note });
      report.figure({
        what: sums,
        unit: "x",
        measured: ratio(ms.summary, ms.nothing),
        goal: { atMost: 4.2 },
      });
      report.figure({
        what: "summary --json, kept",
        unit: "x",
        measured: ratio(ms.kept, ms.nothing),
        goal: { atMost: 2.8 },
      });
      report.figure({
        what: `${calls} against a bare script with fetch`,
        unit: "x",
        measured: ratio(ms.dispatch, ms.fetch),
        ...(major < 22 && { goal: { atMost: 0.75 } }),
        note: `the script: ${median(ms.fetch).toFixed(1)} ms`,
      });
      const peak = medianPeakMiB(dispatch);
      if (peak === undefined) report.skip(`${calls}: memory`, "GNU time (/usr/bin/time) is not installed");
      else report.figure({ what: `${calls}: memory`, unit: "MiB", measured: peak, goal: { atMost: 65 } });
    } finally {
      await keeping.close();
      await desk.close();
    }
  },
};
