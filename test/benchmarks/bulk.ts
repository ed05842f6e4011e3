/** Many orders from stdin against load generators that do nothing else, at a bare server, limits off. */
import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";

import { openDesk, withoutFolder, type Desk } from "./desk.js";
import { median, type Part, type Report } from "./figure.js";
import { node, paired, peakMiB, program, ratio, timed, usage, type Command } from "./processes.js";

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
      installAutocannon(desk);
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

/**
 * Orders that go out together on loopback, 16 at once, share one write to the disk: so many were counted.
 */
const group = 11;

/**
 * On loopback an order takes so little that no journal on the disk is a small part of it: the barest one tells how small
 * a part there could be. What a person waits for is measured in `latency`.
 */
function reportJournal(report: Report, desk: Desk): void {
  const input = desk.file("journal.txt", ids(100_000));
  const dispatch = (more: Readonly<Record<string, string>>) =>
    usage(desk.comanda("orders dispatch - --json", { input, env: { ...env, ...desk.credential, ...more } }));
  const barest = program("barest-journal");
  const what = "100,000 ids: processor's time that the journal takes, of the barest one's";
  const seconds = { written: [] as number[], unwritten: [] as number[], barest: [] as number[] };
  for (let round = 0; round < 3; round += 1) {
    const written = dispatch({});
    const unwritten = dispatch(withoutFolder);
    const least = usage({
      args: [node, barest, path.join(desk.folder, `barest-${round}.db`), "100000", String(group)],
    });
    if (!written || !unwritten || !least) {
      report.skip(what, "GNU time (/usr/bin/time) is not installed");
      return;
    }
    seconds.written.push(written.seconds);
    seconds.unwritten.push(unwritten.seconds);
    seconds.barest.push(least.seconds);
  }
  const [written, unwritten, least] = [seconds.written, seconds.unwritten, seconds.barest].map(median);
  report.figure({
    what,
    unit: "x",
    measured: ((written ?? 0) - (unwritten ?? 0)) / (least ?? 0),
    goal: { atMost: 1.5 },
    note: `${written?.toFixed(1)} s with a journal, ${unwritten?.toFixed(1)} s without; the barest: ${least?.toFixed(1)} s`,
  });
}

function apacheBench(desk: Desk, requests: number): Command | undefined {
  if (spawnSync("ab", ["-V"]).error) return undefined;
  const headers = ["-H", "Authorization: Bearer bench-token"];
  const url = `${desk.url}/api/partner/v1/orders/4711/dispatch`;
  return { args: ["ab", "-q", "-k", "-n", String(requests), "-c", "32", "-m", "POST", ...headers, url] };
}

/** For this alone: among the packages of the project its 44 would be a second of each `npm ci`. */
function installAutocannon({ folder }: Desk): void {
  const install = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--silent"];
  execFileSync("npm", [...install, "autocannon@9.0.0"], { shell: process.platform === "win32" });
}

function autocannon(desk: Desk, requests: number): Command {
  const program = path.join(desk.folder, "node_modules", "autocannon", "autocannon.js");
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
