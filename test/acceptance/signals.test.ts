import { constants, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { beforeAll, describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/clock.js";
import { ComandaError } from "../../src/base/errors.js";
import type { OrderLine } from "../../src/core/orders.js";
import { shellWord } from "../../src/state/private-file.js";
import { Bench, containing, parseJsonLines } from "../support/bench.js";
import { fullPipe, namedPipe, openPipe } from "../support/pipes.js";
import { hasOpen, isCatching } from "../support/process-state.js";
import { comandaCommand, type Running } from "../support/program.js";
import { readSession } from "../support/stored-session.js";
import { shellAtTerminal, terminalAvailable } from "../support/terminal.js";

const bench = await Bench.open();
await bench.signIn();

describe("a signal", () => {
  test("ends a command that waits for stdin", async () => {
    const running = bench.machine.start(["orders", "dispatch", "-"], { input: "", stdinStaysOpen: true });
    await isCatching(running.child.pid);
    const since = performance.now();
    running.child.kill("SIGHUP");
    expect(await running.finished).toMatchObject({ code: 143, stdout: "", stderr: "" });
    // A command that is stuck ends only after 3.5 s.
    expect(performance.now() - since).toBeLessThan(3_000);
  });

  test("ends a list if it is the second signal, and requests without an answer are unknown", async () => {
    const ids = await bench.orders(20);
    const late = ids.slice(2, 18).map((id) => ({ delay: 30_000, path: `/${id}/`, when: "after" }) as const);
    bench.emulator.service.faults.set(late);
    bench.forgetRequests();
    const input = `${ids.join("\n")}\n`;
    const running = bench.machine.start("orders dispatch - --json", { input });
    await expect.poll(() => bench.requests().length).toBe(18);
    running.child.kill("SIGINT");
    await running.lineOn("stderr", /To stop waiting, press Ctrl-C again/);
    // A second signal within 0.3 s counts as the same Ctrl-C.
    await delay(350);
    const second = performance.now();
    running.child.kill("SIGINT");
    const { code, stdout } = await running.finished;
    expect(code).toBe(130);
    // Without the second signal, comanda waits 3 s for the answers.
    expect(performance.now() - second).toBeLessThan(2_500);
    const printed = outcomesIn(stdout);
    const idsOf = (outcome: string) => ids.filter((id) => printed[id] === outcome);
    const [done, unknown, skipped] = [idsOf("done"), idsOf("unknown"), idsOf("skipped")];
    expect(done).toHaveLength(2);
    expect(unknown).toHaveLength(16);
    expect(skipped).toHaveLength(2);
    const journal = outcomesIn((await bench.inProcess("history --json")).stdout);
    for (const id of ids) expect(journal[id], id).toBe(skipped.includes(id) ? undefined : printed[id]);
    bench.emulator.service.faults.set([]);
    expect(bench.requests()).toHaveLength(18);
  });

  test("counts once if it arrives twice within 80 ms, as npx repeats a Ctrl-C, and the request is finished", async () => {
    const id = await bench.order();
    bench.forgetRequests();
    bench.emulator.service.faults.set([{ delay: 600, operation: "assignDriver", when: "after" }]);
    const running = bench.machine.start(["driver", "assign", id, "11", "--json"]);
    await expect.poll(() => bench.requests().length, { interval: 10 }).toBe(1);
    running.child.kill("SIGINT");
    await delay(80);
    running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.finished;
    bench.emulator.service.faults.set([]);
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "done", driver: { id: 11 } });
    expect(stderr).toMatch(/^Interrupted\. Waiting for pending answers, at most 3 s\./);
  });

  test("lets a renewed sign-in be saved, and a message says what comanda waits for", async () => {
    await bench.signInExpired(5);
    const generation = () => readSession(bench.machine.configFolder).tokens.generation;
    const before = generation();
    const { service } = bench.emulator;
    service.faults.set([{ delay: 900, path: "/oauth/token", when: "after" }]);
    // The timers that end a stuck command run ten times as fast.
    const file = path.join(bench.machine.folder, "short-timers.cjs");
    const shorter = "(run, ms, ...rest) => setTimeout(run, ms >= 3_000 ? ms / 10 : ms, ...rest)";
    writeFileSync(file, `const { setTimeout } = globalThis; globalThis.setTimeout = ${shorter};`);
    const running = bench.machine.start(["orders", "dispatch", "7", "--timeout", "300ms"], {
      env: { NODE_OPTIONS: `--require ${JSON.stringify(file)}` },
    });
    await expect.poll(() => service.server.counters.refreshes, { interval: 10 }).toBe(1);
    running.child.kill("SIGINT");
    const { code, stderr } = await running.finished;
    service.faults.set([]);
    expect({ code, generation: generation() }).toEqual({ code: 130, generation: before + 1 });
    expect(stderr).toMatch(
      /Waiting for work that must finish[^]* interrupted\. The order was not changed\.$/m,
    );
  });
});

describe.skipIf(process.platform !== "linux")("a wait for the other end of a named pipe", () => {
  const env = bench.keyEnvironment();
  const reporting = {
    env: { COMANDA_RATE_LIMITS: "off" },
    line: (fifo: string) => `report --period yesterday --tz UTC --out ${fifo}`,
  };
  beforeAll(() => {
    bench.emulator.service.limiter.enabled = false;
  });

  /** @throws if the process is still running after 3 s; a command that is stuck ends after 3.5 s at the earliest */
  async function codeAfter(running: Running, signal: NodeJS.Signals): Promise<number | null> {
    running.child.kill(signal);
    const late = delay(3_000, undefined, { ref: false }).then(() => {
      running.child.kill("SIGKILL");
      throw new Error(`still running 3 s after ${signal}`);
    });
    return (await Promise.race([running.finished, late])).code;
  }

  test.each<[line: string, writer: string, NodeJS.Signals, number]>([
    ["prefill FIFO", "no writer", "SIGINT", 130],
    ["emulator exec --stores FIFO -- true", "a silent writer", "SIGTERM", 143],
  ])("ends for a reader: %s with %s, %s", async (line, what, signal, code) => {
    const fifo = namedPipe();
    const running = bench.machine.start(line.replace("FIFO", fifo), { env });
    await hasOpen(running.child.pid, fifo);
    if (what !== "no writer") openPipe(fifo, constants.O_WRONLY);
    expect(await codeAfter(running, signal)).toBe(code);
  });

  test.each([
    ["no reader opens", namedPipe],
    ["a reader doesn't read", () => fullPipe().fifo],
  ])("ends for a report that %s", async (_, make) => {
    const interruption = new AbortController();
    const sleep = (ms: number, signal?: AbortSignal) => {
      interruption.abort(new ComandaError("interrupted", "Interrupted."));
      return systemClock.sleep(ms, signal);
    };
    const ended = await bench.inProcess(reporting.line(make()), {
      env: reporting.env,
      clock: { ...systemClock, sleep },
      signal: interruption.signal,
    });
    expect(ended).toEqual({ code: 130, stdout: "", stderr: "" });
  });

  test("ends when the other end arrives, and everything is read and written", async () => {
    const fifo = namedPipe();
    const [read] = await Promise.all([
      bench.inProcess(`prefill ${fifo} --dry-run`, { env }),
      bench.machine.shell(`(printf 'order_type: '; sleep 0.1; echo takeout) > ${fifo}`),
    ]);
    expect(read).toMatchObject({ code: 0, stdout: containing('"takeout"') });
    const [page, saved] = await Promise.all([
      bench.machine.shell(`sleep 0.1; cat ${fifo}`),
      bench.inProcess(reporting.line(fifo), { env: reporting.env }),
    ]);
    expect(saved.code).toBe(0);
    expect(page.stdout).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
  });

  test("isn't started by summary --append, which requires a file that it can read again", async () => {
    const fifo = namedPipe();
    const ran = await bench.inProcess(`summary --period yesterday --append ${fifo}`);
    expect(ran).toMatchObject({ code: 2, stderr: containing(`${fifo} is not a regular file.`) });
  });

  test.skipIf(!terminalAvailable)("ends for a terminal that is read as a file", async () => {
    const file = path.join(bench.machine.folder, "pid");
    const words = [file, ...comandaCommand, "prefill", "/dev/tty"].map(shellWord).join(" ");
    const line = `sh -c 'echo $$ > "$0"; exec "$@"' ${words}; echo "code $?"`;
    const ended = shellAtTerminal(bench.machine, line, { env });
    const written = () => existsSync(file) && readFileSync(file, "utf8");
    await expect.poll(written, { timeout: 10_000 }).toMatch(/\d\n/);
    const pid = Number(readFileSync(file, "utf8"));
    await hasOpen(pid, "/dev/tty");
    process.kill(pid, "SIGINT");
    expect((await ended).stdout).toContain("code 130");
  });
});

/** Returns the outcome of each order id. */
function outcomesIn(stdout: string): Readonly<Record<string, string>> {
  const rows = parseJsonLines(stdout) as readonly OrderLine[];
  return Object.fromEntries(rows.map(({ order_id: id, outcome }) => [id, outcome]));
}
