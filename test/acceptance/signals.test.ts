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
  test("ends a sign-in, frees its port, and stores and prints nothing", async () => {
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

  test("ends a command that waits for stdin", async () => {
    const running = bench.machine.start(["orders", "dispatch", "-"], { input: "", stdinStaysOpen: true });
    await isCatching(running.child.pid);
    const since = performance.now();
    running.child.kill("SIGHUP");
    expect(await running.finished).toMatchObject({ code: 143, stdout: "", stderr: "" });
    // A command that is stuck ends only after 3.5 s.
    expect(performance.now() - since).toBeLessThan(3_000);
  });

  test("ends a list if it is the second one, and requests without an answer are unknown", async () => {
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
    expect({ done: done.length, unknown: unknown.length, skipped: skipped.length }).toEqual({
      done: 2,
      unknown: 16,
      skipped: 2,
    });
    const journal = outcomesIn((await bench.inProcess("history --json")).stdout);
    for (const id of ids) expect(journal[id], id).toBe(skipped.includes(id) ? undefined : printed[id]);

    bench.emulator.service.faults.set([]);
    const resumed = outcomesIn(
      (await bench.inProcess("orders dispatch - --json --resume", { input })).stdout,
    );
    for (const id of done) expect(resumed[id], id).toBe("skipped");
    for (const id of skipped) expect(resumed[id], id).toBe("done");
    for (const id of unknown) expect(resumed[id], id).toBe("unknown");
    expect(bench.requests()).toHaveLength(ids.length);
  });

  test("lets driver assign finish its request, and a message says so", async () => {
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

/** Returns the outcome of each order id. */
function outcomesIn(stdout: string): Readonly<Record<string, string>> {
  const rows = z.parse(z.array(lineSchema), parseJsonLines(stdout));
  return Object.fromEntries(rows.map(({ order_id: id, outcome }) => [id, outcome]));
}

/** Waits until the program handles SIGHUP, which ends it without a message before that. */
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
