/** Token renewals by several processes, and during a signal. */
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { rowsInSearch } from "../support/in-search.js";
import { readSession } from "../support/stored-session.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  // The token expires in 5 seconds.
  await bench.signInExpired(5);
});

const counters = () => bench.emulator.service.server.counters;

describe("an access token is renewed", () => {
  test("and stored even if the clock is set ahead by two hours meanwhile", async () => {
    bench.emulator.service.faults.set([{ delay: 900, path: "/oauth/token", when: "after" }]);
    const running = bench.machine.start(["driver", "list"]);
    await expect.poll(() => counters().refreshes, { timeout: 20_000, interval: 10 }).toBe(1);
    const folder = path.join(bench.machine.configFolder, "sessions");
    const reserved = readdirSync(folder).filter((name) => name.endsWith(".tmp"));
    const before = Date.now() / 1000 - 2 * 3600;
    for (const name of reserved) utimesSync(path.join(folder, name), before, before);
    const { code, stderr } = await running.finished;
    expect({ reserved: reserved.length, code, stderr }).toMatchObject({ reserved: 1, code: 0 });
    expect(readSession(bench.machine.configFolder).tokens).toMatchObject({ generation: 2 });
    expect(readdirSync(folder)).toEqual(["s-centro.json"]);
  });

  test.each<[NodeJS.Signals, number]>([
    ["SIGINT", 130],
    ...rowsInSearch<[NodeJS.Signals, number]>([["SIGTERM", 143]]),
  ])("despite %s, and a message says what comanda waits for", async (signal, exit) => {
    bench.emulator.service.faults.set([{ delay: 900, path: "/oauth/token", when: "after" }]);
    // The timers that end a stuck command run ten times as fast.
    const file = path.join(bench.machine.folder, "short-timers.cjs");
    const shorter = "(run, ms, ...rest) => setTimeout(run, ms >= 3_000 ? ms / 10 : ms, ...rest)";
    writeFileSync(file, `const { setTimeout } = globalThis; globalThis.setTimeout = ${shorter};`);
    const running = bench.machine.start(["orders", "dispatch", "7", "--timeout", "300ms"], {
      env: { NODE_OPTIONS: `--require ${JSON.stringify(file)}` },
    });
    await expect.poll(() => counters().refreshes, { timeout: 20_000, interval: 10 }).toBe(1);
    running.child.kill(signal);
    const { code, stderr } = await running.finished;
    const { generation } = readSession(bench.machine.configFolder).tokens;
    expect({ code, generation }).toEqual({ code: exit, generation: 2 });
    expect(stderr).toContain("Waiting for work that must finish");
  });
});
