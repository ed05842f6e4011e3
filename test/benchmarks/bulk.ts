/** Many orders from stdin against a load generator that does nothing else, at a bare server, limits off. */
import { execFileSync } from "node:child_process";
import path from "node:path";

import { openDesk } from "./desk.js";
import { median, type Part } from "./figure.js";
import { node, paired, peakMiB, ratio, type Command } from "./processes.js";

const ids = (count: number) => Array.from({ length: count }, (_, index) => `${100_000 + index}`).join("\n");

export const bulk: Part = {
  name: "bulk",
  async run(report) {
    const desk = await openDesk();
    try {
      const dispatch = (count: number) =>
        desk.comanda("orders dispatch - --json", {
          input: desk.file(`${count}.txt`, ids(count)),
          env: { COMANDA_RATE_LIMITS: "off" },
        });
      // For this alone: among the packages of the project its 44 would be a second of each `npm ci`.
      const install = ["install", "--prefix", desk.folder, "--ignore-scripts", "--no-audit", "--silent"];
      execFileSync("npm", [...install, "autocannon@9.0.0"], { shell: process.platform === "win32" });
      const generator = path.join(desk.folder, "node_modules", "autocannon", "autocannon.js");
      const post = ["-m", "POST", "-H", "authorization=Bearer bench-token"];
      const url = `${desk.url}/api/partner/v1/orders/4711/dispatch`;
      const peer: Command = { args: [node, generator, "-j", "-n", "-c", "32", "-a", "10000", ...post, url] };
      const ms = await paired({ comanda: dispatch(10_000), peer }, 5);
      report.figure({
        what: "10,000 ids from stdin, against autocannon -c 32",
        unit: "x",
        measured: ratio(ms.comanda, ms.peer),
        goal: { atMost: 2.5 },
        note: `${median(ms.comanda).toFixed(0)} ms; ${median(ms.peer).toFixed(0)} ms`,
      });
      const [small, large] = [peakMiB(dispatch(10_000)), peakMiB(dispatch(100_000))];
      const what = "100,000 ids: memory, of that of 10,000";
      if (small === undefined || large === undefined)
        report.skip(what, "GNU time (/usr/bin/time) is not installed");
      else report.figure({ what, unit: "x", measured: large / small, goal: { atMost: 1.2 } });
    } finally {
      await desk.close();
    }
  },
};
