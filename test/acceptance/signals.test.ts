import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import * as z from "zod/mini";

import { afterAll, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { snapshot } from "../support/folder-state.js";
import { parseJsonLines } from "../support/json.js";

const bench = await Bench.open();
afterAll(() => bench.close());
await bench.signIn();

const lineSchema = z.looseObject({ order_id: z.string(), outcome: z.string() });

describe("a signal", () => {
  test("ends a sign-in: the port is free, nothing is stored or said", async () => {
    const before = snapshot(bench.machine.configFolder);
    const running = bench.machine.start(["login", "--no-browser", "--store", "outra", "--env", "test"]);
    await running.lineOn("stderr", /^http:/);
    running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.finished;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).not.toMatch(/error|^\s+at /m);
    expect(snapshot(bench.machine.configFolder)).toEqual(before);
    await expect(fetch(bench.emulator.redirectUri)).rejects.toThrow();
  });

  test("ends a command at once that waits for stdin", async () => {
    const running = bench.machine.start(["orders", "dispatch", "-"], { input: "", stdinStaysOpen: true });
    await isCatching(running.child.pid);
    const since = performance.now();
    running.child.kill("SIGHUP");
    expect(await running.finished).toMatchObject({ code: 143, stdout: "", stderr: "" });
    // One that is stuck is ended after 3.5 s.
    expect(performance.now() - since).toBeLessThan(3_000);
  });

  test("a second one ends a run of many at once: what is out is unknown, in the journal too", async () => {
    const ids = await bench.orders(20);
    bench.emulator.service.faults.set(
      ids.slice(2, 18).map((id) => ({ delay: 30_000, path: `/${id}/`, when: "after" })),
    );
    bench.forgetRequests();
    const input = `${ids.join("\n")}\n`;
    const running = bench.machine.start("orders dispatch - --json".split(" "), { input });
    await expect.poll(() => bench.requests().length, { timeout: 20_000 }).toBe(18);
    running.child.kill("SIGINT");
    await running.lineOn("stderr", /A second signal abandons them/);
    // One that comes within 0.3 s is taken for the same Ctrl-C.
    await delay(350);
    const second = performance.now();
    running.child.kill("SIGINT");
    const { code, stdout } = await running.finished;
    expect(code).toBe(130);
    // The answers would be waited for for 3 s.
    expect(performance.now() - second).toBeLessThan(2_500);
    const lines = z.parse(z.array(lineSchema), parseJsonLines(stdout));
    const told = sorted(lines);
    const named = (outcome: string) => told.filter(([, word]) => word === outcome);
    expect([named("done").length, named("unknown").length, named("skipped").length]).toEqual([2, 16, 2]);
    expect(await inJournal(ids)).toEqual([...named("done"), ...named("unknown")].sort());

    bench.emulator.service.faults.set([]);
    const resumed = await bench.inProcess("orders dispatch - --json --resume", { input });
    expect(sorted(z.parse(z.array(lineSchema), parseJsonLines(resumed.stdout)))).toEqual(
      told.map(([id, word]) => [id, word === "skipped" ? "done" : word === "done" ? "skipped" : word]),
    );
    expect(bench.requests()).toHaveLength(ids.length);
  });
});

const sorted = (rows: readonly z.infer<typeof lineSchema>[]) =>
  rows.map(({ order_id: id, outcome }) => [id, outcome] as const).sort();

/** What `history` tells of these orders. */
async function inJournal(ids: readonly string[]) {
  const { stdout } = await bench.inProcess("history --json");
  const rows = z.parse(z.array(lineSchema), parseJsonLines(stdout));
  return sorted(rows.filter(({ order_id: id }) => ids.includes(id)));
}

describe("a signal while one write is out", () => {
  test("driver assign hears the answer, and says that it waits", async () => {
    const id = await bench.order();
    bench.forgetRequests();
    bench.emulator.service.faults.set([{ delay: 1_000, operation: "assignDriver", when: "after" }]);
    const running = bench.machine.start(["driver", "assign", id, "11", "--json"]);
    while (bench.requests().length === 0) await delay(10);
    running.child.kill("SIGTERM");
    const { code, stdout, stderr } = await running.finished;
    bench.emulator.service.faults.set([]);
    expect(code).toBe(143);
    expect(JSON.parse(stdout)).toMatchObject({ driver_id: 11 });
    expect(stderr).toMatch(/^Terminated\. Waiting for pending answers/);
  });
});

/**
 * A signal before the program listens for it would end it without a word. Node listens for SIGINT and SIGTERM itself,
 * from its start on; for SIGHUP, none but the program does.
 */
async function isCatching(pid = 0): Promise<void> {
  if (process.platform !== "linux") return delay(1_000);
  const sighup = 1n << 0n;
  for (;;) {
    const [, caught = "0"] =
      /^SigCgt:\s*([\da-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    if ((BigInt(`0x${caught}`) & sighup) !== 0n) return;
    await delay(10);
  }
}
