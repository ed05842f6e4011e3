/** Many orders from stdin against load generators that do nothing else, at a bare server, limits off. */
import { spawnSync } from "node:child_process";
import path from "node:path";

import { openDesk, type Desk } from "./desk.js";
import { median, type Part, type Report } from "./figure.js";
import { node, paired, peakMiB, ratio, timed, usage, type Command } from "./processes.js";

const rounds = 5;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `${100_000 + index}`).join("\n");
const env = { COMANDA_RATE_LIMITS: "off" };

export const bulk: Part = {
  name: "bulk",
  async run(report) {
    const desk = await openDesk();
    try {
      const tenThousand = desk.comanda("orders dispatch - --json", {
        input: desk.file("10000.txt", ids(10_000)),
        env,
      });
      const hundredThousand = desk.comanda("orders dispatch - --json", {
        input: desk.file("100000.txt", ids(100_000)),
        env,
      });
      const ab = apacheBench(desk, 10_000);
      const peer = ab ?? autocannon(desk, 10_000);
      const peerName = ab ? "ab -k -c 32" : "autocannon -c 32";
      const ms = await paired({ comanda: tenThousand, peer }, rounds);
      report.figure({
        what: `10,000 ids from stdin, against ${peerName}`,
        unit: "x",
        measured: ratio(ms.comanda, ms.peer),
        goal: { atMost: 1.25 },
        note: `${median(ms.comanda).toFixed(0)} ms; ${median(ms.peer).toFixed(0)} ms`,
      });
      if (!ab) report.skip("10,000 ids against ab", "ab (apache2-utils) is not installed");

      const rates: number[] = [];
      const notes: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        const { ms: took } = await timed(hundredThousand);
        const { stdout } = await timed(autocannon(desk, 100_000));
        const peerRate = requestsASecond(stdout);
        rates.push(100_000 / (took / 1000) / peerRate);
        notes.push(`${Math.round(100_000 / (took / 1000))}/s of ${Math.round(peerRate)}/s`);
      }
      report.figure({
        what: "100,000 ids: requests a second, of autocannon's",
        unit: "x",
        measured: median(rates),
        goal: { atLeast: 0.5 },
        note: notes.join(", "),
      });

      reportJournal(report, desk);

      const [small, large] = [peakMiB(tenThousand), peakMiB(hundredThousand)];
      if (small === undefined || large === undefined) {
        report.skip("memory of 10,000 and 100,000 ids", "GNU time (/usr/bin/time) is not installed");
        return;
      }
      report.figure({ what: "10,000 ids: memory", unit: "MiB", measured: small, goal: { atMost: 110 } });
      report.figure({ what: "100,000 ids: memory", unit: "MiB", measured: large, goal: { atMost: 110 } });
      report.figure({
        what: "100,000 ids: memory, of that of 10,000",
        unit: "x",
        measured: large / small,
        goal: { atMost: 1.2 },
      });
    } finally {
      await desk.close();
    }
  },
};

/** Where a store's credential comes from the environment and there is no folder to be had, nothing is written. */
function reportJournal(report: Report, desk: Desk): void {
  const input = desk.file("journal.txt", ids(100_000));
  const credential = { COMANDA_BASE_URL: desk.url, COMANDA_ACCESS_TOKEN: "bench-token" };
  const dispatch = (folder: string) =>
    usage(
      desk.comanda("orders dispatch - --json", {
        input,
        env: { ...env, ...credential, COMANDA_CONFIG_DIR: folder },
      }),
    );
  const what = "100,000 ids: processor's time, of a run that writes no journal";
  const written: number[] = [];
  const unwritten: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const [one, other] = [dispatch(desk.folder), dispatch("/dev/null/none")];
    if (!one || !other) {
      report.skip(what, "GNU time (/usr/bin/time) is not installed");
      return;
    }
    written.push(one.seconds);
    unwritten.push(other.seconds);
  }
  report.figure({
    what,
    unit: "x",
    measured: ratio(written, unwritten),
    goal: { atMost: 1.03 },
    note: `${median(written).toFixed(1)} s; ${median(unwritten).toFixed(1)} s`,
  });
}

function apacheBench(desk: Desk, requests: number): Command | undefined {
  if (spawnSync("ab", ["-V"]).error) return undefined;
  const headers = ["-H", "Authorization: Bearer bench-token"];
  const url = `${desk.url}/api/partner/v1/orders/4711/dispatch`;
  return { args: ["ab", "-q", "-k", "-n", String(requests), "-c", "32", "-m", "POST", ...headers, url] };
}

function autocannon(desk: Desk, requests: number): Command {
  const program = path.resolve("node_modules/autocannon/autocannon.js");
  const headers = ["-H", "authorization=Bearer bench-token"];
  const url = `${desk.url}/api/partner/v1/orders/4711/dispatch`;
  return {
    args: [node, program, "-j", "-n", "-c", "32", "-a", String(requests), "-m", "POST", ...headers, url],
  };
}

/** autocannon's own count leaves out its start; its average of whole seconds is no use for a short run. */
function requestsASecond(json: string): number {
  const result: unknown = JSON.parse(json);
  const field = (of: unknown, name: string) =>
    typeof of === "object" && of !== null ? (of as Readonly<Record<string, unknown>>)[name] : undefined;
  const [total, seconds] = [
    Number(field(field(result, "requests"), "total")),
    Number(field(result, "duration")),
  ];
  if (!(total > 0 && seconds > 0)) throw new Error(`autocannon's result is not understood: ${json}`);
  return total / seconds;
}
