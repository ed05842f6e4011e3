/** Measures the project's performance goals in one run, and prints the figures next to the goals. */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";

import { atDesk, comanda, loadedBy, median, paired, program } from "./processes.js";
import { ratio, run, serve, used, type Desk } from "./processes.js";

/** Goals differ for Node 20 and for newer versions, which cache compiled code. */
const isNew = Number(process.versions.node.split(".")[0]) > 22;
const limitsOff = { COMANDA_RATE_LIMITS: "off" };
const nothing = { args: ["-e", "0"] };
let [goals, reached, broken] = [0, 0, 0];

/** Prints a figure, with its goal if it has one. The note has the absolute values of each ratio. */
function tell(
  what: string,
  unit: "x" | "ms" | "MiB" | "KB" | "",
  figure: number,
  goal?: number,
  note = "",
  isAtLeast = false,
) {
  const isMet = goal !== undefined && (isAtLeast ? figure >= goal : figure <= goal);
  goals += Number(goal !== undefined);
  reached += Number(isMet);
  const wanted = goal === undefined ? "" : `${isAtLeast ? ">=" : "<="} ${goal}`;
  const verdict = goal === undefined ? "" : isMet ? "pass" : "MISS";
  const cells = [what.padEnd(58), figure.toFixed(2).padStart(9), unit.padEnd(4), wanted.padEnd(8)];
  console.log([...cells, verdict.padEnd(5), note].join(" ").trimEnd());
}

const msOf = (values: readonly number[]) => `${median(values).toFixed(1)} ms`;

/** Measures commands without a call, as multiples of Node's own start. */
function startup({ comanda: at }: Desk) {
  const [usual, ofState] = isNew ? [2, 2.2] : [2.2, 2.5];
  const lines: readonly (readonly [line: string, atMost: number, exitCode?: number])[] = [
    ["--version", 1.2],
    ["--help", usual],
    ["orders dispatch --help", usual],
    // A usage error.
    ["orders dispatch", usual, 2],
    ["complete bash comanda", usual],
    ["stores list", ofState],
    ["status", ofState],
    ["history", ofState],
  ];
  const own = lines.map(([line, , exitCode = 0]) => [line, { ...at(line), exitCode }] as const);
  const ms = paired({ nothing, ...Object.fromEntries(own) }, 25);
  for (const [line, atMost] of lines) {
    const took = ms[line as keyof typeof ms];
    tell(line, "x", ratio(took, ms.nothing), atMost, `${msOf(took)}; node -e 0: ${msOf(ms.nothing)}`);
  }
}

/** Measures one signed call over loopback HTTP, from the command line to the printed result. */
function oneCall({ comanda: at, url }: Desk) {
  // Rate limits are on because they are part of a call. All rounds together send fewer than 300 requests in 3 minutes.
  const dispatch = at("orders dispatch 4711 --json");
  const script = `fetch("${url}/api/partner/v1/orders/4711/dispatch", { method: "POST", headers: { authorization: "Bearer bench-token" } })
    .then(async (answer) => console.log(JSON.stringify({ status: answer.status, body: await answer.text() })))`;
  const bare = { args: ["-e", script] };
  // The limit of 5 requests per minute would stop the rounds.
  const summary = at("summary --period yesterday --fresh --json", limitsOff);
  // The first round sends the request, and the others use the cache.
  const kept = at("summary --period last-month --json", limitsOff);
  const ms = paired({ nothing, dispatch, bare, summary, kept }, 25);
  const note = `${msOf(ms.dispatch)}; node -e 0: ${msOf(ms.nothing)}`;
  tell("orders dispatch --json", "x", ratio(ms.dispatch, ms.nothing), isNew ? 2.8 : 3.6, note);
  tell("summary --json, limits off", "x", ratio(ms.summary, ms.nothing), 4.2);
  tell("summary --json, kept", "x", ratio(ms.kept, ms.nothing), 2.8);
  const beside = "orders dispatch --json against a bare script with fetch";
  tell(beside, "x", ratio(ms.dispatch, ms.bare), isNew ? undefined : 0.75, `the script: ${msOf(ms.bare)}`);
  const peaks = Array.from({ length: 5 }, () => used(dispatch).MiB);
  tell("orders dispatch --json: memory", "MiB", median(peaks), 65);
}

/** Counts what one call loads, which doesn't depend on the machine. */
function loading({ comanda: at }: Desk) {
  const dispatch = loadedBy(at("orders dispatch 4711 --json"));
  const summary = loadedBy(at("summary --period yesterday --fresh --json", limitsOff));
  const floor = new Set(loadedBy(nothing).modules);
  tell("orders dispatch --json: JavaScript", "KB", dispatch.bytes / 1000, 490, `${dispatch.files} files`);
  tell("summary --json, fetched: JavaScript", "KB", summary.bytes / 1000, 600, `${summary.files} files`);
  const more = dispatch.modules.filter((name) => !floor.has(name)).length;
  tell("orders dispatch --json: Node's own modules beyond node -e 0", "", more, 60);
}

/** Measures many orders from stdin, on a bare server without limits. */
function bulk({ comanda: at, folder }: Desk) {
  const dispatch = (count: number) => {
    const input = path.join(folder, `${count}.txt`);
    writeFileSync(input, Array.from({ length: count }, (_, index) => String(100_000 + index)).join("\n"));
    return used({ ...at("orders dispatch - --json", limitsOff), input });
  };
  const few = Array.from({ length: 5 }, () => dispatch(10_000));
  tell("10,000 ids from stdin: CPU time of an order", "ms", median(few.map(({ ms }) => ms)) / 10_000, 1);
  const growth = dispatch(100_000).MiB / median(few.map(({ MiB }) => MiB));
  tell("100,000 ids: memory, of that of 10,000", "x", growth, 1.2);
}

/** Measures sales figures of three years, which take 7 calls in sequence. */
function summary({ comanda: at, url }: Desk) {
  // A few days less than the three years that the service looks back.
  const date = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const period = `--from ${date(1090)} --to ${date(0)} --tz UTC`;
  const own = at(`grouped --by day ${period} --fresh --json`, limitsOff);
  const asked = `${url}/api/partner/v1/orders/summary/grouped?group_by=day`;
  const script = `const { request } = require("undici");
    (async () => {
      const groups = [];
      for (let call = 0; call < 7; call += 1) {
        const { body } = await request("${asked}", { headers: { authorization: "Bearer bench-token" } });
        groups.push(...(await body.json()).groups);
      }
      console.log(JSON.stringify({ group_by: "day", groups }));
    })()`;
  const ms = paired({ own, bare: { args: ["-e", script] } }, 15);
  const what = "36 months of grouped --by day, against a bare undici script";
  tell(what, "x", ratio(ms.own, ms.bare), 1.6, `${msOf(ms.own)}; ${msOf(ms.bare)}`);
}

/** Compares the emulator with a bare server. */
async function emulator() {
  /** Returns the status changes per second. Each order is dispatched, delivered and finalized, so that every change succeeds. */
  async function changesASecond(args: readonly string[], kind: "bare" | "emulator"): Promise<number> {
    const { url, pid, stop } = await serve(args);
    try {
      return Number(run({ args: [program("status-changes"), url, kind, "8000", pid] }).stdout);
    } finally {
      await stop();
    }
  }
  const start = [comanda, ..."emulator start --port 0 --orders 0 --no-limits --json".split(" ")];
  const rates: number[] = [];
  const notes: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    // Both servers restart in each round and get the same number of warm-up requests. The emulator creates its orders first.
    const fast = await changesASecond([program("stub-server")], "bare");
    const ours = await changesASecond(start, "emulator");
    rates.push(ours / fast);
    notes.push(`${Math.round(ours)}/s of ${Math.round(fast)}/s`);
  }
  const what = "emulator: status changes a processor second, of a bare server's";
  tell(what, "x", median(rates), 0.6, notes.join(", "), true);
}

const parts = {
  startup: () => atDesk(startup),
  "one-call": () => atDesk(oneCall),
  loading: () => atDesk(loading),
  bulk: () => atDesk(bulk),
  summary: () => atDesk(summary),
  emulator,
};
const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : Object.keys(parts);
const title = `Node ${process.version}, ${cpus().length} processors.`;
console.log(`${title} x: median of the ratios of paired runs.\n`);
for (const [name, measure] of Object.entries(parts)) {
  if (!names.includes(name)) continue;
  try {
    await measure();
  } catch (error) {
    broken += 1;
    console.log(`${name}: could not be measured: ${error instanceof Error ? error.message : String(error)}`);
  }
}
console.log(`\n${reached} of ${goals} goals met.`);
// A missed goal isn't a failure, because a busy machine misses goals. Only a program that doesn't run is.
process.exitCode = broken > 0 ? 1 : 0;
