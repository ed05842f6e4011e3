/** One signed call over loopback HTTP, from the command line to the printed result. */
import path from "node:path";

import { openDesk } from "./desk.js";
import { median, type Part } from "./figure.js";
import { installedProgram, medianPeakMiB, node, paired, program, ratio } from "./processes.js";

const rounds = 25;
const major = Number(process.versions.node.split(".")[0]);

export const oneCall: Part = {
  name: "one-call",
  async run(report) {
    const desk = await openDesk();
    // No order is changed there, which would make its figures doubtful. The first round asks.
    const keeping = await openDesk();
    // Where figures are kept, a dispatch notes beside them that an order has changed.
    const both = await openDesk();
    try {
      const off = { env: { COMANDA_RATE_LIMITS: "off" } };
      // To count against the rate limit is part of a call: all rounds together stay below 300 in 3 minutes.
      const dispatch = desk.comanda("orders dispatch 4711 --json");
      const script = program("fetch-call");
      const installed = installedProgram(path.join(desk.folder, "installed"));
      const ms = await paired(
        {
          nothing: { args: [node, "-e", "0"] },
          dispatch,
          installed: desk.comanda("orders dispatch 4711 --json", { ...off, script: installed }),
          unlimited: desk.comanda("orders dispatch 4711 --json", off),
          fetch: { args: [node, script, `${desk.url}/api/partner/v1/orders/4711/dispatch`] },
          // 5 in a minute would not do.
          summary: both.comanda("summary --period yesterday --fresh --json", off),
          table: both.comanda("summary --period yesterday --fresh", off),
          dispatchBeside: both.comanda("orders dispatch 4711 --json"),
          kept: keeping.comanda("summary --period last-month --json", off),
        },
        rounds,
      );
      const goal = { atMost: major >= 22 ? 2.8 : 3.6 };
      const note = `${median(ms.dispatch).toFixed(1)} ms; node -e 0: ${median(ms.nothing).toFixed(1)} ms`;
      const [calls, sums] = ["orders dispatch --json", "summary --json, limits off"];
      report.figure({ what: calls, unit: "x", measured: ratio(ms.dispatch, ms.nothing), goal, note });
      report.figure({
        what: `${calls}, where sales figures are kept`,
        unit: "x",
        measured: ratio(ms.dispatchBeside, ms.nothing),
      });
      report.figure({
        what: `${calls}, COMANDA_RATE_LIMITS=off`,
        unit: "x",
        measured: ratio(ms.unlimited, ms.nothing),
      });
      report.figure({
        what: `${calls}, COMANDA_RATE_LIMITS=off: the installed package against the clone`,
        unit: "x",
        measured: ratio(ms.installed, ms.unlimited),
        goal: { atMost: 1.1 },
      });
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
        what: "summary drawn as a table: more than --json",
        unit: "x",
        measured: ratio(ms.table, ms.nothing) - ratio(ms.summary, ms.nothing),
        goal: { atMost: 0.4 },
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
      await both.close();
      await keeping.close();
      await desk.close();
    }
  },
};
