import * as z from "zod/mini";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Bench } from "../support/bench.js";
import { snapshot } from "../support/folder-state.js";
import { parseJsonLines } from "../support/json.js";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.signIn();
});
afterAll(() => bench.close());

const lineSchema = z.looseObject({ order_id: z.string(), outcome: z.string() });

const signals = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 143],
] as const;

describe("a signal", () => {
  it.each(signals)(
    "%s ends a sign-in with %i: the port is free, nothing is stored or said",
    async (signal, exit) => {
      const before = snapshot(bench.machine.configFolder);
      const running = bench.machine.start(["login", "--store", "outra", "--env", "test"]);
      await running.lineOn("stderr", /^http:/);
      running.child.kill(signal);
      const { code, stdout, stderr } = await running.finished;
      expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
      expect(stderr).not.toMatch(/error|^\s+at /m);
      expect(snapshot(bench.machine.configFolder)).toEqual(before);
      await expect(fetch(bench.emulator.redirectUri)).rejects.toThrow();
    },
  );

  it.each(signals)(
    "%s ends a run of many with %i; what was not tried is said to be skipped",
    async (signal, exit) => {
      bench.emulator.service.faults.set([
        { kind: "delay", ms: 400, match: { path: "/dispatch" }, when: "after" },
      ]);
      const ids = await Promise.all(Array.from({ length: 12 }, () => bench.order()));
      const running = bench.machine.start(["orders", "dispatch", ...ids, "--concurrency", "2", "--json"]);
      await running.lineOn("stdout", /done/);
      running.child.kill(signal);
      const { code, stdout } = await running.finished;
      expect(code).toBe(exit);
      const lines = z.parse(z.array(lineSchema), parseJsonLines(stdout));
      expect(lines.map(({ order_id: id }) => id).sort()).toEqual([...ids].sort());
      const named = (outcome: string) => lines.filter((line) => line.outcome === outcome);
      expect(named("done").map(({ order_id: id }) => bench.stored(id).status)).toContain("released");
      // What was out may have been done, and is not called anything else.
      expect(named("unknown").length).toBeGreaterThan(0);
      expect(named("unknown").length + named("failed").length).toBeLessThanOrEqual(2);
      expect(named("skipped").length).toBeGreaterThan(6);
      for (const { order_id: id } of [...named("skipped"), ...named("failed")]) {
        expect(bench.stored(id).status).toBe("confirmed");
      }
    },
  );
});
